// Sends one message to a server over streamable HTTP, and reads the messages that come back: what both eras of the protocol have in
// common. Adds the configured headers and, if a person has connected the server, the token.
import type { Failure } from "../toolkit/define/channel-actions.ts";
import { describeRefusal, readBody } from "../toolkit/run/http-answer.ts";
import { UNKNOWN_OUTCOME, wholeErrorMessage } from "../toolkit/tool-result.ts";
import { eventData, type StreamPlace } from "./event-stream.ts";
import {
  type Incoming,
  type Outgoing,
  type RefusedRequest,
  readMessages,
  readRefusedRequest,
  written,
} from "./json-rpc.ts";
import type { After } from "./limit.ts";
import { readChallenge } from "./oauth/challenge.ts";

/** The token that a person's consent gave us. */
export interface Credentials {
  /** Returns the token to send; null: none is known here. Never rejects. */
  current(): Promise<string | null>;
  /**
   * Returns another token after `refused`, which the server did not accept; `challenge` is its WWW-Authenticate header. Null: there is none.
   * Never rejects.
   */
  renew(refused: string | null, challenge: string | null, signal: AbortSignal): Promise<string | null>;
}

/** A server's address, and the headers sent with every request. */
export interface McpServer {
  id: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Used to get a token when the server answers 401. Absent: nobody can connect it. */
  credentials?: Credentials;
  /** Every token that is sent is added here. */
  sent?: Set<string>;
}

/** What a session needs from outside. */
export interface McpOutside {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  after: After;
  /** Registers work that outlives its caller. */
  keepAlive: (work: Promise<void>) => void;
  /** This program's version, which is sent to servers. */
  version: string;
}

/**
 * The result of a request. `error` may contain secrets and be as long as an answer. `code`: the protocol's error code, if the server itself
 * refused. `retryable`: nothing came back. `isBusy`: the server is up, but was asked too often. `isSignedOut`: it wants a token, for which a
 * person must consent.
 */
export type Reply = { ok: true; result: unknown } | (Failure & { code?: number; isBusy?: true; isSignedOut?: true });

/**
 * The result of asking in one era. `isOtherEra`: the server did not look at the request, because it speaks the other era. `isKnown`: it has shown
 * that it speaks this one.
 */
export interface Asked {
  reply: Reply;
  isOtherEra: boolean;
  isKnown: boolean;
}

/** What only calls have. */
export interface CallExtras {
  /** Headers that repeat arguments; only the newer era has them. */
  mirrored?: Readonly<Record<string, string>>;
  /** Runs when the server says that it is still working. */
  goesOn?: (() => void) | undefined;
}

/** One way of talking to a server. Never throws. */
export interface Era {
  ask(method: string, params: object, signal: AbortSignal, extras: CallExtras): Promise<Asked>;
}

/** Adds the token for progress. A server reports progress only for a request that names one. */
export const askForProgress = (method: string, id: number): { _meta?: object } =>
  method === "tools/call" ? { _meta: { progressToken: id } } : {};

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A server that accepts none of this many tokens will not accept another. */
const MAX_TOKENS = 3;
/** An error is a sentence, so it needs no more. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Returns the User-Agent of every request for remote tools: a Worker sends none by itself, and many servers refuse requests without one. */
export const agentName = (version: string): string => `parley/${version}`;

/**
 * Sends a message or, with null, requests a stream. Throws what the connection throws. Sends it again only if the server refused its token
 * without reading the message.
 */
export async function send(
  server: McpServer,
  outside: Pick<McpOutside, "fetch" | "version">,
  message: Outgoing | null,
  own: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const { url, headers: configured, sent } = server;
  const credentials = credentialsOf(server);
  const init = message ? { method: "POST", body: written(message) } : { method: "GET" };
  const usual = message
    ? { accept: "application/json, text/event-stream", "content-type": "application/json" }
    : { accept: "text/event-stream" };
  const attempt = (token: string | null) => {
    const headers = new Headers(configured);
    if (!headers.has("user-agent")) headers.set("user-agent", agentName(outside.version));
    for (const [name, value] of Object.entries({ ...usual, ...own })) headers.set(name, value);
    if (token !== null) {
      headers.set("authorization", `Bearer ${token}`);
      sent?.add(token);
    }
    // A redirect would carry the headers to another server.
    return outside.fetch(url, { ...init, headers, redirect: "manual", signal });
  };
  let token = (await credentials?.current()) ?? null;
  let response = await attempt(token);
  for (let tokens = 0; credentials && isDenied(response) && tokens < MAX_TOKENS; tokens++) {
    const next = await credentials.renew(token, response.headers.get("www-authenticate"), signal);
    if (next === null || next === token) break;
    await response.body?.cancel();
    token = next;
    response = await attempt(token);
  }
  return response;
}

