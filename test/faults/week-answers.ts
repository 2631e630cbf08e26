// How the model answers in a random week: by the last word of a question, and with its mark at the beginning and the end, so that
// outage-rules.ts can see which parts of an answer are there.
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { OutageHarness } from "../support/outage-harness.ts";
import type { Answer } from "../support/scripted-model.ts";
import { markIn, markOf, questionIn, REMOTELY, turnsOf } from "./outage-rules.ts";

/** The answers by the word with which a question ends. */
export const KINDS = ["briefly", "slowly", "long", "longest", "dangerously"] as const;
const PARAGRAPHS: Readonly<Record<string, number>> = { long: 70, longest: 400 };
/** An answer comes in at most this many pieces, however long it is. */
const PIECES = 80;

/** Answers the last question. */
export function answerTo(request: ModelRequest): Answer {
  const { text, mark } = questionIn(request);
  return answerToText(request, text, mark);
}

/** Answers each question of the running turn; others may have joined it. */
export function answerToAll({ database }: OutageHarness["world"], request: ModelRequest): Answer {
  const turns = turnsOf(database);
  const running = turns.find(({ state }) => state === "running");
  const meant = turns.filter(
    ({ id, steers, status }) => running && (id === running.id || (steers === running.id && status === "steered")),
  );
  const asked = request.messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
  const answers = meant.flatMap((turn) => {
    const mark = markOf(turn);
    const text = asked.findLast((one) => markIn(one) === mark || one.includes(`:${mark}`));
    return text === undefined ? [] : [answerToText(request, text, mark)];
  });
  // This is the request for notes.
  if (answers.length === 0) return answerTo(request);
  const asksTool = answers.find(({ calls }) => calls);
  return asksTool ?? { ...answers.at(-1), texts: answers.flatMap(({ texts = [] }) => texts) };
}

/** Makes an answer that begins with `A` and the mark and ends with `E` and the mark; each paragraph in between has a number. */
function answerToText({ messages }: ModelRequest, text: string, mark = "none"): Answer {
  const kind = /(\w+)\W*$/.exec(text)?.[1] ?? "";
  if (kind === "dangerously" && messages.at(-1)?.role !== "tool")
    return { texts: ["Let me see."], calls: [{ name: "purge", args: { note: mark } }] };
  if (kind === REMOTELY && messages.at(-1)?.role !== "tool")
    return { texts: ["I ask there."], calls: [{ name: "remote_send", args: { note: mark } }] };
  const count = PARAGRAPHS[kind] ?? 1;
  const paragraphs = Array.from({ length: count }, (_, n) => `${n}P${mark} ${"lorem ipsum ".repeat(7)}\n\n`);
  const size = Math.ceil(count / PIECES);
  const pieces = paragraphs.flatMap((_, n) => (n % size === 0 ? [paragraphs.slice(n, n + size).join("")] : []));
  return { texts: [`A${mark} `, ...pieces, `E${mark}`], ...(kind === "slowly" && { pauseMs: 20_000 }) };
}
