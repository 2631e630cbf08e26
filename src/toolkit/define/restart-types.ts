// The types of result data that are not an answer but enrich what the model sees. Only exact names match: a part of a name could mean
// something else in another tool.
import type { Tool, ToolCard } from "./tool.ts";

/** Reveals the handles and times of the visible messages. */
export const METADATA_RESTART = "context_restart_message_metadata";

/** The types that any tool may return. */
const USUAL: readonly string[] = [METADATA_RESTART, "context_restart_image"];
/** Names reserved for later. */
const RESERVED: readonly string[] = ["context_restart_gif", "context_restart_video"];
const NAME = /^context_restart_[a-z0-9_]+$/;

/** Whether this type, in a result of this tool, enriches the context. */
export function isRestartType(type: unknown, tool: Pick<ToolCard, "restarts"> | null): boolean {
  return typeof type === "string" && (USUAL.includes(type) || (tool?.restarts?.includes(type) ?? false));
}

/** Lists the problems with the types that a tool registers. */
export function restartProblems({ name, restarts = [] }: Tool): string[] {
  const isTaken = (type: string) => USUAL.includes(type) || RESERVED.includes(type);
  return restarts
    .filter((type) => !NAME.test(type) || isTaken(type))
    .map((type) => `tool ${name} registers "${type}", which is ${isTaken(type) ? "taken" : "not a restart type"}`);
}
