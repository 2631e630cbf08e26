// What people read about budgets.

import type { BudgetUnit, SpentBudget } from "../money/limit.ts";
import type { NearBudget } from "../state/day-usage.ts";
import { limitText, moneyText } from "./money.ts";

const NOUNS = { turns: ["answer", "answers"], tokens: ["token", "tokens"] } as const;

/** Writes an exact amount, as for limits. */
export const amount = (count: number, unit: BudgetUnit): string =>
  unit === "microUsd" ? limitText(count) : `${count.toLocaleString("en")} ${NOUNS[unit][count === 1 ? 0 : 1]}`;

/** Writes how much of a limit is used. */
export const shareOf = (used: number, limit: number, unit: BudgetUnit): string =>
  `${usedText(used, unit)} of ${amount(limit, unit)}`;

/** Writes money rounded, and a count exactly. */
const usedText = (used: number, unit: BudgetUnit): string =>
  unit === "microUsd" ? moneyText(used) : used.toLocaleString("en");

/** Writes a time (epoch milliseconds) that Discord shows in the reader's language, as "in 5 minutes". Never too early. For texts read soon. */
export const relatively = (at: number): string => moment(at, "R");

/** Does the same in other styles, also for texts that stay in a channel. `f`: the day and the minute; `T`: the time with seconds. */
export const moment = (at: number, style: "f" | "T" | "R"): string => `<t:${Math.ceil(at / 1000)}:${style}>`;

const SPENDERS = {
  user: { who: "You have", whose: "your", see: "Use `/bot usage` to see more." },
  channel: { who: "This channel has", whose: "its", see: "Use `/bot usage` to see more." },
  server: { who: "This server has", whose: "its", see: "Use `/bot usage` to see more." },
  deployment: { who: "I have", whose: "my", see: "Try again then. Only my owner can change it." },
} as const;

/** Says that a budget is used up, or lent to other answers, and what to do. */
export function spentText({ of, unit, per, limit, isHeld, hasReset, resetsAt }: SpentBudget): string {
  const { who, whose, see } = SPENDERS[of];
  const period = per === "month" ? "for this month" : "for today";
  if (isHeld)
    return `${who} answers running that may use up what is left of ${whose} ${amount(limit, unit)} ${period}. Try again in a minute.`;
  const span = per ?? "day";
  if (hasReset)
    return `${who} used up ${whose} ${amount(limit, unit)} for the ${span} when this answer began. A new ${span} has begun, so you can ask again.`;
  return `${who} used up ${whose} ${amount(limit, unit)} ${period}. The limit resets on ${moment(resetsAt, "f")}. ${see}`;
}

/** Says that a budget is nearly used up. */
export function nearText({ of, unit, limit, used }: NearBudget): string {
  const { who, whose } = SPENDERS[of];
  return `${who} used ${usedText(used, unit)} of ${whose} ${amount(limit, unit)} for today.`;
}

/** Says that a person asked too often in the last minute. `limit`: how often one may ask; `againAt`: epoch milliseconds. */
export const tooOftenText = (limit: number, againAt: number): string =>
  `One person can ask me ${limit === 1 ? "once" : `${limit} times`} a minute here. You can ask again ${relatively(againAt)}.`;
