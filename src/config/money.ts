// Reads the deployment's own limits of money.
import { DOLLAR } from "../core/money/price.ts";

/** The limits, in micro-dollars; 0: no limit. */
export interface MoneyLimits {
  microUsdPerDay: number;
  microUsdPerMonth: number;
}

/** The variables' names. */
export type MoneyName = "MAX_USD_PER_DAY" | "MAX_USD_PER_MONTH";

/** The limit of a day if the owner sets none and costs are known, so that nobody wakes up to a surprise. */
const DEFAULT_USD_PER_DAY = 5;
const MOST_USD = 1_000_000;

/** Reads them by `value`, which returns null for one that is not set. Adds each problem, which names its variable. */
export function readMoneyLimits(
  value: (name: MoneyName) => string | null,
  hasPrices: boolean,
  problems: string[],
): MoneyLimits {
  const dollars = (name: MoneyName, fallback: number) => {
    const text = value(name);
    if (text === null) return fallback * DOLLAR;
    const amount = Number(text.replace(/^\$\s*/, "") || "none");
    // Less than a micro-dollar means the smallest limit, not none.
    if (amount >= 0 && amount <= MOST_USD) return Math.round(amount * DOLLAR) || Math.ceil(amount);
    problems.push(`${name} is not an amount of US dollars`);
    return 0;
  };
  return {
    microUsdPerDay: dollars("MAX_USD_PER_DAY", hasPrices ? DEFAULT_USD_PER_DAY : 0),
    microUsdPerMonth: dollars("MAX_USD_PER_MONTH", 0),
  };
}