/** Returns the credentials; none if the operator has configured the access: whatever somebody gave before that is no longer used. */
const credentialsOf = ({ headers, credentials }: McpServer): Credentials | undefined =>
  new Headers(headers).has("authorization") ? undefined : credentials;

/** Whether the server wants a token, or one with more rights. It has not looked at the request. */
const isDenied = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 403 && readChallenge(headers.get("www-authenticate")).error === "insufficient_scope");

/** Reads the messages of an answer, as JSON or as a stream of events. `place` follows a stream. */
export async function* readAnswer(response: Response, place?: StreamPlace): AsyncGenerator<Incoming> {
  if (/text\/event-stream/i.test(response.headers.get("content-type") ?? "")) {
    for await (const data of eventData(response, MAX_ANSWER_BYTES, place)) yield* readMessages(data);
    return;
  }
  const { bytes, cut } = await readBody(response, MAX_ANSWER_BYTES);
  if (!cut) yield* readMessages(new TextDecoder().decode(bytes));
}

/**
 * Returns the reply to the request with this id, or null if the message is something else. An error without an id belongs to the only request of
 * its answer.
 */
export function replyIn(message: Incoming, id: number, serverId: string): Reply | null {
  if (!("id" in message) || (message.id ?? id) !== id || message.kind === "request") return null;
  return message.kind === "result" ? { ok: true, result: message.result } : refusedWith(message, serverId);
}

/** Builds the reply for a server that refuses with an error of the protocol. */
export const refusedWith = ({ code, message }: { code: number; message: string }, serverId: string): Reply => ({
  ok: false,
  error: `${serverId}: ${message}`,
  code,
});

/** Added for a server to which somebody can sign in. */
const SIGN_IN = "; anyone who may use `/tools connect` can sign in to it or allow more there";

/** Reads a refusal: its words, the protocol's error in its body (null: it has none), and the body. Throws what the connection throws. */
export async function readRefused(
  server: McpServer,
  response: Response,
): Promise<{ reply: Reply; error: RefusedRequest | null; text: string }> {
  const { id: serverId } = server;
  const { status, headers } = response;
  const isOurs = status >= 400 && status < 500;
  const text = isOurs ? new TextDecoder().decode((await readBody(response, MAX_ERROR_BYTES)).bytes) : "";
  if (!isOurs) await response.body?.cancel();
  const lacksAccess = credentialsOf(server) !== undefined && isDenied(response);
  const signIn = lacksAccess ? SIGN_IN : "";
  const found = readRefusedRequest(text);
  const error = found && { ...found, message: found.message + signIn };
  const elsewhere = headers.get("location");
  const refusal = describeRefusal(serverId, response);
  const why = error
    ? `: ${error.message}`
    : elsewhere
      ? ` and points to ${withoutKeys(elsewhere)}, where nothing was sent`
      : signIn;
  // A server that gave up or broke, or a proxy that did so after a minute, may have been working on the request.
  const unsure = status >= 500 ? UNKNOWN_OUTCOME : "";
  const busy = status === 429 && { isBusy: true as const };
  const signedOut = lacksAccess && status === 401 && { isSignedOut: true as const };
  return { reply: { ...refusal, error: refusal.error + why + unsure, ...busy, ...signedOut }, error, text };
}

/**
 * Returns the address for a message, without parts that may be keys: a server that redirects only to add a slash repeats its clients' own
 * address.
 */
const withoutKeys = (address: string): string =>
  address.replace(/[?#].*/s, "?\u2026").replace(/(?<!\/)\/[^/]{16,}/g, "/\u2026");

/** These statuses concern who may ask and how often, and say nothing about the era. */
const NO_WORD_OF_THE_ERA: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** Whether a server may use this status to refuse a request of an era that it does not speak. */
export const maySayOtherEra = (status: number): boolean =>
  status >= 400 && status < 500 && !NO_WORD_OF_THE_ERA.has(status);

/** Builds the reply for a response that is not an answer. */
export const unreadable = (serverId: string): Reply => ({
  ok: false,
  error: `${serverId} gave no readable answer${UNKNOWN_OUTCOME}`,
});

/** Describes a server that could not be reached. */
export const lost = (serverId: string, error: unknown): string =>
  `${serverId} could not be reached: ${wholeErrorMessage(error)}`;

/** Builds the reply for a lost connection. The request may have arrived, so only a caller who knows that a second run does no harm may repeat it. */
export const lostOnTheWay = (serverId: string, error: unknown): Reply => ({
  ok: false,
  error: lost(serverId, error) + UNKNOWN_OUTCOME,
  retryable: true,
});
