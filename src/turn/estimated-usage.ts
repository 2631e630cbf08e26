// Estimates the usage of a step when the provider does not report it: many that speak OpenAI's protocol report nothing in
// a stream, and a token budget must still count these steps.
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard } from "./stream-once.ts";

/** Estimates one step's tokens. Tool schemas are not counted, and a call's text is counted with the next request. */
export const estimatedUsage = (
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  { accumulatedText, detailsContent, thoughtLog }: Omit<Heard, "hasBegun">,
): TokenUsage => ({
  inputTokens: estimateTokens(system) + tokensOfAll(messages),
  outputTokens: estimateTokens(accumulatedText) + estimateTokens(detailsContent) + estimateTokens(thoughtLog),
  isEstimate: true,
});
