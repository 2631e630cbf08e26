// What a tool is. A tool is one file in src/tools and one line in its list; it gets what it needs when it runs and keeps
// nothing. The runtime validates, limits and catches, so a tool has no try/catch of its own.
import type { ZodType } from "zod";
import type { Rule } from "./rules.ts";
import type { ServiceName, ToolServices } from "./tool-services.ts";

export type { Acted, ChannelActions, ChannelMessage } from "./channel-actions.ts";
export type { Pictures, Reminder, SearchAnswer, SearchHit, ServiceName, ToolServices } from "./tool-services.ts";

/**
 * What a tool may do to the world: `safe` reads only; `async` is slow or on the network; `terminal` speaks to people and
 * ends the turn; `dangerous` needs a person's approval.
 */
export type ToolCategory = "safe" | "async" | "terminal" | "dangerous";

/** The hints of the Model Context Protocol, all said explicitly. */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  /** The same call twice leaves the world as once. */
  idempotent: boolean;
  /** Reaches things outside Discord and this object. */
  openWorld: boolean;
}

/** What every call is given. `now` is fixed at the call's start, so that one call sees one time. */
export interface ToolContext {
  now: number;
  /** Fires on a stop, a timeout or the turn's deadline; pass it to every fetch and sleep. */
  signal: AbortSignal;
  /** Uniform in [0, 1). */
  random: () => number;
  log: (line: string, detail?: Record<string, unknown>) => void;
  channelId: string;
  guildId: string | null;
  userId: string;
  locale: string;
  turnId: string;
  callId: string;
  /** From 1; above it only for tools that may run again. */
  attempt: number;
  /** The same for every attempt of one call: hand it to a service that can drop repetitions. */
  idempotencyKey: string;
}

interface OutcomeExtras {
  /** For people and for the model, beside the data. */
  message?: string;
  /** What later steps need to know of images in the data. */
  imageMetadata?: unknown;
  /** The turn is over after this call, whatever the tool's category. */
  endTurn?: boolean;
}

/**
 * What a tool answers; a thrown error becomes a failure with its message. `retryable` says that the same call may succeed
 * later, `retryAfterMs` when; both count only for tools that may run again.
 */
export type ToolOutcome =
  | ({ ok: true; data: unknown } & OutcomeExtras)
  | ({ ok: false; error: string; data?: unknown; retryable?: boolean; retryAfterMs?: number } & OutcomeExtras);

/** A JSON Schema of an object, draft 2020-12 unless its `$schema` names draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The facts of a call that a cached answer may depend on beyond its arguments. */
export type VaryField = "channelId" | "guildId" | "userId" | "locale";

/**
 * How long an answer may stand in for a new run. `turn`: for this turn; `session`: while the object lives; `persistent`: in
 * storage, and then `ttlSeconds` is required.
 */
export interface CachePolicy {
  scope: "turn" | "session" | "persistent";
  ttlSeconds?: number;
  vary?: readonly VaryField[];
}

/** What a tool can't do without. A tool that lacks something is not offered, and refused when it is called all the same. */
export interface ToolNeeds<Needed extends ServiceName = ServiceName> {
  /** What of the object the tool works with; it is handed these and no others. */
  services?: readonly Needed[];
  botToken?: boolean;
  /** Discord permissions of the person, by Discord's names (`MANAGE_MESSAGES`). */
  permissions?: readonly string[];
  modelAbilities?: readonly string[];
  /** Names of the channel's settings that must be set. */
  settings?: readonly string[];
}

/**
 * What in a person's words asks for a tool, for the deliberate mode; the notation is core/deliberate/trigger-phrases.ts's. Words that also stand
 * in ordinary sentences defeat the mode: the corpus of its test has hundreds.
 */
export interface ToolTriggers {
  phrases?: readonly string[];
  patterns?: readonly string[];
  /** Files that ask for the tool by being attached: the beginnings of their content types, and what people call such a file. */
  files?: readonly { type: string; label: string }[];
}

