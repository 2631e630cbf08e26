// The protocol up to 2025-11-25: a handshake, and sessions that a server may forget. If a stream ends before its answer, reading
// continues from the position where it ended; a call is never sent again because of that.
//
// It opens no stream for the server's own messages, because that would keep an idle object in memory, and billed. So a server can send
// messages only while a call is in progress, and its list of tools is requested again when it is old. Nor does it end a session
// explicitly, because an object does not learn that it is about to be evicted; servers end idle sessions themselves.
import { untilAborted } from "../toolkit/run/until-aborted.ts";
import type { StreamPlace } from "./event-stream.ts";
import { answersCall, type Incoming, isListChange, isModernError, type Outgoing } from "./json-rpc.ts";
import { pause, withLimit } from "./limit.ts";
import {
  type Asked,
  askForProgress,
  type CallExtras,
  type Era,
  lost,
  lostOnTheWay,
  type McpOutside,
  type McpServer,
  maySayOtherEra,
  type Reply,
  readAnswer,
  readRefused,
  refusedWith,
  replyIn,
  send,
  unreadable,
} from "./wire.ts";

interface Session {
  /** Null: the server has no sessions. */
  id: string | null;
  version: string;
}

/** `isForgotten`: the server did not look at the request, because the session is over. */
type Attempt = Asked & { isForgotten: boolean };

/** Why there is no session. */
type Refused = Pick<Asked, "reply" | "isOtherEra">;

/** How long a server that is down delays its first caller, in milliseconds. */
export const CONNECT_LIMIT_MS = 15_000;
const NOTICE_LIMIT_MS = 5000;
/** The most requests of the server that are answered while one of ours is in progress: each answer is a separate request. */
export const MAX_ANSWERED_REQUESTS = 10;
/** Newest first. We use nothing that differs between them. */
export const LEGACY_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const METHOD_NOT_FOUND = -32601;
/** In the protocol, 404 means that a session is over; some servers send one of the others. All of them are sent before the request is looked at. */
const SESSION_ENDS: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** Those of these statuses that may also be the answer to a call. */
const MAY_ANSWER: ReadonlySet<number> = new Set([400, 403]);
/** The statuses of rate limits, and of proxies in front of a server: they say nothing about the session. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Words of an error in an answer with a success status, by which some servers report that they have forgotten a session. */
const SAYS_LOST = /session|initiali[sz]/i;
/**
 * Whether the refusal of a handshake is about its version. Some servers refuse a version that they do not speak, instead of naming one that they
 * do.
 */
const isOfVersion = (words: string): boolean => /version/i.test(words) && /support/i.test(words);
/** The most reconnections in a row that bring nothing new. One that does restarts the count, because a server may answer in small pieces. */
const MAX_FRUITLESS = 2;
const RESUME_PAUSE_MS = 1000;
/** Without this minimum, a server that wants no pause would be asked hundreds of times a second. */
const SHORTEST_RESUME_PAUSE_MS = 200;
const RESUME_GROWTH = 1.5;
const LONGEST_RESUME_PAUSE_MS = 30_000;

