// Reads why an answer ended. It counts as an answer only if it is known to have ended as a complete one, or to be cut at its length
// limit. Anything else is a failure, even if the stream itself ends well. Pure.
import type { ModelFailureReason } from "../core/state/ending.ts";

/** How the answer ended. */
export type Finish = { kind: "stop" | "length" } | { kind: "failed"; reason: ModelFailureReason };

const KNOWN: readonly [words: RegExp, finish: Finish][] = [
  // Cohere's own words are passed on by some gateways.
  [
    /^(?:stop(?:_sequence)?|end(?:_turn)?|eos(?:_token)?|complete|tool_(?:use|calls?)|function_call)$/i,
    { kind: "stop" },
  ],
  [/^(?:length|max_tokens|max_output_tokens|model_length)$/i, { kind: "length" }],
  [
    /^(?:content_filter.*|sensitive|(?:image_)?(?:safety|recitation|prohibited_content)|blocklist|spii|refusal)$/i,
    { kind: "failed", reason: "content_blocked" },
  ],
  [/^(?:insufficient_system_resource|network_error)$/i, { kind: "failed", reason: "overloaded" }],
  [/^model_context_window_exceeded$/i, { kind: "failed", reason: "context_too_long" }],
  [/function_call_filter|malformed_function_call|unexpected_tool_call/i, { kind: "failed", reason: "bad_call" }],
];

/** Reads a reason in the words of any provider. The AI SDK writes hyphens, and so do gateways that are built with it. */
export const readFinish = (reason: string): Finish =>
  KNOWN.find(([words]) => words.test(reason.replaceAll("-", "_")))?.[1] ?? { kind: "failed", reason: "bad_stream" };
