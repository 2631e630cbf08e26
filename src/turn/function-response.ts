// Builds the form in which the model reads a call's result.
import { fenced } from "../core/taint/untrusted-text.ts";
import { isJsonObject } from "../toolkit/read-json.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";

/**
 * Builds what the model reads about a call. After a success: the tool's data, with its message, its files and the warnings about its arguments.
 * If the gate blocked it: the gate's payload. After any other failure: the reason and the tool's name.
 */
export function buildResponse(name: string, result: ToolResult): unknown {
  const { ok, status, data, issues, warnings, message } = result;
  const noted = warnings && warnings.length > 0 ? { warnings } : {};
  if (ok) return withNotes(data, { ...(message !== undefined && { message }), ...noteFiles(result), ...noted });
  if (status === "blocked" && data !== undefined) return data;
  return {
    status: "tool_execution_failed",
    reason: failureReason(result),
    tool_name: name,
    data,
    issues,
    ...noted,
  };
}

/** Builds the content of the `tool` message, as JSON text. Strangers' words are put between two fences. */
export function toolMessageText(name: string, result: ToolResult): string {
  const response = buildResponse(name, result);
  return JSON.stringify(result.untrusted === undefined ? response : fenced(response, result.untrusted, name));
}

/** Lists a result's files for the model: people get them without its help. */
function noteFiles({ files = [] }: ToolResult): Record<string, unknown> {
  const list = (isLeftOut: boolean) =>
    files.flatMap(({ name, type, bytes, leftOut = false }) => (leftOut === isLeftOut ? [{ name, type, bytes }] : []));
  const [attached, leftOut] = [list(false), list(true)];
  return {
    ...(attached.length > 0 && { attached_to_your_answer: attached }),
    ...(leftOut.length > 0 && { left_out_because_too_many_or_too_large: leftOut }),
  };
}

/** Adds the tool's and the runtime's notes about the call: next to the data's own fields, or, if that is not possible, next to the data. */
function withNotes(data: unknown, notes: Record<string, unknown>): unknown {
  const isEmpty = data === undefined || data === null;
  if (Object.keys(notes).length === 0 || isEmpty) return isEmpty ? { status: "completed", ...notes } : data;
  const mayJoin = isJsonObject(data) && Object.keys(notes).every((note) => !Object.hasOwn(data, note));
  return mayJoin ? { ...data, ...notes } : { data, ...notes };
}

/** Returns why a call failed: the message written for the reader if there is one, or else the error that was thrown. */
export const failureReason = ({ message, error, status }: ToolResult): string => message ?? error ?? status;

/** How many of the newest turns before the current one still show a tool's full results. */
export const FRESH_TURNS = 3;
const AGED_CHARS = 300;

/**
 * Like `toolMessageText`, for an older turn: only the beginning of a long result, and only the size of strangers' words, so that what one turn
 * has read does not taint the channel for good. The text is the same in every turn that reads it.
 */
export function agedMessageText(name: string, result: ToolResult, isUntrusted: boolean): string {
  const text = JSON.stringify(buildResponse(name, result));
  if (isUntrusted) return JSON.stringify({ status: "dropped", tool_name: name, characters: text.length });
  if (text.length <= AGED_CHARS) return text;
  return JSON.stringify({
    beginning: text.slice(0, AGED_CHARS).toWellFormed(),
    cut_characters: text.length - AGED_CHARS,
  });
}
