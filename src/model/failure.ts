// Turns a failed model call into a reason, and words for the log and for moderators that contain no secret.
import type { ModelFailure } from "../core/state/ending.ts";
import { ABORTED, ConnectionError } from "./chat-stream.ts";
import { cleanMessage } from "./clean-message.ts";
import { decideReason } from "./failure-reason.ts";
import { ProviderError } from "./refused-request.ts";

const MAX_CODE_CHARS = 60;
const MAX_CAUSES = 4;
/** No limit lasts longer than a month; a longer wait is a mistake. */
const MAX_WAIT_MS = 31 * 86_400_000;
/** Codes of a connection that was made and then broke (Node). */
const BROKEN: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Returns the failure for an error of a model call; `secrets` are removed from its words. */
export function failureFrom(error: unknown, signal: AbortSignal, secrets: readonly string[]): ModelFailure {
  if (signal.aborted) return ABORTED;
  if (error instanceof SyntaxError) return { reason: "bad_stream", message: error.message };
  const clean = (text: string) => cleanMessage(text, secrets);
  if (!(error instanceof ProviderError)) return connectionFailure(error, clean);
  const { status, code, message, retryAfterMs, resetAt } = error.facts;
  return {
    reason: decideReason(error.facts),
    message: clean(message),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code: clean(code).slice(0, MAX_CODE_CHARS) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...readRetryAfter(error.headers, resetAt),
  };
}

/** Describes a connection that was never made or that broke. Only its causes say why (Node). */
function connectionFailure(error: unknown, clean: (text: string) => string): ModelFailure {
  const causes: (Error & { code?: unknown })[] = [];
  for (let one = error; one instanceof Error && causes.length < MAX_CAUSES; one = one.cause) causes.push(one);
  const message = clean(causes.map(({ message }) => message).join(": ") || String(error));
  const code = causes.map((one) => one.code).find((one) => typeof one === "string");
  const known = { message, ...(code !== undefined && { code: clean(String(code)) }) };
  if (error instanceof ConnectionError && !BROKEN.has(code)) return { reason: "unreachable", ...known };
  // workerd reports a cut connection as a plain Error.
  const isCut = error instanceof ConnectionError || /network|connection|socket|terminated/i.test(message);
  return { reason: isCut ? "network" : "unknown", ...known };
}

/**
 * Reads how long to wait: milliseconds (OpenAI, Azure), seconds, or a time (RFC 9110; in the body, OpenRouter). A time is compared with the
 * server's own clock, because ours may differ.
 */
function readRetryAfter(headers: Headers, resetAt = Number.NaN): { retryAfterMs?: number } {
  const exact = Number(headers.get("retry-after-ms") || "never");
  const value = headers.get("retry-after") || "never";
  const isTime = value.endsWith("GMT");
  const sentAt = Date.parse(headers.get("date") ?? "");
  const rough = isTime ? Date.parse(value) - sentAt : Number(value) * 1000;
  const ms = [exact, rough, resetAt - sentAt].find((one) => Number.isFinite(one) && one >= 0);
  return ms === undefined ? {} : { retryAfterMs: Math.min(Math.ceil(ms), MAX_WAIT_MS) };
}
