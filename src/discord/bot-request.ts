// One request with the bot's own token, for what is no message of a reply, and its failure in words. Decides over no retry.
import { type RestPorts, type RestResult, refusalOf } from "./rest.ts";

/** What such a request brings. A `reason` stands in the server's audit log. */
export interface BotRequest {
  method: "GET" | "PUT" | "POST";
  path: string;
  body?: object;
  reason?: string;
  signal: AbortSignal;
}

/** The JSON that came back (null for an empty answer), or why none did. */
export type BotAnswer = { ok: true; json: unknown } | BotFailure;
export type BotFailure = { ok: false; error: string; retryable?: boolean; retryAfterMs?: number };

/** Sends one request; the signal closes it. Never throws. */
export async function botRequest(ports: RestPorts, request: BotRequest): Promise<BotAnswer> {
  const { method, path, body, reason, signal } = request;
  const headers: Record<string, string> = {
    "User-Agent": ports.userAgent,
    Authorization: `Bot ${ports.botToken}`,
    ...(body ? { "Content-Type": "application/json" } : {}),
    // A header takes no other letters than Latin ones, so Discord reads this one percent-encoded.
    ...(reason === undefined ? {} : { "X-Audit-Log-Reason": encodeURIComponent(reason).slice(0, MAX_REASON_CHARS) }),
  };
  try {
    const init: RequestInit = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await ports.fetch(ports.baseUrl + path, init);
    const text = await response.text();
    if (!response.ok) return failureOf(refusalOf(response, text));
    return { ok: true, json: text === "" ? null : JSON.parse(text) };
  } catch (error) {
    if (signal.aborted) return { ok: false, error: "the request was ended" };
    return failureOf({ ok: false, kind: "unreachable", text: String(error) });
  }
}

const MAX_REASON_CHARS = 512;

/** What Discord's codes mean for the one who asked (docs: topics/opcodes-and-status-codes). */
const WORDS: Record<number, string> = {
  10003: "this channel does not exist any more",
  10008: "there is no such message in this channel",
  10013: "there is no such person",
  10014: "Discord knows no such emoji",
  30003: "this channel has as many pinned messages as it may have",
  30010: "the message has as many different reactions as it may have",
  50001: "the bot is no member here or may not see this channel",
  50013: "the bot lacks the permission for this here; somebody with Manage Roles can give it",
  50024: "this can't be done in this kind of channel",
  90001: "the author of the message has blocked the bot",
  160004: "there is a thread on this message already",
  160005: "this thread is locked",
  160006: "this server has as many active threads as it may have",
};

function failureOf(refusal: Exclude<RestResult, { ok: true }>): BotFailure {
  if (refusal.kind === "unreachable" || refusal.status >= 500)
    return { ok: false, error: "Discord could not be reached", retryable: true };
  const { status, code, limit, text } = refusal;
  const retryAfterMs = limit?.retryAfterMs ?? null;
  if (status === 429)
    return {
      ok: false,
      error: "Discord limits our requests",
      retryable: true,
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  return { ok: false, error: WORDS[code] ?? `Discord refused this: ${text}` };
}
