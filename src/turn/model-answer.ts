// A complete step as the answer that is stored: with its usage, the names of the tools that are meant, and its last call
// marked when the answer was cut.

import { withClosedFence } from "../core/markdown/fences.ts";
import type { ModelCallNote } from "../core/state/inspected.ts";
import type { ModelAnswer, TokenUsage } from "./ports.ts";
import type { StreamResult } from "./stream-result.ts";
import type { ToolLoopParams } from "./turn-params.ts";

/**
 * Models misspell names. A call is stored under the name of the tool that is meant, so only that tool's gate, order and
 * ledger apply.
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
  // Another step follows this one.
  const text = calls.length > 0 ? withClosedFence(accumulatedText) : accumulatedText;
  // A cut answer is cut inside its last call.
  const marked =
    finishReason === "length"
      ? calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true as const } : call))
      : calls;
  const { model, ms } = call;
  const answer = { text, calls: marked, usage, model, native, durationMs: ms ?? 0, call };
  if (!files) return { ...answer, details };
  // The model reads in later turns what it made, and never the bytes.
  const made = `You attached ${files.map(({ name }) => name).join(", ")}.`;
  return { ...answer, details: details === "" ? made : `${details}\n${made}`, files };
}
