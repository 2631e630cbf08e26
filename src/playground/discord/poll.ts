// Polls (docs: resources/poll): the rules that are missing in Discord's spec, how a poll is stored, and its JSON.
import type { Fault } from "./errors.ts";

/** A poll in a request that matches its schema. `duration` is in hours. */
export interface WirePoll {
  question: { text?: string | null };
  answers: { poll_media: { text?: string | null } }[];
  duration?: number | null;
  allow_multiselect?: boolean | null;
}

/** A poll on a message. */
export interface Poll {
  question: string;
  answers: string[];
  expiresAt: number;
  mayChooseSeveral: boolean;
}

const MAX_ANSWER = 55;
const DEFAULT_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Lists the faults that the schema does not find. */
export function pollFaults({ question, answers }: WirePoll): Fault[] {
  const required = (path: Fault["path"], text: string | null | undefined): Fault[] =>
    text?.trim() ? [] : [{ path, code: "BASE_TYPE_REQUIRED", message: "This field is required" }];
  return [
    ...required(["poll", "question", "text"], question.text),
    ...answers.flatMap(({ poll_media: { text } }, n): Fault[] => {
      const path = ["poll", "answers", n, "poll_media", "text"];
      const isLong = [...(text ?? "")].length > MAX_ANSWER;
      return isLong
        ? [{ path, code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${MAX_ANSWER} or fewer in length.` }]
        : required(path, text);
    }),
  ];
}

/** Builds the poll of a new message. */
export const buildPoll = (poll: WirePoll, now: number): Poll => ({
  question: poll.question.text ?? "",
  answers: poll.answers.map(({ poll_media: { text } }) => text ?? ""),
  expiresAt: now + (poll.duration ?? DEFAULT_HOURS) * HOUR_MS,
  mayChooseSeveral: poll.allow_multiselect ?? false,
});

/** Builds Discord's poll object. */
export const pollJson = ({ question, answers, expiresAt, mayChooseSeveral }: Poll): Record<string, unknown> => ({
  question: { text: question },
  answers: answers.map((text, n) => ({ answer_id: n + 1, poll_media: { text } })),
  expiry: new Date(expiresAt).toISOString(),
  allow_multiselect: mayChooseSeveral,
  layout_type: 1,
});
