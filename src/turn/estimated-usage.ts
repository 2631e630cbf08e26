// The usage of a step, however it ended: as the provider reports it, else an estimate, and its cost. Many that speak OpenAI's
// protocol report nothing in a stream, and none does for a stream that was left early; a budget must still count these steps.
import { CALL_ESTIMATE } from "../core/money/lease.ts";
import type { Price } from "../core/money/price.ts";
import { withCost } from "../core/money/usage.ts";
import { FAILURE_POLICY } from "../core/state/ending.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-once.ts";

/** The tokens of one step and their cost by this price; null when no provider began to work on its request. */
export function stepUsage(request: Prompt, result: StreamResult, price: Price | undefined): TokenUsage | null {
  if ("usage" in result && result.usage) return withCost(result.usage, price);
  const isFree = result.status === "error" && !result.hasBegun && FAILURE_POLICY[result.data.reason].isFree;
  return isFree ? null : withCost(estimatedUsage(request, result), price);
}

/**
 * What a call counts as whose life ends before its answer is stored: nobody heard how much the model wrote, so it is as much as one call
 * is lent for.
 */
export const usageIfCut = (request: Prompt, price: Price | undefined): TokenUsage =>
  withCost({ inputTokens: promptTokens(request), outputTokens: CALL_ESTIMATE.outputTokens, isEstimate: true }, price);

/** The part of a request that is estimated. Tool schemas are not counted. */
type Prompt = Pick<ModelRequest, "system" | "messages">;

const promptTokens = ({ system, messages }: Prompt): number => estimateTokens(system) + tokensOfAll(messages);

/** Estimates one step's tokens. */
const estimatedUsage = (
  request: Prompt,
  { accumulatedText, detailsContent, thoughtLog, unkeptTokens = 0 }: Heard,
): TokenUsage => ({
  inputTokens: promptTokens(request),
  outputTokens:
    estimateTokens(accumulatedText) + estimateTokens(detailsContent) + estimateTokens(thoughtLog) + unkeptTokens,
  isEstimate: true,
});
