// Computes what one step of a model costs, in whole micro-dollars. The result is exact: sums of decimal prices as floating-point numbers
// would drift, so everything is counted in integers and rounded once. Pure.

/** US dollars per million tokens, which is micro-dollars per token. At most six decimals count. */
export interface Price {
  input: number;
  /** The price of input that the provider found in its cache; missing: the same as `input`. */
  cachedInput?: number | undefined;
  /** The price of input that the provider put into its cache; missing: the same as `input`. */
  cacheWrite?: number | undefined;
  output: number;
}

/** The token counts of one step. Tokens that were cached or written to the cache are part of the input. */
export interface CountedTokens {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
}

/** One dollar in micro-dollars. */
export const DOLLAR = 1_000_000;
/** No provider bills more for one step; a figure beyond it is an error. */
const MAX_STEP_DOLLARS = 1000;
const MILLION = 1_000_000n;

/** Returns a decimal in millionths of its unit. */
const millionths = (decimal: number): bigint => BigInt(Math.round(decimal * 1_000_000));

const halfUp = (amount: bigint): number => Number((amount + MILLION / 2n) / MILLION);

/** Returns the cost of one step in micro-dollars, rounded half up. Token counts are whole and not negative. */
export function stepCost(
  { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 }: CountedTokens,
  price: Price,
): number {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  const { input, cachedInput = input, cacheWrite = input, output } = price;
  return halfUp(
    BigInt(inputTokens - cached - written) * millionths(input) +
      BigInt(cached) * millionths(cachedInput) +
      BigInt(written) * millionths(cacheWrite) +
      BigInt(outputTokens) * millionths(output),
  );
}

/** Converts a cost in dollars, as a provider reports it, to micro-dollars, rounded half up; null for anything else. */
export function readCost(dollars: unknown): number | null {
  if (typeof dollars !== "number" || !(dollars >= 0 && dollars <= MAX_STEP_DOLLARS)) return null;
  return halfUp(BigInt(Math.round(dollars * 1e12)));
}
