// Says how a turn ended, in one sentence for the person who asked. English first, as everywhere in this folder; a second language would be a
// second object of the same shape. `-#` is Discord's small text; an ending that is a failure starts with the warning sign.

import type { Ending } from "../state/ending.ts";
import { accessText } from "./access.ts";
import { moment, nearText, spentText } from "./budgets.ts";
import { fileNotices } from "./files.ts";
import { MODEL_FAILED } from "./model-failures.ts";
import { person } from "./notices.ts";

/** Writes the small lines that close an answer, or returns null when nothing needs to be said. `hasWords`: there is text above them. */
export function endingNotice(ending: Ending, hasWords = true): string | null {
  const notice = endingSentence(ending, hasWords ? " The part above is what I had." : "");
  const shown = ending.quiet && notice?.includes(WARNING) ? null : notice;
  const near = ending.near && !ending.quiet ? `-# ${nearText(ending.near)}` : null;
  const files = ending.files && !ending.quiet ? fileNotices(ending.files) : [];
  return [shown, ...files, near].filter((line) => line !== null).join("\n") || null;
}

const WARNING = "⚠️";

function endingSentence(ending: Ending, above: string): string | null {
  switch (ending.kind) {
    case "completed":
      return completedNotice(ending);
    case "gone":
      return null;
    case "stopped":
      return `-# Stopped by ${person(ending.by)}.`;
    case "follow_up":
      return "-# Interrupted by your next message, which is answered below.";
    case "model_failed": {
      const { reason, resetsAt } = ending;
      const sentence = MODEL_FAILED[reason === "aborted" ? "unknown" : reason];
      return `-# ⚠️ ${resetsAt ? sentence.replace("in a minute", `after ${moment(resetsAt, "T")}`) : sentence}`;
    }
    case "model_silent":
      return `-# ⚠️ ${MODEL_FAILED.timeout}`;
    case "turn_deadline":
      return `-# ⚠️ This answer ran out of time.${above} Send another message to continue.`;
    case "iteration_limit":
      return "-# ⚠️ This answer used all the steps that one turn may take. Send another message to continue.";
    case "budget_spent":
      return `-# ⚠️ ${spentText(ending)}`;
    case "access_refused":
      return `-# ⚠️ ${accessText(ending.refusal)}`;
    case "tool_errors":
      return "-# ⚠️ The tools kept failing, so I stopped. Try rephrasing.";
    case "call_loop":
      return `-# ⚠️ The model kept calling \`${ending.tool}\` in the same way with the same result, so I stopped. Try rephrasing.`;
    case "empty":
      return "-# ⚠️ The model gave an empty answer. Try again, or try rephrasing.";
    case "interrupted":
      return `-# ⚠️ This answer was interrupted and could not be resumed.${above} Send another message to continue.`;
    case "crashed":
      return "-# ⚠️ Something went wrong on our side, so this answer ended early. The error has been logged. Try again.";
    case "cleared":
      return `-# Cleared from the queue by ${person(ending.by)}. Send it again if you still want an answer.`;
    case "taken_back":
      return `-# Taken out of the queue by ${person(ending.by)}.`;
    case "superseded":
      return "-# Replaced by your newer message.";
    case "steered":
      return "-# Added to the answer that is being written above.";
  }
}

/** Says why a turn was refused, to its asker alone; null for any other ending. */
export function refusedText(ending: Ending): string | null {
  if (ending.kind === "budget_spent") return spentText(ending);
  return ending.kind === "access_refused" ? accessText(ending.refusal) : null;
}

function completedNotice({ by, cut, wordless }: Extract<Ending, { kind: "completed" }>): string | null {
  const lines = [
    ...(by === undefined ? [] : [`-# answered by ${by}`]),
    ...(cut ? ["-# ⚠️ The answer was cut off at the model's length limit. Send another message to continue."] : []),
    // An empty reply would look as if it were still being written.
    ...(wordless ? ["-# Done. I have nothing to add."] : []),
  ];
  return lines.length > 0 ? lines.join("\n") : null;
}
