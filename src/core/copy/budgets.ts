// What people read of budgets.

import type { BudgetUnit, SpentBudget } from "../money/limit.ts";
import type { NearBudget } from "../state/day-usage.ts";
import { limitText, moneyText } from "./money.ts";

const NOUNS = { turns: ["answer", "answers"], tokens: ["token", "tokens"] } as const;

/** Exactly, as limits are. */
export const amount = (count: number, unit: BudgetUnit): string =>
  unit === "microUsd" ? limitText(count) : `${count.toLocaleString("en")} ${NOUNS[unit][count === 1 ? 0 : 1]}`;

/** A part of what a limit allows. */
export const shareOf = (used: number, limit: number, unit: BudgetUnit): string =>
  `${usedText(used, unit)} of ${amount(limit, unit)}`;

/** Money to the cent, a count exactly. */
const usedText = (used: number, unit: BudgetUnit): string =>
  unit === "microUsd" ? moneyText(used) : used.toLocaleString("en");

/** Discord shows it in the reader's own words and time (epoch milliseconds). Never too early. Only for what is read soon. */
export const relatively = (at: number): string => moment(at, "R");

/** The same, also for what stays in a channel and is read later. `f`: the day and the minute; `T`: the time with its seconds. */
export const moment = (at: number, style: "f" | "T" | "R"): string => `<t:${Math.ceil(at / 1000)}:${style}>`;

const SPENDERS = {
  user: { who: "You have", whose: "your", see: "Use `/bot usage` to see more." },
  channel: { who: "This channel has", whose: "its", see: "Use `/bot usage` to see more." },
  server: { who: "This server has", whose: "its", see: "Use `/bot usage` to see more." },
  deployment: { who: "I have", whose: "my", see: "Only my owner can change that. Try again then." },
} as const;

/** A budget that is used up, or held by other answers, and what to do. */
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

/** A budget that is nearly used up. */
export function nearText({ of, unit, limit, used }: NearBudget): string {
  const { who, whose } = SPENDERS[of];
  return `${who} used ${usedText(used, unit)} of ${whose} ${amount(limit, unit)} for today.`;
}

/** A person who asked too often in the last minute. `limit` is how often one may ask; epoch milliseconds. */
export const tooOftenText = (limit: number, againAt: number): string =>
  `One person can ask me ${limit === 1 ? "once" : `${limit} times`} a minute here. You can ask again ${relatively(againAt)}.`;
