// The texts of a turn's page in the inspector and of `npm run trace`, for the bot's owner.
import type { InspectedRequest, InspectedWait, ModelOutcome, RequestContents } from "../state/inspected.ts";
import { countedText, numberText } from "./inspector.ts";

/** How a model call ended. */
export const modelOutcomes: Record<ModelOutcome, string> = {
  answered: "answered",
  called_tools: "called tools",
  empty: "empty answer",
  failed: "failed",
  timed_out: "out of time",
  stopped: "stopped",
  cut_off: "cut off",
};

/** The kinds of waiting. */
export const waitKinds: Record<InspectedWait["kind"], string> = { queue: "In the queue", approval: "Needs approval" };
/** The kinds of requests to Discord. */
export const requestMethods: Record<InspectedRequest["method"], string> = {
  create: "create",
  edit: "edit",
  delete: "delete",
  read: "read",
};

/** The texts of a turn's page and of the terminal. */
export const turnText = {
  title: (turnId: string) => `Turn ${turnId}`,
  privateNote: "This turn is private: its times, sizes and statuses are shown, but no words.",
  reason: "Reason",
  waited: "Waited",
  delivered: "Delivered",
  notDelivered: "not (yet)",
  strangers: "Read strangers' words",
  yes: "yes",
  usage: (input: number, cached: number, output: number) =>
    `${numberText(input)} read${cached > 0 ? ` (${numberText(cached)} cached)` : ""}, ${numberText(output)} written`,
  estimated: "an estimate",
  waterfall: "What happened when",
  legend: { wait: "waiting", first: "until the first word", work: "working", fail: "failed", mark: "event" },
  takeover: "Taken over by a new life",
  stopped: "Stop",
  call: (number: number) => `call ${number}`,
  lasts: (length: string) => `${length} so far`,
  at: (length: string) => `after ${length}`,
  after: "After",
  firstWord: "First word",
  outcome: "Result",
  noOutcome: "not ended",
  retries: "Earlier tries",
  retry: (reason: string, wait: string) => `${reason}; tried again after ${wait}`,
  attempts: "Attempts",
  attempt: (error: string, took: string, wait: string) => `failed after ${took}, next try ${wait} later: ${error}`,
  cached: "from the cache",
  arguments: "Arguments",
  result: "Result",
  hidden: (size: string) => `${size}, not shown`,
  discord: "Discord",
  requests: (count: number) => countedText(count, "request"),
  requestsLeftOut: (count: number) => `Not kept: ${countedText(count, "more request")} in between.`,
  callsLeftOut: (count: number) => `Not kept: ${countedText(count, "more model call")}.`,
  media: "For pictures and sounds",
  method: "Request",
  httpStatus: "Answer",
  noAnswer: "no answer",
  limitWait: "Waited for rate limit",
  when: "When",
  took: "Took",
  conversation: "The conversation as the model saw it",
  request: (number: number, model: string) => `Request ${number} to ${model}`,
  messages: (count: number) => countedText(count, "message"),
  answer: "Its answer",
  noRows: "The messages of this request are no longer stored.",
  notRecorded: "What this request contained was not recorded.",
  bot: "bot",
  someone: "someone",
  calls: (names: string) => `calls ${names}`,
  fromTurn: "from an earlier turn",
  summary: "a summary of older messages",
  whole: (chars: number) => `Show ${countedText(chars, "character")}`,
  chars: (count: number) => countedText(count, "character"),
  cut: (size: string) => `only the beginning of ${size}`,
  thoughts: "Thoughts",
  reply: "The reply in Discord",
  message: (number: number) => `Message ${number}`,
  unsent: (number: number) => `Message ${number} has no known id.`,
  noMessages: "No part of the reply is in Discord.",
  timeline: "Timeline",
  event: "Event",
  detail: "Detail",
};

/** Describes what one request to a model had besides its messages, in short parts. */
export function contentsText(contents: RequestContents, cached: number): string[] {
  const { leftOutRows, hasSummary, notesChars, overheardLines, tools, estimatedTokens } = contents;
  return [
    leftOutRows > 0 ? `${countedText(leftOutRows, "older message")} left out` : "",
    hasSummary ? turnText.summary : "",
    notesChars > 0 ? `${countedText(notesChars, "character")} of notes` : "",
    overheardLines > 0 ? countedText(overheardLines, "overheard line") : "",
    countedText(tools, "tool"),
    `about ${countedText(estimatedTokens, "token")}`,
    cached > 0 ? `${countedText(cached, "token")} cached` : "",
  ].filter((part) => part !== "");
}
