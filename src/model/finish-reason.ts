// Why an answer ended. Only what is known to be the end of a complete answer, or of one that was cut at its length limit, is an
// answer: anything else is a failure, although the stream itself ends well. Pure.
import type { ModelFailureReason } from "../core/state/ending.ts";

/** How the answer ended. */
export type Finish = { kind: "stop" | "length" } | { kind: "failed"; reason: ModelFailureReason };

const STOP = ["stop", "end_turn", "eos", "eos_token", "stop_sequence", "tool_calls", "tool_use", "function_call"];
const LENGTH = ["length", "max_tokens", "max_output_tokens", "model_length"];
const FAILED: Readonly<Record<string, ModelFailureReason>> = {
  content_filter: "content_blocked",
  sensitive: "content_blocked",
  safety: "content_blocked",
  recitation: "content_blocked",
  prohibited_content: "content_blocked",
  blocklist: "content_blocked",
  insufficient_system_resource: "overloaded",
  network_error: "overloaded",
  model_context_window_exceeded: "context_too_long",
  malformed_function_call: "bad_call",
};

/** Reads a reason in the words of any provider. */
export function readFinish(reason: string): Finish {
  const word = reason.toLowerCase();
  if (STOP.includes(word)) return { kind: "stop" };
  if (LENGTH.includes(word)) return { kind: "length" };
  return { kind: "failed", reason: (Object.hasOwn(FAILED, word) ? FAILED[word] : undefined) ?? "bad_stream" };
}
