// How a turn ended, in one sentence for the person who asked. English first, as everywhere in this folder; a second language is a
// second object of the same shape. `-#` is Discord's small text; an ending that is a failure starts with the warning sign.

import type { Ending } from "../state/ending.ts";
import { nearText, spentText } from "./budgets.ts";
import { fileNotices } from "./files.ts";
import { MODEL_FAILED } from "./model-failures.ts";

const person = (userId: string) => `<@${userId}>`;

/** The small line that closes an answer, or null when nothing needs to be said. */
export function endingNotice(ending: Ending): string | null {
  const notice = endingSentence(ending);
  const told = ending.quiet && notice?.includes(WARNING) ? null : notice;
  const near = ending.near && !ending.quiet ? `-# ${nearText(ending.near)}` : null;
  const files = ending.files && !ending.quiet ? fileNotices(ending.files) : [];
  return [told, ...files, near].filter((line) => line !== null).join("\n") || null;
}

const WARNING = "⚠️";

function endingSentence(ending: Ending): string | null {
  switch (ending.kind) {
    case "completed":
      return completedNotice(ending);
    case "gone":
      return null;
    case "stopped":
      return `-# Stopped by ${person(ending.by)}.`;
    case "follow_up":
      return "-# Interrupted by your next message, which is answered below.";
    case "model_failed":
      return `-# ⚠️ ${ending.reason === "aborted" ? MODEL_FAILED.unknown : MODEL_FAILED[ending.reason]}`;
    case "model_silent":
      return `-# ⚠️ ${MODEL_FAILED.timeout}`;
    case "turn_deadline":
      return "-# ⚠️ This took longer than a turn may take and was ended. What was reached stands above.";
    case "iteration_limit":
      return "-# ⚠️ The limit of steps for one turn was reached. Ask on to continue from here.";
    case "budget_spent":
      return `-# ⚠️ ${spentText(ending)}`;
    case "tool_errors":
      return "-# ⚠️ The tools kept failing, so the turn was ended. Try saying it differently.";
    case "call_loop":
      return `-# ⚠️ The model kept making the same call of \`${ending.tool}\` with the same result, so the turn was ended. Try saying it differently.`;
    case "empty":
      return "-# ⚠️ The model gave an empty answer. Try again, or say it differently.";
    case "interrupted":
      return "-# ⚠️ This turn was interrupted and could not be resumed. What was reached stands above; ask again to go on.";
    case "crashed":
      return "-# ⚠️ Something went wrong on our side, and the turn was ended. It has been logged; try again.";
    case "cleared":
      return `-# Cleared from the queue by ${person(ending.by)}.`;
    case "taken_back":
      return `-# Taken out of the queue by ${person(ending.by)}.`;
    case "superseded":
      return "-# Replaced by your newer message.";
    case "steered":
      return "-# Handed to the answer that is running above.";
  }
}

function completedNotice({ by, cut, wordless }: Extract<Ending, { kind: "completed" }>): string | null {
  const lines = [
    ...(by === undefined ? [] : [`-# answered by ${by}`]),
    ...(cut ? ["-# ⚠️ The answer was cut off at the model's limit of length. Ask it to go on."] : []),
    // A reply with nothing in it would look as if it were still being written.
    ...(wordless ? ["-# Done. There is nothing to add."] : []),
  ];
  return lines.length > 0 ? lines.join("\n") : null;
}
