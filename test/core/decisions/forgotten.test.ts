// What forgetting does with each key of a stored turn. A new key does not compile here until somebody has decided whether it may have words.
import { expect, it } from "vitest";
import { withoutWords } from "../../../src/core/decisions/forgotten.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";

/** `stays`: it can't contain words, names or tokens. `loses`: these are removed from it. `goes`: it is deleted. */
const FATES: Readonly<Record<keyof TurnRecord, "stays" | "loses" | "goes">> = {
  id: "stays",
  state: "stays",
  queuePosition: "stays",
  request: "loses",
  followUp: "stays",
  waited: "stays",
  approval: "goes",
  renewal: "stays",
  undelivered: "goes",
  unheard: "stays",
  forgotten: "goes",
  askedAgain: "stays",
  steers: "stays",
  createdAt: "stays",
  startedAt: "stays",
  endedAt: "stays",
  instance: "stays",
  epoch: "stays",
  phase: "stays",
  checkpoint: "loses",
  currentToolCall: "stays",
  iteration: "stays",
  modelIndex: "stays",
  enrichment: "loses",
  exposure: "goes",
  usage: "stays",
  taint: "stays",
  toolCalls: "stays",
  thoughts: "goes",
  takeoversWithoutProgress: "stays",
  takeovers: "stays",
  progressAtTakeover: "stays",
  softWarnAt: "stays",
  warnedAt: "stays",
  toolDeadlineAt: "stays",
  deadlineAt: "stays",
  stop: "loses",
  voice: "goes",
  parts: "stays",
  threadSince: "stays",
  threadId: "stays",
  // Its token may still be needed to delete the messages.
  removal: "stays",
  ping: "stays",
  status: "stays",
  refusal: "loses",
  events: "loses",
  requests: "stays",
};

const SECRET = "what somebody wrote";
const FULL: Readonly<Record<string, unknown>> = {
  request: {
    interactionId: "1",
    userId: "20",
    text: SECRET,
    userName: SECRET,
    token: SECRET,
    persona: { name: SECRET },
  },
  checkpoint: { kind: "send", ending: { status: "stopped_by_user", by: SECRET }, chars: 1 },
  enrichment: { withdrawnTools: [], items: [{ text: SECRET }], metadata: false },
  refusal: { reason: "unknown_persona", name: SECRET, known: [] },
  events: [{ at: 1, what: "stop", detail: SECRET }],
};

it("a forgotten turn has no words in any key, and keeps the keys that can't have any", () => {
  const keys = Object.keys(FATES) as (keyof TurnRecord)[];
  const turn = keys.map((key) => [key, FULL[key] ?? (FATES[key] === "stays" ? `${key} as it was` : SECRET)]);
  const left = withoutWords(Object.fromEntries(turn) as TurnRecord);
  expect(JSON.stringify(left)).not.toContain(SECRET);
  const fates = keys.map((key) => [
    key,
    !(key in left) ? "goes" : (left[key] as unknown) === `${key} as it was` ? "stays" : "loses",
  ]);
  expect(Object.fromEntries(fates)).toEqual(FATES);
});
