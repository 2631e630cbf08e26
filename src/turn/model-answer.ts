// Builds the stored answer from a complete step: with its usage, with each call under the name of the tool that the model meant, and with
// the last call marked if the answer was cut.

import { withClosedFence } from "../core/markdown/fences.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import type { ModelAnswer, TokenUsage } from "./ports.ts";
import type { StreamResult } from "./stream-result.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/**
 * Replaces misspelled tool names. Each call is stored under the name of the tool that the model meant, so only that tool's gate, order and ledger
 * apply.
 */
export function withResolvedNames({ runtime }: Pick<ToolLoopParams, "runtime">, answer: ModelAnswer): ModelAnswer {
  const calls = answer.calls.map((call) => ({ ...call, name: runtime.toolFor(call.name)?.name ?? call.name }));
  return { ...answer, calls };
}

/** Builds the answer of a complete step. */
export function buildAnswer(
  result: Extract<StreamResult, { status: "completed" | "function_call" }>,
  usage: TokenUsage | null,
  call: ModelCallNote,
): ModelAnswer {
  const { accumulatedText, detailsContent: details, finishReason, native, files } = result;
  const calls = result.status === "function_call" ? result.data : [];
  // Another step follows, so an open code block must not swallow its text.
  const text = calls.length > 0 ? withClosedFence(accumulatedText) : accumulatedText;
  // If an answer was cut, then inside its last call.
  const marked =
    finishReason === "length"
      ? calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true as const } : call))
      : calls;
  const { model, ms } = call;
  const answer = { text, calls: marked, usage, model, native, durationMs: ms ?? 0, call };
  if (!files) return { ...answer, details };
  // In later turns the model reads what it made, but never the bytes.
  const made = `You attached ${files.map(({ name }) => name).join(", ")}.`;
  return { ...answer, details: details === "" ? made : `${details}\n${made}`, files };
}
