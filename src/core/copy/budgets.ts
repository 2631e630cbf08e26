// What people read of budgets.
import type { Budgets, NearBudget, SpentBudget, Used } from "../state/budget.ts";
import type { UsageReport } from "../state/rpc.ts";

const amount = (count: number, unit: SpentBudget["unit"]): string =>
  `${count.toLocaleString("en")} ${unit === "tokens" ? (count === 1 ? "token" : "tokens") : count === 1 ? "answer" : "answers"}`;

/** Discord shows it in the reader's own words and time. */
const relatively = (at: number): string => `<t:${Math.floor(at / 1000)}:R>`;

/** A budget that is used up, and what to do. */
export const spentText = ({ of, unit, limit, resetsAt }: SpentBudget): string =>
  `${of === "user" ? "You have" : "This channel has"} used up ${of === "user" ? "your" : "its"} ${amount(limit, unit)} for today. The limit resets ${relatively(resetsAt)}. Use \`/bot usage\` to see more.`;

/** A budget that is nearly used up. */
export const nearText = ({ of, unit, limit, used }: NearBudget): string =>
  `${of === "user" ? "You have" : "This channel has"} used ${used.toLocaleString("en")} of ${of === "user" ? "your" : "its"} ${amount(limit, unit)} for today.`;

/** What was used today, of how much. */
export function usageText({ used, limits, resetsAt }: UsageReport): string {
  return [
    usageLine("You", used.user, limits.user),
    usageLine("This channel", used.channel, limits.channel),
    `-# Counted since midnight UTC, in this channel only. Resets ${relatively(resetsAt)}.`,
  ].join("\n");
}

const usageLine = (who: string, used: Used, limits: Budgets["user"]): string =>
  `${who}: ${share(used, limits, "turns")}, ${share(used, limits, "tokens")}.`;

const share = (used: Used, limits: Used, unit: SpentBudget["unit"]): string =>
  limits[unit] === 0
    ? `${amount(used[unit], unit)} (no limit)`
    : `${used[unit].toLocaleString("en")} of ${amount(limits[unit], unit)}`;
