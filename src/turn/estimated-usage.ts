// The usage of a step, however it ended: as the provider reports it, else an estimate, and its cost. Many that speak OpenAI's
// protocol report nothing in a stream, and none does for a stream that was left early; a budget must still count these steps.
import type { Price } from "../core/money/price.ts";
import { withCost } from "../core/money/usage.ts";

import { FAILURE_POLICY } from "../core/state/ending.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-once.ts";

/** The tokens of one step and their cost by this price; null when no provider began to work on its request. */
export function stepUsage(
  request: Pick<ModelRequest, "system" | "messages">,
  result: StreamResult,
  price: Price | undefined,
): TokenUsage | null {
  if ("usage" in result && result.usage) return withCost(result.usage, price);
  const isFree = result.status === "error" && !result.hasBegun && FAILURE_POLICY[result.data.reason].isFree;
  return isFree ? null : withCost(estimatedUsage(request, result), price);
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
