// Reads a turn's stored answers, from which its loop resumes: the calls of each, and their results.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { MAX_CALLS_PER_ANSWER } from "../../src/core/limits.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import type { NumberedCall, StoredRound } from "../../src/turn/ports.ts";

/** Lists the calls that may run. */
export const numberCalls = ({ seq, calls }: StoredMessage): NumberedCall[] =>
  calls.slice(0, MAX_CALLS_PER_ANSWER).flatMap((call, position) => (call ? [{ messageSeq: seq, position, call }] : []));

/** Reads an answer for the loop to resume from: each call with its result (null if it has none), or null if the call was withdrawn. */
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

/** Returns a function that finds the stored result of a call of this answer, by position; null if it has none. */
export function readResults(store: ChannelStore, seq: number): (position: number) => ToolResult | null {
  const results = new Map(store.ledgerRowsFor(seq).map(({ position, result }) => [position, result]));
  return (position) => JSON.parse(results.get(position) ?? "null") as ToolResult | null;
}
