// What people read about the summary of the earlier conversation.

import type { CompactionAnswer, SummaryReport } from "../state/compaction-plan.ts";
import { spentText } from "./budgets.ts";
import { counted } from "./counts.ts";
import { fromNow } from "./durations.ts";

/** Says how much of the conversation is summarized. */
export const summarizedText = (messages: number): string =>
  `${counted(messages, "earlier message is", "earlier messages are")} summarized.`;

/** Writes the line above a summary; null: there is none. */
export const summaryHead = (report: Omit<SummaryReport, "text"> | null): string =>
  report === null
    ? "Nothing is summarized here: I still read the whole conversation that I keep, or there is none."
    : `${summarizedText(report.messages)} This is what I read instead of them, written by a model ${fromNow(report.at)}. It may be wrong. \`/bot reset\` drops it; in a server that has added me, only moderators can use it.`;

/** Writes the answer to `/bot compact`. */
export function compactionText(answer: CompactionAnswer): string {
  switch (answer.result) {
    case "nothing":
      return "There is nothing to summarize: the newest six answers always stay as they are.";
    case "spent":
      return `A summary costs tokens, too. ${spentText(answer.limit)}`;
    case "planned":
      return `I'm going to summarize ${counted(answer.messages, "message")} as soon as nothing else is running. See \`/bot summary\` in a minute.`;
  }
}
