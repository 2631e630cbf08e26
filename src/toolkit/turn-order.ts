// Which call may run when, by the categories alone. Pure: the turn keeps what ran, as plain JSON, and asks.
import type { Tool, ToolCategory } from "./tool.ts";

/** What ran before, as far as it matters. A call that was refused did not run. */
export interface RanSoFar {
  /** Categories of the calls of the same answer that ran before this one. */
  batch: readonly ToolCategory[];
  /** Categories of all calls of the turn that ran before this one. */
  turn: readonly ToolCategory[];
}

/** Calls of one answer that run at the same time at most. */
export const MAX_TOGETHER = 4;

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

/** The calls of one answer in the steps in which they run: neighbours that only read together, every other alone. */
export function stepsOf<Call>(calls: readonly Call[], toolOf: (call: Call) => Tool | null): Call[][] {
  const steps: { calls: Call[]; isShared: boolean }[] = [];
  for (const call of calls) {
    const tool = toolOf(call);
    // A call of no tool has nothing to wait for.
    const isShared = tool === null || runsTogether(tool);
    const last = steps.at(-1);
    if (isShared && last?.isShared && last.calls.length < MAX_TOGETHER) last.calls.push(call);
    else steps.push({ calls: [call], isShared });
  }
  return steps.map((step) => step.calls);
}
