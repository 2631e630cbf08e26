// A turn's stored answers, as its loop resumes from them: the calls of each, and what became of them.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_CALLS_PER_ANSWER } from "../../src/core/limits.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import type { NumberedCall, StoredRound } from "../../src/turn/ports.ts";

/** The calls that may run. */
export const numberCalls = ({ seq, calls }: StoredMessage): NumberedCall[] =>
  calls.slice(0, MAX_CALLS_PER_ANSWER).flatMap((call, position) => (call ? [{ messageSeq: seq, position, call }] : []));

/** An answer for the loop to resume from: each call with its result, null without one or when the call was withdrawn. */
export function readRound(store: ChannelStore, message: StoredMessage): StoredRound {
  const { seq, text, details, calls } = message;
  const resultAt = readResults(store, seq);
  return {
    text,
    details,
    calls: calls
      .slice(0, MAX_CALLS_PER_ANSWER)
      .map((call, position) => call && { placed: { messageSeq: seq, position, call }, result: resultAt(position) }),
  };
}

/** Finds the stored result of a call of this answer, by its position; null: it has none. */
export function readResults(store: ChannelStore, seq: number): (position: number) => ToolResult | null {
  const results = new Map(store.ledgerRowsFor(seq).map(({ position, result }) => [position, result]));
  return (position) => JSON.parse(results.get(position) ?? "null") as ToolResult | null;
}
