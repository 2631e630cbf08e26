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
  const results = readResults(store, seq);
  return {
    text,
    details,
    calls: calls.slice(0, MAX_CALLS_PER_ANSWER).map((call, position) => {
      const wasLaunched = results.has(position);
      const result = results.get(position) ?? null;
      return call && { placed: { messageSeq: seq, position, call, wasLaunched }, result };
    }),
  };
}

/** Reads the results of an answer's calls, by position. Null: the call was launched, but has none. */
export const readResults = (store: ChannelStore, seq: number): Map<number, ToolResult | null> =>
  new Map(
    store
      .ledgerRowsFor(seq)
      .map(({ position, result }) => [position, JSON.parse(result ?? "null") as ToolResult | null]),
  );
