// Builds the ledger's entry for a call, and the result of a call whose outcome is unknown.
import { refused, type ToolResult } from "../tool-result.ts";
import type { CheckedCall, LaunchEntry } from "./runtime-ports.ts";

/** Returns the result of a call that was launched and whose effect is unknown. */
export const interrupted = (): ToolResult =>
  refused("interrupted", "the call was interrupted; outcome unknown, it may or may not have taken effect");

/** Builds the entry. A tool's own key names an effect wherever the call comes from; a call's position names only that call. */
export function buildLaunchEntry({ tool, input, args, context }: CheckedCall): LaunchEntry {
  const { idempotencyKey: callPlace, turnId } = context;
  const own = tool.idempotencyKey?.(input, context);
  const key = own === undefined ? callPlace : `tool:${tool.name}:${own}`;
  return { key, callPlace, turnId, tool: tool.name, args };
}
