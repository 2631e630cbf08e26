// Recurrence rules, and when each comes next. Pure. A rule is a calendar, a time of day and a zone, so that it keeps its hour when the
// clocks change; only hours and minutes are counted in real time.
import { DAY_MS, momentFrom, type WallTime, wallTimeAt } from "./zoned-time.ts";

/**
 * When something recurs, stored as JSON. `every`: how many of the unit lie between two occurrences. `from`: with `ms` a moment (epoch
 * milliseconds), else the first day, as days since 1970. Weekdays are counted from Monday, 0. A day that a month doesn't have means its last.
 */
export type Rule =
  | { unit: "ms"; every: number; from: number }
  | ({ every: number; from: number; hour: number; minute: number; zone: string } & (
      | { unit: "day" }
      | { unit: "week"; days: readonly number[] }
      | { unit: "month"; day: number }
    ));
/** A rule that goes by the clock of a time zone. */
export type CalendarRule = Exclude<Rule, { unit: "ms" }>;

/** Returns the rule's first occurrence after this time, in epoch milliseconds. */
export function nextOccurrence(rule: Rule, after: number): number {
  if (rule.unit === "ms") return rule.from + Math.max(0, Math.floor((after - rule.from) / rule.every) + 1) * rule.every;
  let day = Math.max(rule.from, dayNumber(wallTimeAt(after, rule.zone)) - 1);
  for (;;) {
    const at = isOn(rule, day) ? momentOn(rule, day) : after;
    if (at > after) return at;
    day++;
  }
}

function isOn(rule: CalendarRule, day: number): boolean {
  const isTurn = (distance: number) => distance % rule.every === 0;
  switch (rule.unit) {
    case "day":
      return isTurn(day - rule.from);
    case "week":
      return rule.days.includes(weekday(day)) && isTurn(week(day) - week(rule.from));
    case "month": {
      const [date, first] = [dateOf(day), dateOf(rule.from)];
      const lastDay = new Date(Date.UTC(date.year, date.month, 0)).getUTCDate();
      return (
        date.day === Math.min(rule.day, lastDay) && isTurn((date.year - first.year) * 12 + date.month - first.month)
      );
    }
  }
}

const momentOn = ({ hour, minute, zone }: CalendarRule, day: number): number =>
  momentFrom({ ...dateOf(day), hour, minute }, zone).at;

/** Returns a date as days since 1970. */
export const dayNumber = ({ year, month, day }: Pick<WallTime, "year" | "month" | "day">): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

function dateOf(day: number): Pick<WallTime, "year" | "month" | "day"> {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The first day of 1970 was a Thursday. */
const weekday = (day: number): number => (day + 3) % 7;
const week = (day: number): number => Math.floor((day + 3) / 7);
