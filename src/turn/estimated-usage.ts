// The usage of a step, however it ended: as the provider reports it, else an estimate. Many that speak OpenAI's protocol
// report nothing in a stream, and none does for a stream that was left early; a token budget must still count these steps.

import { FAILURE_POLICY } from "../core/state/ending.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-once.ts";

/** The tokens of one step; null when no provider began to work on its request. */
export function stepUsage(request: Pick<ModelRequest, "system" | "messages">, result: StreamResult): TokenUsage | null {
  if ("usage" in result && result.usage) return result.usage;
  const isFree = result.status === "error" && !result.hasBegun && FAILURE_POLICY[result.data.reason].isFree;
  return isFree ? null : estimatedUsage(request, result);
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
