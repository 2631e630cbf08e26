// The usage of a step and its cost, however the step ended: as the provider reports it, or else an estimate. Many providers that speak
// OpenAI's protocol report nothing in a stream, and none reports a stream that was left early; a budget must still count these steps.
import { CALL_ESTIMATE } from "../core/money/lease.ts";
import type { Price } from "../core/money/price.ts";
import { withCost } from "../core/money/usage.ts";
import { FAILURE_POLICY } from "../core/state/ending.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ToolSchema } from "../toolkit/define/tool-cards.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-result.ts";

/** Returns the tokens of one step and their cost at this price; null when no provider began to work on its request. */
export function stepUsage(request: Prompt, result: StreamResult, price: Price | undefined): TokenUsage | null {
  if ("usage" in result && result.usage) return withCost(result.usage, price);
  const isFree = result.status === "error" && !result.hasBegun && FAILURE_POLICY[result.data.reason].isFree;
  return isFree ? null : withCost(estimatedUsage(request, result), price);
}

/**
 * Returns what a call counts as if this life ends before its answer is stored. How much the model wrote is then unknown, so the output counts as
 * much as one call is lent for.
 */
export const usageIfCut = (request: Prompt, price: Price | undefined): TokenUsage =>
  withCost({ inputTokens: promptTokens(request), outputTokens: CALL_ESTIMATE.outputTokens, isEstimate: true }, price);

/** The part of a request that is estimated. */
type Prompt = Pick<ModelRequest, "system" | "messages" | "tools">;

const promptTokens = ({ system, messages, tools }: Prompt): number =>
  estimateTokens(system) + tokensOfAll(messages) + tokensOfTools(tools);

/** The tokens that OpenAI's models count around all tools, and around each one; Gemini's count a few more. */
const AROUND_TOOLS = 16;
const AROUND_TOOL = 18;
/** Cached, because each turn offers the same schemas. */
const tokensOf = new WeakMap<ToolSchema, number>();

function tokensOfTools(tools: readonly ToolSchema[]): number {
  const counts = tools.map((tool) => {
    const tokens = tokensOf.get(tool) ?? AROUND_TOOL + estimateTokens(Object.values(tool).map(textOf).join(""));
    tokensOf.set(tool, tokens);
    return tokens;
  });
  return counts.reduce((sum, tokens) => sum + tokens, tools.length > 0 ? AROUND_TOOLS : 0);
}

const textOf = (part: string | object): string => (typeof part === "string" ? part : JSON.stringify(part));

/** Estimates the tokens of one step. */
const estimatedUsage = (
  request: Prompt,
  { accumulatedText, detailsContent, thoughtLog, unkeptTokens = 0 }: Heard,
): TokenUsage => ({
  inputTokens: promptTokens(request),
  outputTokens:
    estimateTokens(accumulatedText) + estimateTokens(detailsContent) + estimateTokens(thoughtLog) + unkeptTokens,
  isEstimate: true,
});
