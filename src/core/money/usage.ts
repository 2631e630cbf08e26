// The usage of one step and of a whole turn: tokens and money. A turn's figures are the sums over its steps. Pure.
import { type CountedTokens, type Price, stepCost } from "./price.ts";

/** The tokens of one step as the provider counted them, or our estimate if it did not. */
export interface TokenUsage extends CountedTokens {
  /** Micro-dollars; missing: the price is not known. */
  costMicroUsd?: number;
  isEstimate?: true;
}

/** The sums over a turn's steps. Rows of an older program have only the first three. */
export interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
  modelCalls: number;
  /** The input tokens that a provider found in its cache. */
  cachedInputTokens?: number;
  /** Micro-dollars; missing: the price of no step is known. */
  microUsd?: number;
  /** The tokens of the steps whose price is not known. */
  unpriced?: number;
}

/** Whether a turn with this usage counts as an answer. Not if it was refused or stopped before it called a model or paid for a sound. */
export const isAnswer = ({ modelCalls, microUsd = 0 }: TurnUsage): boolean => modelCalls > 0 || microUsd > 0;

/** Figures to which an older program added tokens, but no money. */
export type MaybePriced = Pick<TurnUsage, "microUsd" | "unpriced">;

/** Returns how many of these figures' `tokens` have no known price. */
export const unpricedOf = ({ microUsd, unpriced }: MaybePriced, tokens: number): number =>
  unpriced ?? (microUsd === undefined ? tokens : 0);

/** Returns the step with its cost: as the provider reported it, else by the price of the model that answered. */
export function withCost(step: TokenUsage, price: Price | undefined): TokenUsage {
  if (step.costMicroUsd !== undefined || price === undefined) return step;
  return { ...step, costMicroUsd: stepCost(step, price) };
}

/** The figures that many steps don't have. */
const SELDOM = ["cachedInputTokens", "cacheWriteTokens", "costMicroUsd"] as const;

/** Adds up two tries of one step; null: a try that cost nothing. */
export function plusStep(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  if (!one || !other) return one ?? other;
  const seldom = SELDOM.filter((key) => (one[key] ?? other[key]) !== undefined);
  return {
    ...one,
    ...other,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...Object.fromEntries(seldom.map((key) => [key, (one[key] ?? 0) + (other[key] ?? 0)])),
  };
}

/** Adds one step to a turn's usage; null: a step that cost nothing, because no provider began to work on it. */
export function withStep(usage: TurnUsage, step: TokenUsage | null): TurnUsage {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, costMicroUsd } = step ?? {};
  const stepUnpriced = costMicroUsd === undefined ? inputTokens + outputTokens : 0;
  const cached = (usage.cachedInputTokens ?? 0) + cachedInputTokens;
  const unpriced = unpricedOf(usage, usage.inputTokens + usage.outputTokens) + stepUnpriced;
  const microUsd = costMicroUsd === undefined ? usage.microUsd : (usage.microUsd ?? 0) + costMicroUsd;
  return {
    inputTokens: usage.inputTokens + inputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    modelCalls: usage.modelCalls + 1,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(microUsd !== undefined && { microUsd }),
    ...(unpriced > 0 && { unpriced }),
  };
}

/** Adds a charge other than the model's own calls: for a picture, or for transcribing a sound. In micro-dollars. */
export const withCharge = (usage: TurnUsage, microUsd: number): TurnUsage => {
  const unpriced = unpricedOf(usage, usage.inputTokens + usage.outputTokens);
  return { ...usage, microUsd: (usage.microUsd ?? 0) + microUsd, ...(unpriced > 0 && { unpriced }) };
};
