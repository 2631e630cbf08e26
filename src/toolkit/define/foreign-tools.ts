// Prepares the tools of remote servers. Our own client builds them from what the server says, so only their schemas can be wrong.
import { compileInput } from "./input-schema.ts";
import { plainSchema } from "./plain-schema.ts";
import type { Tool } from "./tool.ts";
import type { ToolEntry } from "./tool-cards.ts";

/** Gets a line for each tool that is left out. */
export type RegistryLog = (line: string, detail: Record<string, unknown>) => void;

/** Cached, because a schema is expensive to compile and the objects of one isolate share their tools. Null: it does not compile. */
const known = new WeakMap<Tool, ToolEntry | null>();

/** Returns the tools, ready for a registry. A tool whose schema does not compile is left out: a server's mistake must not disable the others. */
export const foreignTools = (tools: readonly Tool[], log: RegistryLog): ToolEntry[] =>
  tools.flatMap((tool) => {
    const before = known.get(tool);
    const entry = before === undefined ? buildEntry(tool, log) : before;
    known.set(tool, entry);
    return entry ?? [];
  });

function buildEntry(tool: Tool, log: RegistryLog): ToolEntry | null {
  const { name, description } = tool;
  const compiled = compileInput(tool, inJsonSchema);
  if (!compiled.ok) {
    log("a tool was left out: its schema does not compile", { tool: name, reason: compiled.error });
    return null;
  }
  const opened = { tool, input: compiled.input };
  return {
    card: tool,
    schema: { name, description, parameters: plainSchema(compiled.input.parameters) },
    open: () => opened,
  };
}

/** Never called, because a server describes its tools in JSON Schema. */
const inJsonSchema = () => {
  throw new Error("a remote tool comes with a JSON Schema");
};
