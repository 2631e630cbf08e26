// Decides which buttons a reply has below its last line: Retry after a failure, Continue after a limit, Regenerate and Delete below the
// newest answer. Pure.
import type { Ending } from "../state/ending.ts";
import { isAskedFor, type TurnRecord } from "../state/record.ts";
import { isChangeable } from "./newest-answer.ts";

/** A button below an ended turn. */
export type Offer = "retry" | "go_on" | "regenerate" | "delete";

/** Whether the button changes the existing answer. In a scene such a button is below the answer itself; one that asks for more is on the header. */
export const changesAnswer = (offer: Offer): boolean => offer === "regenerate" || offer === "delete";

/** Returns the buttons of an ended turn, in order. `isNewest`: no later answer of the conversation has Regenerate and Delete. */
export function offeredBelow(turn: TurnRecord, isNewest: boolean): Offer[] {
  const { checkpoint } = turn;
  const isRepeatable = isAskedFor(turn) && turn.request.catchUp === undefined;
  const offered = checkpoint.kind === "send" && isRepeatable ? offeredAfter(checkpoint.ending) : null;
  return [
    ...(offered ? [offered] : []),
    ...(isNewest && isChangeable(turn) ? (["regenerate", "delete"] as const) : []),
  ];
}

/** Returns what to offer after an ending; null when there is nothing left to ask. */
export function offeredAfter(ending: Ending): "retry" | "go_on" | null {
  if (ending.quiet) return null;
  switch (ending.kind) {
    case "model_failed":
    case "model_silent":
    case "tool_errors":
    case "call_loop":
    case "empty":
    case "interrupted":
    case "crashed":
      return "retry";
    case "iteration_limit":
    case "turn_deadline":
      return "go_on";
    case "access_refused":
      return ending.refusal.reason === "limit_unchecked" ? "retry" : null;
    case "budget_spent":
      return ending.isHeld || ending.hasReset ? "retry" : null;
    case "completed":
      return ending.cut ? "go_on" : null;
    case "stopped":
    case "follow_up":
    case "gone":
    case "cleared":
    case "taken_back":
    case "superseded":
    case "steered":
      return null;
  }
}
