// One server over streamable HTTP: the handshake, requests and their answers, as JSON or as a stream of events. Implements only
// what a client of tools needs, instead of using the official client, which would add 60 KB to the bundle and brings features
// that a Worker can't use.
//
// It opens no stream for the server to speak on, because that would keep an idle object in memory, and billed. So a server can
// speak only while a call is in progress, and its tool list is requested again after ten minutes at the latest. Nor does it end a
// session explicitly, because an object does not learn that it is about to be evicted; servers end idle sessions themselves.
import { readBody, readRefusal } from "../toolkit/run/http-answer.ts";
import { untilAborted } from "../toolkit/run/until-aborted.ts";
import { wholeErrorMessage } from "../toolkit/tool-result.ts";
import { eventData } from "./event-stream.ts";
import { type Incoming, type Outgoing, readMessages, written } from "./json-rpc.ts";
import { type After, withLimit } from "./limit.ts";

/** A server's address, and the headers sent with every request. */
export interface McpServer {
  id: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** What a session needs from outside. */
export interface McpOutside {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  after: After;
  /** Registers work that outlives its caller. */
  keepAlive: (work: Promise<void>) => void;
  /** This program's version, for the handshake. */
  version: string;
}

/**
 * The result of a request. `error` may hold secrets and be as long as an answer. `code`: the protocol's error code, if the server
 * itself refused. `retryable`: nothing came back.
 */
export type Reply =
  | { ok: true; result: unknown }
  | { ok: false; error: string; code?: number; retryable?: boolean; retryAfterMs?: number };

/** A conversation with one server. It begins by itself, and begins again when the server has forgotten it. */
export interface McpSession {
  /**
   * Sends one request; sends it a second time only if the server refused to look at the first. Never throws. Aborting closes the
   * connection and tells the server that the answer is no longer wanted.
   */
  request(method: string, params: object, signal: AbortSignal): Promise<Reply>;
}

interface Session {
  /** Null: the server has no sessions. */
  id: string | null;
  version: string;
}

/** The result of one attempt. `isForgotten`: the server does not know the session. */
interface Asked {
  reply: Reply;
  isForgotten: boolean;
}

/** How long a server that is down delays its first caller, in milliseconds. */
export const CONNECT_LIMIT_MS = 15_000;
const NOTICE_LIMIT_MS = 5000;
/** Requests of the server that are answered while one of ours is under way: each answer is a request of its own. */
export const MAX_ANSWERED_REQUESTS = 10;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Newest first. We use nothing that differs between them. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const METHOD_NOT_FOUND = -32601;

/** Makes a session. `onListChanged` runs when the server's tools may have changed. */
export function createSession(server: McpServer, outside: McpOutside, onListChanged: () => void): McpSession {
  let session: Session | null = null;
  let lastId = 0;

  const post = (message: Outgoing, signal: AbortSignal, within = session): Promise<Response> => {
    const headers = new Headers(server.headers);
    headers.set("accept", "application/json, text/event-stream");
    headers.set("content-type", "application/json");
    if (within) headers.set("mcp-protocol-version", within.version);
    if (within?.id) headers.set("mcp-session-id", within.id);
    // A redirect would carry the headers to another server.
    return outside.fetch(server.url, { method: "POST", body: written(message), headers, redirect: "manual", signal });
  };

  /** Sends a message without waiting for its answer. */
  const notify = (message: Outgoing) => {
    const limit = withLimit(null, NOTICE_LIMIT_MS, outside.after);
    const posted = post(message, limit.signal).then((response) => response.body?.cancel());
    const sent = untilAborted(limit.signal, posted);
    outside.keepAlive(sent.catch(() => {}).finally(limit.release));
  };

  const hear = (message: Incoming, mayAnswer: boolean) => {
    if (message.kind === "notification" && message.method === "notifications/tools/list_changed") onListChanged();
    if (message.kind !== "request" || !mayAnswer) return;
    const { id, method } = message;
    if (method === "ping") notify({ id, result: {} });
    else notify({ id, error: { code: METHOD_NOT_FOUND, message: "this client offers nothing" } });
  };

  const answerTo = async (id: number, response: Response): Promise<Reply> => {
    let asked = 0;
    for await (const message of readAnswer(response)) {
      if (message.kind === "result" && message.id === id) return { ok: true, result: message.result };
      if (message.kind === "error" && message.id === id)
        return { ok: false, error: `${server.id}: ${message.message}`, code: message.code };
      if (message.kind === "request") asked++;
      hear(message, asked <= MAX_ANSWERED_REQUESTS);
    }
    return { ok: false, error: `${server.id} gave no answer that can be read; whether it did anything is unknown` };
  };

  const connect = async (signal: AbortSignal): Promise<Reply> => {
    session = null;
    const clientInfo = { name: "parley", version: outside.version };
    const params = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo };
    const id = ++lastId;
    const response = await post({ id, method: "initialize", params }, signal);
    if (!response.ok) return readRefusal(server.id, response);
    const reply = await answerTo(id, response);
    if (!reply.ok) return reply;
    const { protocolVersion } = (reply.result ?? {}) as { protocolVersion?: unknown };
    const version = VERSIONS.find((known) => known === protocolVersion);
    if (version === undefined) return { ok: false, error: `${server.id} speaks no known version of the protocol` };
    const begun = { id: response.headers.get("mcp-session-id"), version };
    const noted = await post({ method: "notifications/initialized" }, signal, begun);
    if (!noted.ok) return readRefusal(server.id, noted);
    await noted.body?.cancel();
    session = begun;
    return { ok: true, result: null };
  };

