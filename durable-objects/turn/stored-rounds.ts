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
  const results = new Map(store.ledgerRowsFor(seq).map(({ position, result }) => [position, result]));
  return {
    text,
    details,
    calls: calls.slice(0, MAX_CALLS_PER_ANSWER).map((call, position) => {
      const result = results.get(position) ?? null;
      const placed = { messageSeq: seq, position };
      return (
        call && { placed: { ...placed, call }, result: result === null ? null : (JSON.parse(result) as ToolResult) }
      );
    }),
  };
}
