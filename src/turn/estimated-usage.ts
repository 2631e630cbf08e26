// What a pass has used where its provider does not say: many that speak OpenAI's protocol count nothing in a stream. A budget of
// tokens must not be blind because of that.
import { estimateTokens } from "../core/transcript/tokens.ts";
import { tokensOfAll } from "../core/transcript/transcript.ts";
import type { ModelRequest, TokenUsage } from "./ports.ts";
import type { Heard } from "./stream-once.ts";

/** The estimate; the schemas of tools are left out, and what a call says is counted with the next request. */
export const estimatedUsage = (
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  { accumulatedText, detailsContent, thoughtLog }: Omit<Heard, "hasBegun">,
): TokenUsage => ({
  inputTokens: estimateTokens(system) + tokensOfAll(messages),
  outputTokens: estimateTokens(accumulatedText) + estimateTokens(detailsContent) + estimateTokens(thoughtLog),
  isEstimate: true,
});
