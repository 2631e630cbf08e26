// What the page's side panel shows: the requests to Discord, with their validity, and those to the model: the newest of each in short, and
// single ones in full. Changes nothing.
import type { LocalDiscord } from "./discord/local-discord.ts";
import type { LocalModel, ModelLogEntry } from "./model/model.ts";
import type { WatchedCall, WatchedRequest } from "./page/panel/watched.ts";

/** Reads both lists. */
export interface Watching {
  /** The newest requests, newest first. */
  requests(): WatchedRequest[];
  /** The newest calls, newest first. */
  calls(): WatchedCall[];
  /** One request with its body, and with the refusal if it was malformed. Undefined: too old, or never there. */
  request(n: number): object | undefined;
  /** One call with its body. */
  call(n: number): ModelLogEntry | undefined;
}

const MOST = 150;
const WORDS = 120;
/** Matches the `where` of violations that are requests; others are something else that the bot sent. */
const IS_REQUEST = /^[A-Z]+ \//;

/** Watches a world. An entry gets its number when it is first read. */
export function watch(discord: LocalDiscord, model: LocalModel): Watching {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  const numberOf = (entry: object): number => {
    const n = numbers.get(entry) ?? ++last;
    numbers.set(entry, n);
    return n;
  };
  // Two requests at the same moment differ in their bodies.
  const refusalOf = (entry: LocalDiscord["log"][number]) =>
    discord.violations.find(
      ({ at, where, body }) => at === entry.at && body === entry.body && where === `${entry.method} ${entry.path}`,
    )?.refusal;
  return {
    requests() {
      const sent = discord.log.slice(-MOST).map((entry): WatchedRequest => {
        const { at, method, path, status, code, body } = entry;
        return {
          n: numberOf(entry),
          at,
          method,
          path,
          status,
          code,
          fault: refusalOf(entry) !== undefined,
          words: wordsOf(body),
        };
      });
      const others = discord.violations.slice(-MOST).filter(({ where }) => !IS_REQUEST.test(where));
      const inline = others.map(({ at, where, refusal: { status }, body }): WatchedRequest => {
        return { n: null, at, method: "—", path: where, status, code: null, fault: true, words: wordsOf(body) };
      });
      return [...sent, ...inline]
        .reverse()
        .sort((one, other) => other.at - one.at)
        .slice(0, MOST);
    },
    calls: () =>
      model.log
        .slice(-MOST)
        .map((entry) => ({ n: numberOf(entry), at: entry.at, status: entry.status, ...describeCall(entry) }))
        .reverse(),
    request(n) {
      const entry = discord.log.find((one) => numbers.get(one) === n);
      return entry && { ...entry, refusal: refusalOf(entry)?.body };
    },
    call: (n) => model.log.find((one) => numbers.get(one) === n),
  };
}

function describeCall({ body, aborted, finished, status }: ModelLogEntry): Omit<WatchedCall, "n" | "at" | "status"> {
  const { messages = [], tools = [] } = (isObject(body) ? body : {}) as { messages?: unknown[]; tools?: unknown[] };
  const newest = messages.at(-1);
  return {
    state: status >= 400 ? "failed" : finished ? "finished" : aborted ? "left" : "running",
    messages: messages.length,
    tools: tools.length,
    newest: isObject(newest) ? `${newest.role}: ${short(newest.content)}` : "",
  };
}

/** Returns the text of a message, or of the message in an answer to an interaction. */
function wordsOf(body: unknown): string {
  if (!isObject(body)) return "";
  return short(body.content ?? (isObject(body.data) ? body.data.content : undefined));
}

const short = (words: unknown): string =>
  (typeof words === "string" ? words : words === undefined ? "" : JSON.stringify(words))
    .replace(/\s+/g, " ")
    .slice(0, WORDS);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
