// The usage of a step, however it ended: as the provider reports it, else an estimate. Many that speak OpenAI's protocol
// report nothing in a stream, and none does for a stream that was left early; a token budget must still count these steps.

import type { ModelFailureReason } from "../core/state/ending.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-once.ts";

/** Failures of a request that its provider did not begin to answer: it costs nothing. */
const REFUSED: ReadonlySet<ModelFailureReason> = new Set([
  "rate_limited",
  "overloaded",
  "refused",
  "context_too_long",
  "auth",
  "network",
]);

/** The tokens of one step; null when the provider refused its request. */
export function stepUsage(request: Pick<ModelRequest, "system" | "messages">, result: StreamResult): TokenUsage | null {
  if ("usage" in result && result.usage) return result.usage;
  const isRefused = result.status === "error" && !result.hasBegun && REFUSED.has(result.data.reason);
  return isRefused ? null : estimatedUsage(request, result);
}

/** Estimates one step's tokens. Tool schemas are not counted. */
const estimatedUsage = (
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  { accumulatedText, detailsContent, thoughtLog, unkeptTokens = 0 }: Heard,
): TokenUsage => ({
  inputTokens: estimateTokens(system) + tokensOfAll(messages),
  outputTokens:
    estimateTokens(accumulatedText) + estimateTokens(detailsContent) + estimateTokens(thoughtLog) + unkeptTokens,
  isEstimate: true,
});
