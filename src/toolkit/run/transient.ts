// Decides which failures may pass by themselves. Pure. A wrong yes costs only a wait. For a tool that may not run twice it would cost
// more, so the caller checks that first.
import { isJsonObject } from "../read-json.ts";
import { errorMessage } from "../tool-result.ts";

/** How the tool's work ended. `aborted`: by the caller. `timeout`: names the limit that was reached. */
export type RunEnd =
  | { kind: "answered"; answer: unknown }
  | { kind: "thrown"; error: unknown }
  | { kind: "timeout"; limitMs: number }
  | { kind: "aborted" };

/** `retryAfterMs` is present only if the other side named a time. */
export type Transience = { transient: false } | { transient: true; retryAfterMs?: number };

const TRANSIENT_STATUS = new Set([408, 425, 429]);
/** workerd reports a refused or dropped connection as a plain Error with this message. */
const LOST = /network connection lost|econnreset|econnrefused|socket hang up|fetch failed/i;
/** Words that the assistants on which this is modeled look for; used only for tools that can't report it in a better way. */
const WORDS = /timeout|timed out|connection|network|temporar|rate limit|try again/i;
/** Some libraries wrap an error many times. */
const MAX_CAUSES = 8;

/** Judges one attempt; a success is never transient. `byWords`: the tool is dynamic, so its words are the only evidence. */
export function decideTransience(end: RunEnd, byWords: boolean): Transience {
  switch (end.kind) {
    case "timeout":
      return { transient: true };
    case "thrown":
      return ofThrown(end.error, byWords);
    case "answered":
      return ofAnswer(end.answer, byWords);
    case "aborted":
      return { transient: false };
  }
}

function ofThrown(error: unknown, byWords: boolean): Transience {
  const chain = readCauses(error);
  // Either we aborted it, or the tool has a bug and the same call would fail in the same way.
  if (chain.some((one) => one.name === "AbortError")) return { transient: false };
  const status = chain.map(httpStatus).find((one) => one !== null) ?? null;
  if (status !== null) return isTransientStatus(status) ? withTime(chain) : { transient: false };
  const lost = chain.some((one) => LOST.test(one.message) || one.name === "TimeoutError");
  // workerd marks errors that may be retried. An overloaded object only gets worse from a retry.
  const marked = chain.some((one) => one.retryable === true && one.overloaded !== true);
  if (lost || marked) return withTime(chain);
  if (chain.some((one) => one.name === "TypeError" || one.name === "SyntaxError")) return { transient: false };
  return byWords && WORDS.test(errorMessage(error)) ? withTime(chain) : { transient: false };
}

function ofAnswer(answer: unknown, byWords: boolean): Transience {
  if (!isJsonObject(answer)) return { transient: false };
  const { ok, success, error, retryable } = answer;
  // Read in the same way as the result later: an error without a flag is a failure.
  const isFailure = (ok ?? success ?? !error) === false;
  const isWorded = byWords && retryable === undefined && WORDS.test(String(error ?? ""));
  return isFailure && (retryable === true || isWorded) ? withTime([readCause(answer)]) : { transient: false };
}

interface Link {
  name: string;
  message: string;
  status: unknown;
  retryable: unknown;
  overloaded: unknown;
  retryAfter: unknown;
}

function readCauses(error: unknown): Link[] {
  const links: Link[] = [];
  let at = error;
  while (at !== null && typeof at === "object" && links.length < MAX_CAUSES) {
    links.push(readCause(at as Record<string, unknown>));
    at = (at as { cause?: unknown }).cause;
  }
  return links;
}

function readCause(error: Record<string, unknown>): Link {
  const { name, message, status, statusCode, retryable, overloaded, retryAfterMs, headers } = error;
  return {
    name: String(name ?? ""),
    message: String(message ?? ""),
    status: status ?? statusCode,
    retryable,
    overloaded,
    retryAfter: retryAfterMs ?? headerTime(headers),
  };
}

const httpStatus = ({ status }: Link): number | null => (Number.isInteger(status) ? Number(status) : null);

/** Whether this status means that the same request may succeed later. */
export const isTransientStatus = (status: number): boolean =>
  TRANSIENT_STATUS.has(status) || (status >= 500 && status <= 599);

/** Reads milliseconds from a header in seconds, such as `Retry-After`. Dates are not read: they would need a clock that both sides share. */
export const secondsOfHeader = (value: string | null): number | null =>
  value !== null && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : null;

const headerTime = (headers: unknown): number | null =>
  headers instanceof Headers ? secondsOfHeader(headers.get("retry-after")) : null;

function withTime(chain: Link[]): Transience {
  const time = chain.map(({ retryAfter }) => retryAfter).find((one) => typeof one === "number" && one >= 0);
  return typeof time === "number" ? { transient: true, retryAfterMs: time } : { transient: true };
}
