// A tool as a plain module exports it, and the conversion of such a module into a tool.
import type { JsonSchema, Tool, ToolCategory, ToolContext, ToolHints, ToolOutcome, ToolTriggers } from "./tool.ts";
import type { ServiceName, ToolServices } from "./tool-services.ts";

/** What a custom module's `run` gets: at least this, with `now` as a date, and the services that the module names. */
export type CustomToolContext = Omit<ToolContext, "now"> & { now: Date } & Partial<ToolServices>;

/** A tool as a plain module exports it. `import * as weather from "./weather.ts"` is one. */
export interface CustomToolModule {
  name: string;
  description: string;
  inputSchema?: JsonSchema;
  category?: ToolCategory;
  hints?: ToolHints;
  /** Its results contain words of strangers; assumed by default if it reaches things outside. */
  untrusted?: boolean;
  /** Without triggers, deliberate mode offers the tool only for a channel's own triggers. */
  triggers?: ToolTriggers;
  /** Time limit of one attempt in milliseconds. Without it, an attempt may use what is left of the whole call's limit. */
  timeoutMs?: number;
  /** The services that it finds in its context. While one is missing, the tool is not offered. */
  services?: readonly ServiceName[];
  /** May return anything: the runtime reads `{ok, output, error}`, and takes everything else as data. */
  run(input: never, context: CustomToolContext): unknown;
}

/** Makes a tool from a module. For anything that the module does not declare, the worst case is assumed. */
export function customTool(module: CustomToolModule): Tool {
  const run = module.run as (input: unknown, context: CustomToolContext) => Promise<ToolOutcome>;
  return {
    name: module.name,
    description: module.description,
    input: module.inputSchema ?? { type: "object", properties: {} },
    category: module.category ?? "async",
    hints: module.hints ?? { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    ...((module.untrusted ?? module.hints?.openWorld ?? true) ? { untrusted: true } : {}),
    ...(module.triggers ? { triggers: module.triggers } : {}),
    ...(module.timeoutMs === undefined ? {} : { timeoutMs: module.timeoutMs }),
    ...(module.services ? { requires: { services: module.services } } : {}),
    execute: (input, context) => run(input, { ...context, now: new Date(context.now) }),
  };
}
