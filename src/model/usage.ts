// Reads the usage at the end of a stream. Servers that only call themselves compatible may send anything; a value that is not a count is
// ignored, and the step is then estimated.
import { readCost } from "../core/money/price.ts";
import type { TokenUsage } from "../turn/ports.ts";
import { type Fields, readFields } from "./json-fields.ts";

/** No model reads or writes this much in one step. */
const MAX_TOKENS = 1_000_000_000;

/** How a provider counts, where it differs from OpenAI. */
export interface UsageHabits {
  /** It does not include cached tokens in those of the prompt (xAI). */
  cachedMayBeApart?: boolean;
  /** The answer's tokens do not include the reasoning, which is only in the total (Gemini). */
  reasoningIsApart?: boolean;
}

/** Reads one chunk's usage; null if one of the counts is missing, or if nothing of the request is counted. */
export function readUsage(value: unknown, habits: UsageHabits): TokenUsage | null {
  const usage = readFields(value) ?? {};
  const input = readCount(usage.prompt_tokens) ?? readCount(usage.input_tokens);
  const output = readCount(usage.completion_tokens) ?? readCount(usage.output_tokens);
  if (input === null || output === null) return null;
  const cached = readCached(usage);
  const written = readWritten(usage);
  const isApart = habits.cachedMayBeApart === true && cached > input;
  // Anthropic's own format counts neither what was cached nor what was written to the cache as input.
  const isAnthropic = usage.prompt_tokens === undefined && "cache_creation_input_tokens" in usage;
  const inputTokens = input + (isApart || isAnthropic ? cached : 0) + (isAnthropic ? written : 0);
  const cachedInputTokens = Math.min(cached, inputTokens);
  const cacheWriteTokens = Math.min(written, inputTokens - cachedInputTokens);
  const cost = readBilled(usage);
  // Some send the fields and count nothing, or only the answer. No request is empty.
  if (inputTokens === 0 && !cost) return null;
  return {
    inputTokens,
    outputTokens: output + (isApart ? 0 : readReasoning(usage, input + output, habits)),
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(cost !== null && { costMicroUsd: cost }),
  };
}

/** xAI counts in these fractions of a dollar. */
const TICKS = 1e10;

/**
 * Returns what a call costs according to the provider's usage. If a gateway (OpenRouter) uses the owner's own key, that is the gateway's fee plus
 * what the provider behind it charges; if the latter is missing, only the model's price can tell.
 */
export function readBilled({
  cost,
  cost_in_usd_ticks: ticks,
  is_byok: isOwnKey,
  cost_details: details,
}: Fields): number | null {
  const fee = readCost(cost ?? (typeof ticks === "number" ? ticks / TICKS : null));
  if (isOwnKey !== true) return fee;
  const rest = readCost(readFields(details)?.upstream_inference_cost);
  return rest === null ? null : rest + (fee ?? 0);
}

/** Returns the tokens of reasoning that are in the total but in neither of its parts. */
function readReasoning(usage: Fields, counted: number, { reasoningIsApart }: UsageHabits): number {
  const more = (readCount(usage.total_tokens) ?? 0) - counted;
  const reasoning = readCount(readFields(usage.completion_tokens_details)?.reasoning_tokens);
  return more > 0 && (more === reasoning || reasoningIsApart) ? more : 0;
}

/**
 * Reads the tokens that came from the cache, in the fields of OpenAI and most others; Mistral; DeepSeek; Moonshot; Mistral again; gateways to
 * Anthropic.
 */
function readCached(usage: Fields): number {
  const { prompt_tokens_details, prompt_token_details, input_tokens_details } = usage;
  const places = [
    ...[prompt_tokens_details, prompt_token_details, input_tokens_details].map((one) => readFields(one)?.cached_tokens),
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.num_cached_tokens,
    usage.cache_read_input_tokens,
  ];
  return places.map(readCount).find((count) => count !== null) ?? 0;
}

/** Reads the tokens that were written to the cache, in the fields of OpenAI and OpenRouter; gateways to Anthropic. */
function readWritten({ prompt_tokens_details, input_tokens_details, cache_creation_input_tokens }: Fields): number {
  const places = [prompt_tokens_details, input_tokens_details].map((one) => readFields(one)?.cache_write_tokens);
  return [...places, cache_creation_input_tokens].map(readCount).find((count) => count !== null) ?? 0;
}

const readCount = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : null;
