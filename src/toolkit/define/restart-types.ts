// Which data of a result is no answer but an enrichment of what the model sees. Exact names only: a part of a name would also match
// what another tool means by it.
import type { Tool } from "./tool.ts";

/** Reveals handles and times of the visible messages. */
export const METADATA_RESTART = "context_restart_message_metadata";

/** What any tool may answer with. */
const USUAL: readonly string[] = [METADATA_RESTART, "context_restart_image"];
/** Names that are kept for later. */
const RESERVED: readonly string[] = ["context_restart_gif", "context_restart_video"];
const NAME = /^context_restart_[a-z0-9_]+$/;

/** Is this the type of an enrichment, in a result of this tool? */
export function isRestartType(type: unknown, tool: Pick<Tool, "restarts"> | null): boolean {
  return typeof type === "string" && (USUAL.includes(type) || (tool?.restarts?.includes(type) ?? false));
}

/** What is wrong with the types that a tool registers. */
export function restartProblems({ name, restarts = [] }: Tool): string[] {
  const isTaken = (type: string) => USUAL.includes(type) || RESERVED.includes(type);
  return restarts
    .filter((type) => !NAME.test(type) || isTaken(type))
    .map((type) => `tool ${name} registers "${type}", which is ${isTaken(type) ? "taken" : "no restart type"}`);
}
