// What a reply offers below its last line: Retry after a failure, Continue after a limit. Pure.
import type { Ending } from "./ending.ts";

/** What to offer after an ending; null when there is nothing left to ask. */
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
    case "completed":
      return ending.cut ? "go_on" : null;
    case "stopped":
    case "follow_up":
    case "gone":
    case "cleared":
    case "budget_spent":
    case "taken_back":
    case "superseded":
    case "steered":
      return null;
  }
}
