// One message to a server over streamable HTTP, and the messages that come back: what both eras of the protocol have in common.
// Adds the configured headers and, where a person has connected the server, the token.
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

/** The token that a person's consent has brought. */
export interface Credentials {
  /** The token to send; null: none is known here. Never rejects. */
  current(): Promise<string | null>;
  /**
   * Another token after `refused`, which the server did not accept; `challenge` is its header WWW-Authenticate. Null: there is none. Never
   * rejects.
   */
  renew(refused: string | null, challenge: string | null, signal: AbortSignal): Promise<string | null>;
}

/** A server's address, and the headers sent with every request. */
export interface McpServer {
  id: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Asked for a token when the server answers 401. Absent: it can't be connected. */
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
  /** This program's version, which servers get. */
  version: string;
}

/**
 * The result of a request. `error` may hold secrets and be as long as an answer. `code`: the protocol's error code, if the server
 * itself refused. `retryable`: nothing came back. `isBusy`: the server is up, and was asked too often. `isSignedOut`: it wants a token
 * that a person's consent has to bring.
 */
export type Reply = { ok: true; result: unknown } | (Failure & { code?: number; isBusy?: true; isSignedOut?: true });

/**
 * The result of asking in one era. `isOtherEra`: the server did not look at the request, because it speaks the other one.
 * `isKnown`: it has shown that it speaks this one.
 */
export interface Asked {
  reply: Reply;
  isOtherEra: boolean;
  isKnown: boolean;
}

/** What belongs to a call alone. */
export interface CallExtras {
  /** Headers that repeat arguments; only the newer era has them. */
  mirrored?: Readonly<Record<string, string>>;
  /** Runs when the server says that it is still at work. */
  goesOn?: (() => void) | undefined;
}

/** One way of speaking with a server. Never throws. */
export interface Era {
  ask(method: string, params: object, signal: AbortSignal, extras: CallExtras): Promise<Asked>;
}

/** A server tells the progress only of a request that names a token for it. */
export const askForProgress = (method: string, id: number): { _meta?: object } =>
  method === "tools/call" ? { _meta: { progressToken: id } } : {};

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A server that accepts none of so many tokens will accept no other. */
const MAX_TOKENS = 3;
/** An error is a sentence. */
const MAX_ERROR_BYTES = 64 * 1024;

/** The User-Agent of every request for remote tools: a Worker sends none by itself, and many doors let nobody in without one. */
export const agentName = (version: string): string => `parley/${version}`;

/**
 * Sends a message, or with null asks for a stream. Throws what the connection throws. Sends it again only if the server refused its token
 * unread.
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

/** None where the operator has set the access: what somebody gave before that is not used any more. */
const credentialsOf = ({ headers, credentials }: McpServer): Credentials | undefined =>
  new Headers(headers).has("authorization") ? undefined : credentials;

/** The server wants a token, or one that may do more. It has not looked at the request. */
const isDenied = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 403 && readChallenge(headers.get("www-authenticate")).error === "insufficient_scope");

/** The messages of an answer, as JSON or as a stream of events. `place` follows a stream. */
export async function* readAnswer(response: Response, place?: StreamPlace): AsyncGenerator<Incoming> {
  if (/text\/event-stream/i.test(response.headers.get("content-type") ?? "")) {
    for await (const data of eventData(response, MAX_ANSWER_BYTES, place)) yield* readMessages(data);
    return;
  }
  const { bytes, cut } = await readBody(response, MAX_ANSWER_BYTES);
  if (!cut) yield* readMessages(new TextDecoder().decode(bytes));
}

/** The reply to the request with this id, where the message is that. An error without an id is about the only request of its answer. */
export function replyIn(message: Incoming, id: number, serverId: string): Reply | null {
  if (!("id" in message) || (message.id ?? id) !== id || message.kind === "request") return null;
  return message.kind === "result" ? { ok: true, result: message.result } : refusedWith(message, serverId);
}

/** The reply of a server that refuses with an error of the protocol. */
export const refusedWith = ({ code, message }: { code: number; message: string }, serverId: string): Reply => ({
  ok: false,
  error: `${serverId}: ${message}`,
  code,
});

/** What is said of a server that somebody can sign in to. */
const SIGN_IN = "; whoever may use `/tools connect` can sign in to it, or allow more there";

/** A refusal in words, the protocol's error in its body (null: it has none), and the body. Throws what the connection throws. */
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
  const told = readRefusedRequest(text);
  const error = told && { ...told, message: told.message + signIn };
  const elsewhere = headers.get("location");
  const refusal = describeRefusal(serverId, response);
  const why = error
    ? `: ${error.message}`
    : elsewhere
      ? ` and names ${withoutKeys(elsewhere)} instead, where nothing is sent`
      : signIn;
  // What gave up or broke, as a proxy does after a minute, may have been at work.
  const unsure = status >= 500 ? UNKNOWN_OUTCOME : "";
  const busy = status === 429 && { isBusy: true as const };
  const signedOut = lacksAccess && status === 401 && { isSignedOut: true as const };
  return { reply: { ...refusal, error: refusal.error + why + unsure, ...busy, ...signedOut }, error, text };
}

/** The address for a message, without what may be a key: a server that redirects only to add a slash repeats its clients' own address. */
const withoutKeys = (address: string): string =>
  address.replace(/[?#].*/s, "?\u2026").replace(/(?<!\/)\/[^/]{16,}/g, "/\u2026");

/** They say who may ask and how often, and nothing about the era. */
const NO_WORD_OF_THE_ERA: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** May a server refuse with this status what belongs to an era that it does not speak? */
export const maySayOtherEra = (status: number): boolean =>
  status >= 400 && status < 500 && !NO_WORD_OF_THE_ERA.has(status);

/** What is said where a request was answered with what is no answer. */
export const unreadable = (serverId: string): Reply => ({
  ok: false,
  error: `${serverId} gave no answer that can be read${UNKNOWN_OUTCOME}`,
});

/** What is said of a server that could not be reached. */
export const lost = (serverId: string, error: unknown): string =>
  `${serverId} could not be reached: ${wholeErrorMessage(error)}`;

/** The request may have arrived, so only a caller who knows that a second run does no harm may repeat it. */
export const lostOnTheWay = (serverId: string, error: unknown): Reply => ({
  ok: false,
  error: lost(serverId, error) + UNKNOWN_OUTCOME,
  retryable: true,
});
