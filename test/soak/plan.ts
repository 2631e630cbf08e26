// What happens in a soak, given by a seed: which question comes when, how the model answers each request, and what goes wrong. Pure.
import type { ScriptStep } from "../../src/playground/model/script.ts";
import { seededRandom } from "../faults/plan.ts";

/** One question of the soak. */
export interface Question {
  number: number;
  channel: number;
  person: number;
  /** How long after the question somebody stops what runs in the channel; null: nobody does. */
  stopAfterMs: number | null;
  tool: "count" | "read" | null;
  characters: number;
}

/** What the model does wrong with one request. */
export type ModelFault = "error" | "limit" | "cut" | "stall";

const PRIME = 7919;
/** Shares of the questions, and of the model's requests. */
const STOPS = 0.02;
const COUNTS = 0.2;
const READS = 0.3;
const LONG = 0.03;
const MODEL_FAULTS: readonly (readonly [ModelFault, number])[] = [
  ["error", 0.02],
  ["limit", 0.01],
  ["cut", 0.02],
  ["stall", 0.005],
];
const MOST_STOP_MS = 2000;
const SHORT_CHARACTERS = [40, 1200] as const;
const LONG_CHARACTERS = [2500, 8000] as const;
const PIECES = 8;
const MOST_PAUSE_MS = 60;
/** The people of one channel; each may ask five times a minute. */
const PEOPLE = 20;

const between = (random: number, [from, to]: readonly [number, number]) => Math.floor(from + random * (to - from));

/** Makes the question with this number. The same seed gives the same question. */
export function questionOf(seed: number, number: number, channels: number): Question {
  const random = seededRandom(seed * PRIME + number);
  const [where, who, stops, tool, isLong, length] = [random(), random(), random(), random(), random(), random()];
  return {
    number,
    channel: Math.floor(where * channels),
    person: Math.floor(who * PEOPLE),
    stopAfterMs: stops < STOPS ? (stops / STOPS) * MOST_STOP_MS : null,
    tool: tool < COUNTS ? "count" : tool < READS ? "read" : null,
    characters: between(length, isLong < LONG ? LONG_CHARACTERS : SHORT_CHARACTERS),
  };
}

/** What marks a question and its answer. */
export const askedAs = (number: number): string => `Question q${number}q, please.`;
export const beginOf = (number: number): string => `Answer b${number}b begins.`;
export const endOf = (number: number): string => `Answer e${number}e ends.`;

/** Reads the number of the newest question in a text; null if there is none. */
export function numberIn(text: string): number | null {
  const found = [...text.matchAll(/q(\d+)q/g)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

/** The whole answer to a question. */
export function answerTo({ number, characters }: Question): string {
  const filler = "The sea was calm that day, and nobody asked why. ";
  return `${beginOf(number)} ${filler.repeat(Math.ceil(characters / filler.length))}${endOf(number)}`;
}

/** How the model answers the nth request of a question, and what it does wrong; nothing if it may not fail. */
export function stepOf(
  seed: number,
  question: Question,
  nth: number,
  hasResult: boolean,
  mayFail = true,
): { step: ScriptStep; fault: ModelFault | null } {
  const random = seededRandom((seed * PRIME + question.number) * PRIME + nth);
  let chance = random();
  let fault: ModelFault | null = null;
  for (const [kind, share] of MODEL_FAULTS) {
    if (mayFail && chance >= 0 && chance < share) fault = kind;
    chance -= share;
  }
  if (fault === "error") return { step: { status: 500 }, fault };
  if (fault === "limit") return { step: { status: 429, headers: { "retry-after": "1" } }, fault };
  if (question.tool && !hasResult)
    return { step: { chunks: [{ call: { name: question.tool, arguments: {} } }] }, fault: null };
  const text = answerTo(question);
  const size = Math.ceil(text.length / PIECES);
  const pieces = Array.from({ length: PIECES }, (_, index) => ({ text: text.slice(index * size, (index + 1) * size) }));
  const chunks = pieces.flatMap((piece) => [piece, { waitMs: Math.floor(random() * MOST_PAUSE_MS) }]);
  if (fault === "cut") return { step: { chunks: [...chunks.slice(0, PIECES), { cut: true }] }, fault };
  if (fault === "stall") return { step: { chunks: [...chunks.slice(0, PIECES), { hang: true }] }, fault };
  return { step: { chunks }, fault: null };
}

/** The kinds of weather (faults of Discord) that a request can meet. */
export const WEATHER = ["limited", "shared", "global", "proxy", "outage", "cut", "cut_after", "slow"] as const;
const WEATHER_SHARE = 0.02;

/** The kind of weather for this random number; null: none. */
export function weatherFor(chance: number): (typeof WEATHER)[number] | null {
  return chance < WEATHER_SHARE ? (WEATHER[Math.floor((chance / WEATHER_SHARE) * WEATHER.length)] ?? null) : null;
}