  const connectInTime = (outer: AbortSignal): Promise<Reply> => {
    const limit = withLimit(outer, CONNECT_LIMIT_MS, outside.after);
    return untilAborted(limit.signal, connect(limit.signal))
      .catch((error: unknown) => ({ ok: false as const, error: lost(error), retryable: true }))
      .finally(limit.release);
  };

  const ask = async (method: string, params: object, signal: AbortSignal): Promise<Asked> => {
    const id = ++lastId;
    const hadSession = session?.id ?? null;
    const cancel = () => notify({ method: "notifications/cancelled", params: { requestId: id } });
    signal.addEventListener("abort", cancel);
    try {
      const response = await untilAborted(signal, post({ id, method, params }, signal));
      if (response.ok) return { reply: await untilAborted(signal, answerTo(id, response)), isForgotten: false };
      // 404 says that the session is over; some servers say 400. Neither has looked at the request.
      const isForgotten = hadSession !== null && (response.status === 404 || response.status === 400);
      return { reply: await untilAborted(signal, readRefusal(server.id, response)), isForgotten };
    } catch (error) {
      // The request may have arrived, so only a caller who knows that a second run does no harm may repeat it.
      const reply = {
        ok: false,
        error: `${lost(error)}; whether it did anything is unknown`,
        retryable: true,
      } as const;
      return { reply, isForgotten: false };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };

  const lost = (error: unknown) => `${server.id} could not be reached: ${wholeErrorMessage(error)}`;

  return {
    async request(method, params, signal) {
      const connected = session ? null : await connectInTime(signal);
      if (connected?.ok === false) return connected;
      const { reply, isForgotten } = await ask(method, params, signal);
      if (!isForgotten) return reply;
      onListChanged();
      const again = await connectInTime(signal);
      return again.ok ? (await ask(method, params, signal)).reply : again;
    },
  };
}

async function* readAnswer(response: Response): AsyncGenerator<Incoming> {
  if (response.headers.get("content-type")?.includes("text/event-stream")) {
    for await (const data of eventData(response, MAX_ANSWER_BYTES)) yield* readMessages(data);
    return;
  }
  const { bytes, cut } = await readBody(response, MAX_ANSWER_BYTES);
  if (!cut) yield* readMessages(new TextDecoder().decode(bytes));
}
