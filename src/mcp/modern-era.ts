// The protocol from 2026-07-28 on: no handshake and no session. Each request is complete in itself, so an object that sleeps between two
// of them loses nothing. If a stream breaks, its request is lost; a client cancels a request by closing its stream.

import { isJsonObject } from "../toolkit/read-json.ts";
import { untilAborted } from "../toolkit/run/until-aborted.ts";
import { answersCall, isListChange, isModernError, isUnknown, NOT_INITIALIZED } from "./json-rpc.ts";
import { LEGACY_VERSIONS } from "./legacy-era.ts";
import { headerText } from "./mirrored-headers.ts";
import {
  type Asked,
  askForProgress,
  type CallExtras,
  type Era,
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

/** The version that we speak. A server may also speak others of the same kind. */
const MODERN_VERSION = "2026-07-28";
const PREFIX = "io.modelcontextprotocol";
const VERSION_NOT_SPOKEN = -32022;
const HEADER_MISMATCH = -32020;
/** How often a server may answer a call with a question instead of a result. */
const MAX_QUESTIONS = 4;

/** `mayAskAgain`: the server refused the version without reading the request, although it names that version among those that it accepts. */
type Attempt = Asked & { mayAskAgain: boolean };

/**
 * Talks to a server in the newer era. `isKnown` returns whether the server has shown before that it speaks this era: a refusal because of an
 * unknown method or of the call itself is then an answer. `onListChanged` runs when the server's tools may have changed.
 */
export function modernEra(
  server: McpServer,
  outside: McpOutside,
  isKnown: () => boolean,
  onListChanged: () => void,
): Era {
  let lastId = 0;
  const meta = {
    [`${PREFIX}/protocolVersion`]: MODERN_VERSION,
    // We offer nothing, so a server has nothing to ask for.
    [`${PREFIX}/clientCapabilities`]: {},
    [`${PREFIX}/clientInfo`]: { name: "parley", version: outside.version },
  };

  const post = (
    id: number,
    method: string,
    params: object,
    mirrored: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => {
    const { name } = params as { name?: unknown };
    const headers = {
      "mcp-protocol-version": MODERN_VERSION,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": headerText(name) }),
      ...mirrored,
    };
    const _meta = { ...meta, ...askForProgress(method, id)._meta };
    return send(server, outside, { id, method, params: { ...params, _meta } }, headers, signal);
  };

  const answerTo = async (id: number, response: Response, goesOn?: () => void): Promise<Reply> => {
    for await (const message of readAnswer(response)) {
      const reply = replyIn(message, id, server.id);
      if (reply) return reply;
      if (isListChange(message)) onListChanged();
      if (message.kind === "progress") goesOn?.();
    }
    return unreadable(server.id);
  };

  const refusedBy = async (response: Response, id: number, method: string): Promise<Attempt> => {
    const { reply, error } = await readRefused(server, response);
    const isRead = error !== null && (isUnknown(error.code) || answersCall(error, id, method));
    if (error !== null && (isModernError(error.code) || (isKnown() && isRead))) {
      if (error.code === HEADER_MISMATCH) onListChanged();
      const supported = error.code === VERSION_NOT_SPOKEN ? (error.supported ?? []) : [];
      const mayAskAgain = supported.includes(MODERN_VERSION);
      const isOtherEra = !mayAskAgain && supported.some((version) => LEGACY_VERSIONS.includes(version));
      return { reply: refusedWith(error, server.id), isOtherEra, isKnown: !isOtherEra, mayAskAgain };
    }
    return { reply, isOtherEra: maySayOtherEra(response.status), isKnown: false, mayAskAgain: false };
  };

  const attempt = async (
    method: string,
    params: object,
    { mirrored = {}, goesOn }: CallExtras,
    signal: AbortSignal,
  ): Promise<Attempt> => {
    const id = ++lastId;
    try {
      const response = await untilAborted(signal, post(id, method, params, mirrored, signal));
      if (!response.ok) return await untilAborted(signal, refusedBy(response, id, method));
      const reply = await untilAborted(signal, answerTo(id, response, goesOn));
      // Even an answer with a success status may be an older server's refusal, with any code. A call may have been executed.
      const isCall = method === "tools/call";
      const wantsHandshake = !reply.ok && reply.code === NOT_INITIALIZED;
      const isRefused = !reply.ok && !isCall && !isModernError(reply.code);
      const isOtherEra = isKnown() ? wantsHandshake && !isCall : wantsHandshake || isRefused;
      return { reply, isOtherEra, isKnown: !isOtherEra, mayAskAgain: false };
    } catch (error) {
      return { reply: lostOnTheWay(server.id, error), isOtherEra: false, isKnown: false, mayAskAgain: false };
    }
  };

  return {
    async ask(method, params, signal, extras) {
      let asked = await attempt(method, params, extras, signal);
      if (asked.mayAskAgain) asked = await attempt(method, params, extras, signal);
      for (let questions = 0; asked.reply.ok && questions < MAX_QUESTIONS; questions++) {
        const more = declined(asked.reply.result);
        if (more === null) return asked;
        asked = await attempt(method, { ...params, ...more }, extras, signal);
      }
      const isOpen = asked.reply.ok && declined(asked.reply.result) !== null;
      return isOpen
        ? { ...asked, reply: { ok: false, error: `${server.id} asks questions instead of answering` } }
        : asked;
    },
  };
}

/**
 * Returns what to repeat a request with if its result is a question: every question declined, since nobody is there to answer it, and the
 * server's own state unchanged. Null: the result is not a question.
 */
function declined(result: unknown): object | null {
  if (!isJsonObject(result) || result.resultType !== "input_required") return null;
  const { inputRequests, requestState } = result;
  const asked = isJsonObject(inputRequests) ? Object.keys(inputRequests) : [];
  return {
    ...(asked.length > 0 && { inputResponses: Object.fromEntries(asked.map((key) => [key, { action: "decline" }])) }),
    ...(requestState !== undefined && { requestState }),
  };
}
