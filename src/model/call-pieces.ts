// Joins the streamed pieces of tool calls into whole calls with unique ids.
import type { ToolCall } from "../core/transcript/transcript.ts";

/** One piece as OpenAI streams it; compatible servers omit the index, the id or both. */
export interface CallPiece {
  index?: number | undefined;
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: string | undefined } | undefined;
}

/**
 * Joins pieces into whole calls, in the order in which they began. Ids are made unique within the answer, because some
 * servers give every call the same one, and then a result could not be matched with its call.
 */
export function joinPieces(pieces: CallPiece[]): ToolCall[] {
  const calls: { index: number | undefined; call: ToolCall }[] = [];
  for (const piece of pieces) {
    const open = piece.index === undefined ? continued(calls, piece) : calls.find(({ index }) => index === piece.index);
    const entry = open ?? { index: piece.index, call: { id: "", name: "", arguments: "" } };
    if (!open) calls.push(entry);
    entry.call.id ||= piece.id ?? "";
    // Some servers repeat the whole name with every piece.
    if (piece.function?.name !== entry.call.name) entry.call.name += piece.function?.name ?? "";
    entry.call.arguments += piece.function?.arguments ?? "";
  }
  return withUniqueIds(calls.map(({ call }) => call));
}

/** Without an index, a new id or name begins a new call, and anything else continues the last one. */
function continued<Entry extends { call: ToolCall }>(calls: Entry[], piece: CallPiece): Entry | undefined {
  const last = calls.at(-1);
  const isNew = (piece.id && piece.id !== last?.call.id) || (piece.function?.name && last?.call.arguments);
  return isNew ? undefined : last;
}

function withUniqueIds(calls: ToolCall[]): ToolCall[] {
  const seen = new Set([""]);
  const taken = new Set(calls.map((call) => call.id));
  return calls.map((call, position) => {
    if (!seen.has(call.id)) {
      seen.add(call.id);
      return call;
    }
    const freeId = (from: number): string => {
      const id = `${call.id || call.name || "call"}-${from}`;
      return taken.has(id) ? freeId(from + 1) : id;
    };
    const id = freeId(position);
    taken.add(id);
    return { ...call, id };
  });
}
