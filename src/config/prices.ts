// List prices of well-known models, in US dollars per million tokens, as published in November 2026. Surcharges for very long requests are left
// out. DeepSeek's prices are those of the most expensive hours; Gemini 3.8 Flash's are those after its discount, which ends on 1 January 2027.
// Cache writes are priced for the shortest time to live. Providers change prices; `price` in MODELS overrides them.
import type { Price } from "../core/money/price.ts";

const PRICES: Readonly<Record<string, Price>> = {
  "gpt-6.2-astra": { input: 8, cachedInput: 0.4, cacheWrite: 10, output: 40 },
  "gpt-6.2-sol": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 },
  "gpt-6.1-sol": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 },
  "gpt-6.1-terra": { input: 1, cachedInput: 0.05, cacheWrite: 1.25, output: 5 },
  "gpt-6-astra": { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 },
  "gpt-6-sol": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 },
  "gpt-6-luna": { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5 },
  "gpt-5.6-terra": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 12 },
  "gpt-5.6-luna": { input: 0.2, cachedInput: 0.02, cacheWrite: 0.25, output: 1.2 },
  "gpt-5.5": { input: 5, cachedInput: 0.5, output: 30 },
  "gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15 },
  "gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, output: 4.5 },
  "gpt-5.4-nano": { input: 0.2, cachedInput: 0.02, output: 1.25 },
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "claude-fable-5-1": { input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50 },
  "claude-opus-5-5": { input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 },
  "claude-sonnet-5-5": { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 },
  "claude-haiku-5-5": { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5 },
  "claude-opus-5": { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 },
  "claude-sonnet-5": { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 },
  "claude-haiku-4-5": { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 },
  "gemini-3.8-flash": { input: 1.5, output: 7.5 },
  "gemini-3.5-flash": { input: 1.5, cachedInput: 0.15, output: 9 },
  "gemini-3.5-flash-lite": { input: 0.3, cachedInput: 0.03, output: 2.5 },
  "grok-4.7": { input: 2, cachedInput: 0.5, output: 6 },
  "grok-4.6": { input: 2, cachedInput: 0.5, output: 6 },
  "grok-4.5": { input: 2, cachedInput: 0.5, output: 6 },
  "grok-4.3": { input: 1.25, cachedInput: 0.2, output: 2.5 },
  "deepseek-v4-pro": { input: 1.32, cachedInput: 0.044, output: 3.96 },
  "deepseek-flash": { input: 0.3, cachedInput: 0.006, output: 1.2 },
  "deepseek-v4-flash": { input: 0.3, cachedInput: 0.006, output: 1.2 },
  "@cf/zai-org/glm-4.7-flash": { input: 0.06, output: 0.4 },
  "@cf/google/gemma-4-26b-a4b-it": { input: 0.1, output: 0.3 },
};

/** A gateway's name for a model begins with its vendor. */
const VENDOR = /^(?:openai|anthropic|google|google-ai-studio|deepseek|x-ai|models|workers-ai)\//;
/** The suffix of a model's release, which costs what the model costs. */
const RELEASE = /-(?:latest|\d{4}-\d{2}-\d{2}|\d{8})$/;

/** OpenRouter writes the versions of Claude with a dot. */
const DOTTED = /^(claude-.*)\./;

/** Returns the price of a model by its name at the provider; empty if it is not known. A similar name is not enough. */
export function priceOf(model: string): { price?: Price } {
  const name = model.toLowerCase().replace(VENDOR, "").replace(RELEASE, "").replace(DOTTED, "$1-");
  const price = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  return price ? { price } : {};
}
