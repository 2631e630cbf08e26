// Which call may run when, by the categories alone. Pure: the turn keeps what ran, as plain JSON, and asks.
import type { Tool, ToolCategory } from "./tool.ts";

/** What ran before, as far as it matters. A call that was refused did not run. */
export interface RanSoFar {
  /** Categories of the calls of the same answer that ran before this one. */
  batch: readonly ToolCategory[];
  /** Categories of all calls of the turn that ran before this one. */
  turn: readonly ToolCategory[];
}

/** Why a call of this category may not run now; null when it may. */
export function outOfOrder(category: ToolCategory, { batch, turn }: RanSoFar): string | null {
  if (batch.includes("terminal")) return "a call before it in the same answer has ended the turn; nothing ran";
  if (category === "dangerous" && turn.includes("dangerous"))
    return "one dangerous call is allowed per turn, and it has been made; nothing ran";
  return null;
}

/** May the call run beside others of the same kind? */
export const runsTogether = ({ category, hints }: Pick<Tool, "category" | "hints">): boolean =>
  hints.readOnly && (category === "safe" || category === "async");