/** Talks to a server in the older era. `onListChanged` runs when the server's tools may have changed. */
export function legacyEra(server: McpServer, outside: McpOutside, onListChanged: () => void): Era {
  let session: Session | null = null;
  let lastRequestId = 0;

  const within = (one: Session | null): Record<string, string> => ({
    ...(one && { "mcp-protocol-version": one.version }),
    ...(one?.id && { "mcp-session-id": one.id }),
  });
  const post = (message: Outgoing, signal: AbortSignal, one = session): Promise<Response> =>
    send(server, outside, message, within(one), signal);

  /** Sends a message without waiting for its answer. */
  const notify = (message: Outgoing) => {
    const limit = withLimit(null, NOTICE_LIMIT_MS, outside.after);
    const posted = post(message, limit.signal).then((response) => response.body?.cancel());
    const sent = untilAborted(limit.signal, posted);
    outside.keepAlive(sent.catch(() => {}).finally(limit.release));
  };

  const hear = (message: Incoming, mayAnswer: boolean) => {
    if (isListChange(message)) onListChanged();
    if (message.kind !== "request" || !mayAnswer) return;
    const { id, method } = message;
    if (method === "ping") notify({ id, result: {} });
    else notify({ id, error: { code: METHOD_NOT_FOUND, message: "this client offers nothing" } });
  };

  /** Requests the rest of the stream; null if the server could not be reached this time; "gone" if it does not have the rest. */
  const readOn = async (
    lastEventId: string,
    one: Session | null,
    signal: AbortSignal,
  ): Promise<Response | null | "gone"> => {
    const headers = { "last-event-id": lastEventId, ...within(one) };
    try {
      const response = await untilAborted(signal, send(server, outside, null, headers, signal));
      if (response.ok) return response;
      await response.body?.cancel();
      return response.status >= 500 ? null : "gone";
    } catch (error) {
      if (signal.aborted) throw error;
      return null;
    }
  };

  const answerTo = async (
    id: number,
    response: Response,
    one: Session | null,
    signal: AbortSignal,
    goesOn?: () => void,
  ): Promise<Reply> => {
    const place: StreamPlace = { lastId: null, retryMs: null };
    let asked = 0;
    let stream: Response | null = response;
    let fruitless = 0;
    while (true) {
      const from: string | null = place.lastId;
      try {
        for await (const message of stream ? readAnswer(stream, place) : []) {
          const reply = replyIn(message, id, server.id);
          if (reply) return reply;
          if (message.kind === "progress") goesOn?.();
          if (message.kind === "request") asked++;
          hear(message, asked <= MAX_ANSWERED_REQUESTS);
        }
      } catch (error) {
        if (signal.aborted || place.lastId === null) throw error;
      }
      if (place.lastId === null) return unreadable(server.id);
      fruitless = place.lastId === from ? fruitless + 1 : 0;
      if (fruitless >= MAX_FRUITLESS) return unreadable(server.id);
      const grown = Math.min(LONGEST_RESUME_PAUSE_MS, RESUME_PAUSE_MS * RESUME_GROWTH ** fruitless);
      await pause(Math.max(SHORTEST_RESUME_PAUSE_MS, place.retryMs ?? grown), signal, outside.after);
      const rest = await readOn(place.lastId, one, signal);
      if (rest === "gone") return unreadable(server.id);
      stream = rest;
    }
  };

  const connect = async (
    signal: AbortSignal,
    [newest, ...older]: readonly string[] = LEGACY_VERSIONS,
  ): Promise<Refused | null> => {
    session = null;
    const clientInfo = { name: "parley", version: outside.version };
    const params = { protocolVersion: newest, capabilities: {}, clientInfo };
    const id = ++lastRequestId;
    const response = await post({ id, method: "initialize", params }, signal);
    if (!response.ok) {
      const { reply, error, text } = await readRefused(server, response);
      const named = error?.supported ?? (isOfVersion(text) ? older : []);
      const taken = older.filter((version) => named.includes(version));
      if (taken.length > 0) return connect(signal, taken);
      // A server of the newer era knows no handshake, and may refuse one in any way.
      return { reply, isOtherEra: maySayOtherEra(response.status) };
    }
    const reply = await answerTo(id, response, null, signal);
    if (!reply.ok && !isModernError(reply.code) && older.length > 0 && isOfVersion(reply.error))
      return connect(signal, older);
    if (!reply.ok) return { reply, isOtherEra: isModernError(reply.code) };
    const { protocolVersion } = (reply.result ?? {}) as { protocolVersion?: unknown };
    const version = LEGACY_VERSIONS.find((known) => known === protocolVersion);
    if (version === undefined)
      return { reply: { ok: false, error: `${server.id} speaks no known version of the protocol` }, isOtherEra: false };
    const begun = { id: response.headers.get("mcp-session-id"), version };
    // Some servers, or proxies in front of them, refuse this notice and still answer requests. If one does not, the next request will show it.
    const noted = await post({ method: "notifications/initialized" }, signal, begun);
    await noted.body?.cancel();
    session = begun;
    return null;
  };

  const connectInTime = (outer: AbortSignal): Promise<Refused | null> => {
    const limit = withLimit(outer, CONNECT_LIMIT_MS, outside.after);
    return untilAborted(limit.signal, connect(limit.signal))
      .catch((error: unknown) => ({
        reply: { ok: false as const, error: lost(server.id, error), retryable: true },
        isOtherEra: false,
      }))
      .finally(limit.release);
  };

  const attempt = async (method: string, params: object, signal: AbortSignal, extras: CallExtras): Promise<Attempt> => {
    const id = ++lastRequestId;
    const request = { id, method, params: { ...params, ...askForProgress(method, id) } };
    const used = session;
    /** Makes the next request begin a new session, unless another request has already done so. */
    const leave = () => {
      if (session === used) session = null;
    };
    const cancel = () => notify({ method: "notifications/cancelled", params: { requestId: id } });
    signal.addEventListener("abort", cancel);
    const asked = { isOtherEra: false, isKnown: true, isForgotten: false };
    try {
      const response = await untilAborted(signal, post(request, signal));
      const { ok, status } = response;
      if (ok) {
        const reply = await untilAborted(signal, answerTo(id, response, used, signal, extras.goesOn));
        const isLost = !reply.ok && SAYS_LOST.test(reply.error);
        if (isLost) leave();
        // A call may have been executed.
        return { ...asked, reply, isForgotten: isLost && method !== "tools/call" };
      }
      const { reply, error } = await untilAborted(signal, readRefused(server, response));
      // Servers lose sessions, and report that in many ways.
      if (!SAYS_NOTHING.has(status)) leave();
      // A refusal with an error of the newer era does not refuse the session.
      const isOtherEra = isModernError(error?.code);
      if (MAY_ANSWER.has(status) && error && !isOtherEra && answersCall(error, id, method))
        return { ...asked, reply: refusedWith(error, server.id) };
      const isForgotten = !isOtherEra && used?.id != null && SESSION_ENDS.has(status);
      return { ...asked, reply, isOtherEra, isForgotten };
    } catch (error) {
      return { ...asked, reply: lostOnTheWay(server.id, error) };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };

  return {
    async ask(method, params, signal, extras) {
      for (let isAgain = false; ; isAgain = true) {
        const refused = session ? null : await connectInTime(signal);
        if (refused) return { ...refused, isKnown: false };
        const { isForgotten, ...asked } = await attempt(method, params, signal, extras);
        if (!isForgotten || isAgain) return asked;
        onListChanged();
      }
    },
  };
}
