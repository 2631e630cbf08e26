// Decides whether to accept a summary that a model has written, and joins it to the previous one. Pure.
import type { Summary } from "./compaction.ts";
import { estimateTokens } from "./tokens.ts";

/** The most characters of a summary (UTF-16 code units): anything longer would not be a summary. */
export const MAX_SUMMARY_CHARS = 4000;

/** Why a model's summary is not accepted. */
export type SummaryFault = "empty" | "too_long" | "not_shorter" | "refusal";

/** How a model's refusal begins. We ask for headings, but a small model's notes without them are better than none. */
const REFUSAL =
  /^\W*(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry|unfortunately|as an ai|i (?:can(?:['’]t|not)|won['’]t))\b/i;

/** Judges a model's summary of `replaced` characters; null: it is accepted. */
export function findSummaryFault(text: string, replaced: number): SummaryFault | null {
  const words = text.trim();
  const { length } = words;
  if (length === 0) return "empty";
  if (length > MAX_SUMMARY_CHARS) return "too_long";
  if (length >= replaced) return "not_shorter";
  return REFUSAL.test(words) ? "refusal" : null;
}

/** Builds the summary that covers the previous one and a further part. */
export function nextSummary(
  before: Summary | null,
  part: Pick<Summary, "fromSeq" | "toSeq" | "messages" | "users" | "tainted">,
  { text, model, at }: Pick<Summary, "text" | "model" | "at">,
): Summary {
  const words = text.trim();
  return {
    text: words,
    fromSeq: before?.fromSeq ?? part.fromSeq,
    toSeq: part.toSeq,
    messages: (before?.messages ?? 0) + part.messages,
    users: [...new Set([...(before?.users ?? []), ...part.users])],
    model,
    tokens: estimateTokens(words),
    at,
    ...((before?.tainted || part.tainted) && { tainted: true }),
  };
}
