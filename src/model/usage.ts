// The usage at the end of a stream. Servers that only call themselves compatible send anything; what is no count is not used, and the
// step is then estimated.
import { readCost } from "../core/money/price.ts";
import type { TokenUsage } from "../turn/ports.ts";

/** No model reads or writes as much in one step. */
const MAX_TOKENS = 1_000_000_000;

type Fields = Readonly<Record<string, unknown>>;

/** Reads one chunk's usage; null without both counts. */
export function readUsage(value: unknown): TokenUsage | null {
  const usage = fieldsOf(value);
  const inputTokens = readCount(usage.prompt_tokens);
  const outputTokens = readCount(usage.completion_tokens);
  if (inputTokens === null || outputTokens === null) return null;
  const cached = Math.min(readCached(usage), inputTokens);
  const cost = readCost(usage.cost);
  return {
    inputTokens,
    outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(cost !== null && { costMicroUsd: cost }),
  };
}

/** OpenAI and most others; Mistral; DeepSeek; Moonshot; Mistral again. */
function readCached(usage: Fields): number {
  const places = [
    fieldsOf(usage.prompt_tokens_details).cached_tokens,
    fieldsOf(usage.prompt_token_details).cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.num_cached_tokens,
  ];
  return places.map(readCount).find((count) => count !== null) ?? 0;
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const readCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : null;
