// How the ledger knows a call, and the result of one that nobody knows the end of.
import { refused, type ToolResult } from "../tool-result.ts";
import type { CheckedCall, LaunchEntry } from "./runtime-ports.ts";

/** The result of a call that was launched, and of which nobody knows what it did. */
export const interrupted = (): ToolResult =>
  refused("interrupted", "the call was interrupted; outcome unknown, it may or may not have taken effect");

/** A tool's own key names an effect wherever the call comes from. A call's position names only that call. */
export function buildLaunchEntry({ tool, input, args, context }: CheckedCall): LaunchEntry {
  const { idempotencyKey: callPlace, turnId } = context;
  const own = tool.idempotencyKey?.(input, context);
  const key = own === undefined ? callPlace : `tool:${tool.name}:${own}`;
  return { key, callPlace, turnId, tool: tool.name, args };
}
