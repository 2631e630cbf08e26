// Named trouble with the model or with its tools, for people who want to see how it is handled. Each is an answer that replaces the local
// model's next one. Trouble with a tool begins with a call, and some of it happens at the page that the call reads.
import type { Part, ScriptStep } from "./script.ts";

/** Every kind, with the page's words for it. */
export const MISHAPS = {
  model: {
    refused: "401: the key is refused",
    limited: "429: its own limit (2 s)",
    broken: "500: it fails",
    overloaded: "503: it is overloaded",
    too_long: "400: the conversation is too long for it",
    silent: "it never answers",
    empty: "it answers with nothing",
    cut: "it breaks off in the middle",
    out_of_words: "it reaches its length limit",
    nonsense: "it answers with something that isn't a stream",
  },
  tools: {
    unknown: "a call to a tool that doesn't exist",
    half: "a call whose arguments break off",
    wrong: "a call with arguments of the wrong kind",
    twice: "the same call over and over",
    unavailable: "the page that it reads answers 503",
    throttled: "the page that it reads answers 429 (2 s)",
    hanging: "the page that it reads never answers",
    severed: "the page that it reads breaks off",
    endless: "the page that it reads is endless",
    hostile: "the page that it reads gives it orders",
  },
} as const;

/** The name of one kind. */
export type Mishap = keyof typeof MISHAPS.model | keyof typeof MISHAPS.tools;

/** The kinds that a page on the network causes (pages.ts). */
export type PageMishap = "unavailable" | "throttled" | "hanging" | "severed" | "endless" | "hostile";

const RETRY = { "retry-after": "2" };
const REPEATS = 8;

/** Returns what the local model answers. `pageUrl` gives the address of the page of that kind, which its tool then reads. */
export function answersIn(mishap: Mishap, pageUrl: (kind: PageMishap) => string): ScriptStep[] {
  switch (mishap) {
    case "refused":
      return [{ status: 401 }];
    case "limited":
      return [{ status: 429, headers: RETRY }];
    case "broken":
      return [{ status: 500 }];
    case "overloaded":
      return [{ status: 503 }];
    case "too_long": {
      const error = {
        message: "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      };
      return [{ status: 400, body: { error } }];
    }
    case "silent":
      return [{ chunks: [{ hang: true }] }];
    case "empty":
      return [{ chunks: [] }];
    case "cut":
      return [{ chunks: [{ text: "I was just about to say that" }, { waitMs: 800 }, { cut: true }] }];
    case "out_of_words":
      return [{ chunks: [{ text: "There is so much more to say, and I" }], finish: "length" }];
    case "nonsense":
      return [{ body: "<html>It works!</html>" }];
    case "unknown":
      return [call("consult_the_oracle", { question: "why?" })];
    case "half":
      return [call("roll_dice", '{"notation": "1d')];
    case "wrong":
      return [call("roll_dice", { notation: { how_many: "some" } })];
    case "twice":
      return Array.from({ length: REPEATS }, () => call("roll_dice", { notation: "1d1" }));
    default:
      return [call("fetch_url", { url: pageUrl(mishap) })];
  }
}

const call = (name: string, given: Extract<Part, { call: unknown }>["call"]["arguments"]): ScriptStep => ({
  chunks: [{ call: { name, arguments: given } }],
});