/** What `execute` gets: the call's facts and the services that its tool names. */
export type ServedContext<Needed extends ServiceName> = ToolContext & Pick<ToolServices, Needed>;

/** A tool with its parameters' schema; `input` is checked before `execute` sees anything. */
export interface Tool<Input = unknown, Needed extends ServiceName = ServiceName> {
  name: string;
  /** Written for the model: when to use it, what it answers. */
  description: string;
  /** A zod object, or a JSON Schema for a tool that is only known at run time. */
  input: ZodType<Input> | JsonSchema;
  category: ToolCategory;
  hints: ToolHints;
  /** Changes with the meaning of the answers, so that cached ones of an older program are not used. */
  version?: string;
  /** Limit of one attempt in milliseconds; without one an attempt may use what is left of the whole call's limit. */
  timeoutMs?: number;
  /** Attempts in all, 1 to 4; a tool that may run again has 4 unless it says less. */
  retry?: { attempts: number };
  cache?: CachePolicy;
  /** What the parameters demand of each other. */
  rules?: readonly Rule[];
  triggers?: ToolTriggers;
  requires?: ToolNeeds<Needed>;
  /** Names the effect, where two different calls may mean the same one; a call's own place names it otherwise. */
  idempotencyKey?: (input: Input, context: ToolContext) => string;
  /** Types of data (`context_restart_…`) by which a result enriches what the model sees, beside those that any tool may answer. */
  restarts?: readonly string[];
  /** A turn whose answer was spoken before this call ends when the call succeeds: nothing is left to say. */
  endsTurnAfterText?: true;
  /** Characters of JSON that the model gets to see; 20,000 unless said. */
  maxResultChars?: number;
  /** Discord's id of the message that a dangerous call is about: who is asked to approve it is shown where that stands. */
  concerns?: (input: Input, context: ServedContext<Needed>) => string | null;
  execute: (input: Input, context: ServedContext<Needed>) => Promise<ToolOutcome> | ToolOutcome;
}

/** Checks a tool's types where it is written and forgets its input type, so that tools of all kinds fit one list. */
export function defineTool<Input, Needed extends ServiceName = never>(
  tool: Tool<Input, Needed>,
): Tool<unknown, Needed> {
  return tool as Tool<unknown, Needed>;
}

/** May an interrupted call simply run again? Only if it can't have done harm. */
export const isRepeatable = (tool: Pick<Tool, "hints">): boolean => tool.hints.readOnly || tool.hints.idempotent;

/** May the call run beside others of the same kind? */
export const runsTogether = ({ category, hints }: Pick<Tool, "category" | "hints">): boolean =>
  hints.readOnly && (category === "safe" || category === "async");

/** A tool whose schema is known only at run time: a custom module's or a remote server's. */
export const isDynamic = (tool: Pick<Tool, "input">): tool is { input: JsonSchema } =>
  typeof (tool.input as { safeParse?: unknown }).safeParse !== "function";

/** What a custom module's `run` gets: at least this, and `now` as a date. */
export type CustomToolContext = Omit<ToolContext, "now"> & { now: Date };

/** A tool as a plain module exports it; `import * as weather from "./weather.ts"` is one. */
export interface CustomToolModule {
  name: string;
  description: string;
  inputSchema?: JsonSchema;
  category?: ToolCategory;
  hints?: ToolHints;
  /** May answer anything: the runtime reads `{ok, output, error}` and takes all else for data. */
  run(input: never, context: CustomToolContext): unknown;
}

/** Makes a tool of a module. Whatever it does not say of itself is assumed to be the worst. */
export function customTool(module: CustomToolModule): Tool {
  const run = module.run as (input: unknown, context: CustomToolContext) => Promise<ToolOutcome>;
  return {
    name: module.name,
    description: module.description,
    input: module.inputSchema ?? { type: "object", properties: {} },
    category: module.category ?? "async",
    hints: module.hints ?? { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    execute: (input, context) => run(input, { ...context, now: new Date(context.now) }),
  };
}
