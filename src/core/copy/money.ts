// Writes amounts of money. The program counts in micro-dollars.
import { DOLLAR } from "../money/price.ts";

/** The smallest amount that is shown as a number. */
const LEAST = 100;

/** Writes a cost: to a hundredth of a cent below one dollar, and to the cent above. `unpriced`: how many tokens have no known price. */
export function moneyText(microUsd: number, unpriced = 0): string {
  if (unpriced > 0) return `${moneyText(microUsd)} and more`;
  if (microUsd === 0) return "$0";
  if (microUsd < LEAST) return "less than $0.0001";
  const dollars = Math.round(microUsd / LEAST) / 10_000;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${dollars < 1 ? dollars.toFixed(4) : dollars.toLocaleString("en", digits)}`;
}

/** Writes a limit exactly as it was set: `$5`, `$0.50`, `$0.000001`. */
export function limitText(microUsd: number): string {
  const whole = Math.floor(microUsd / DOLLAR).toLocaleString("en");
  const rest = microUsd % DOLLAR;
  if (rest === 0) return `$${whole}`;
  return `$${whole}.${String(rest)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "")}`;
}
