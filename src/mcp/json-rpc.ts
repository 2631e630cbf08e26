// The messages of the Model Context Protocol on the wire: JSON-RPC 2.0. Reads whatever a server sends, and drops anything that is not a
// message.
import { parseJson, wellFormed } from "../core/json.ts";

/** A message from a server. */
export type Incoming =
  | { kind: "result"; id: number; result: unknown }
  /**
   * `message` is as long as the server wrote it: whoever shows it must remove secrets before cutting it. `id` is null if the server could not
   * read the request's id, or does not repeat it (JSON-RPC 2.0, 5).
   */
  | { kind: "error"; id: number | null; code: number; message: string }
  /** The server asks something and waits for an answer with this id. */
  | { kind: "request"; id: string | number; method: string }
  | { kind: "notification"; method: string }
  /** The server is still working. */
  | { kind: "progress" };

/** Whether the message says that the server's tools may have changed. */
export const isListChange = (message: Incoming): boolean =>
  message.kind === "notification" && message.method === "notifications/tools/list_changed";

/** A message to a server, without the fields that all messages have. */
export type Outgoing =
  | { id: number; method: string; params: object }
  | { method: string; params?: object }
  | { id: string | number; result: object }
  | { id: string | number; error: { code: number; message: string } };

/** Returns the JSON text of one message. */
export const written = (message: Outgoing): string => JSON.stringify({ jsonrpc: "2.0", ...message });

/** Reads the messages in a text: one, or a batch, which the protocol had until 2025-06-18. None if the text is not JSON. Never throws. */
export function readMessages(text: string): Incoming[] {
  const value = parse(text);
  return (Array.isArray(value) ? value : [value]).flatMap((one) => readMessage(one) ?? []);
}

function readMessage(value: unknown): Incoming | null {
  if (typeof value !== "object" || value === null) return null;
  const { id: given, method, result, error } = value as Record<string, unknown>;
  if (method === "notifications/progress") return { kind: "progress" };
  const isId = typeof given === "string" || typeof given === "number";
  if (typeof method === "string")
    return isId ? { kind: "request", id: given, method } : { kind: "notification", method };
  // Our own ids are numbers, which some servers write as text.
  const id = isId ? Number(given) : null;
  if (!error) return id === null ? null : { kind: "result", id, result };
  const { code } = error as Record<string, unknown>;
  return { kind: "error", id, code: Number(code), message: wordsOf(error) };
}

/**
 * Describes an error. Some servers write a text instead of an error object, or an error without a message: whatever it contains says more than
 * nothing.
 */
function wordsOf(error: unknown): string {
  const message = (error as Record<string, unknown>).message ?? error;
  return typeof message === "string" ? message : JSON.stringify(message);
}

/** Parses JSON and replaces lone surrogates: one in a description would make a model's provider refuse every request with it. */
const parse = (text: string): unknown => parseJson(text, wellFormed);

/** An error that refuses a whole request. Such errors may come without the request's id. */
export interface RefusedRequest {
  /** The id of the request that this answers, as the server writes it. */
  id: unknown;
  code: number;
  message: string;
  /** The versions that the server would have accepted; null: it does not say. */
  supported: readonly string[] | null;
}

/** Reads the error in the body of a refusal. Null if it contains none. Never throws. */
export function readRefusedRequest(text: string): RefusedRequest | null {
  const { id, error } = (parse(text) ?? {}) as { id?: unknown; error?: unknown };
  if (typeof error !== "object" || error === null) return null;
  const { code, data } = error as Record<string, unknown>;
  if (typeof code !== "number") return null;
  const { supported } = (data ?? {}) as { supported?: unknown };
  const versions = Array.isArray(supported) ? supported.filter((one) => typeof one === "string") : null;
  return { id, code, message: wordsOf(error), supported: versions };
}

/** Whether the refusal of a call answers it, so that the server has looked at it. Anything but a call may be sent again in any case. */
export const answersCall = (error: RefusedRequest, id: number, method: string): boolean =>
  method === "tools/call" && Number(error.id) === id;

/** The older era's code for a request before the handshake, at which no server looks. Some servers send it in an answer with a success status. */
export const NOT_INITIALIZED = -32002;

/**
 * Whether the code means an unknown method or invalid parameters: the request was understood. Servers use either for a tool that no longer
 * exists.
 */
export const isUnknown = (code: number | undefined): boolean => code === -32601 || code === -32602;

/** Whether the error exists only in the newer era: wrong headers, a missing capability, or a version that the server does not speak. */
export const isModernError = (code: number | undefined): boolean =>
  code !== undefined && code <= -32020 && code >= -32022;
