// Parses recurrence rules as people say them: "every weekday at 9", "every 2 weeks on monday at 18:00", "monthly on the 1st". Pure. It
// refuses what it can't parse completely.
import { type CalendarRule, dayNumber, nextOccurrence, type Rule } from "./occurrence.ts";
import { MAX_TIME_CHARS, readClock } from "./parse-time.ts";
import { isDate, MORNING_HOUR, readPart, type Spoken, WEEKDAYS } from "./spoken-time.ts";
import { DAY_MS, wallTimeAt } from "./zoned-time.ts";

/** The intended rule, or why there is none. */
export type ReadRule = { ok: true; rule: Rule } | { ok: false; problem: RuleProblem };
/** Why a text gives no rule. `too_rare`: more than a year between two occurrences. */
export type RuleProblem = "not_understood" | "too_often" | "too_rare";

/** The shortest time between two occurrences: anything more frequent would be a program and not a reminder. */
const MIN_RULE_MS = 30 * 60_000;

const MORNING = { hour: MORNING_HOUR, minute: 0 };
const MAX_DAYS = 366;
const MAX_MONTHS = 12;

const REPEATING =
  /\b(?:every|each|hourly|daily|weekly|monthly|yearly|annually|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/;
/** Whether the text asks for something that repeats. */
export const isRepeating = (said: string): boolean => REPEATING.test(said.toLowerCase());

/** Parses a rule whose first occurrence is after `now` (epoch milliseconds), in a known zone. */
export function readRule(said: string, now: number, zone: string): ReadRule {
  const pieces = said.length > MAX_TIME_CHARS ? null : readPieces(normalized(said));
  const rule = pieces && buildRule(pieces, now, zone);
  if (!rule) return { ok: false, problem: "not_understood" };
  if (rule.unit === "ms" && rule.every < MIN_RULE_MS) return { ok: false, problem: "too_often" };
  const longest = { ms: MAX_DAYS * DAY_MS, day: MAX_DAYS, week: MAX_DAYS / 7, month: MAX_MONTHS }[rule.unit];
  return rule.every > longest ? { ok: false, problem: "too_rare" } : { ok: true, rule };
}

/** The pieces of a rule: those of a spoken time, its weekdays, and its day of the month (32: the last). */
interface Pieces extends Spoken {
  days: Set<number>;
  monthDay?: number;
}

const DAY_NAME = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?(?![a-z])";
const UNIT = "(?=(?:minute|min|hour|day|week|month|year)\\b|morning|afternoon|evening|night)";
const ADVERBS = { hour: "hourly", day: "daily", week: "weekly", month: "monthly", year: "yearly|annually" };

/** Rewrites the text in words that the patterns below know: "every" becomes a number. */
function normalized(said: string): string {
  const plain = said
    .toLowerCase()
    .replace(/[,.]+(?=\s|$)|&|\band\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const counted = Object.entries(ADVERBS).reduce(
    (text, [unit, adverb]) => text.replace(new RegExp(`\\b(?:${adverb})\\b`), `1 ${unit}`),
    plain,
  );
  return counted
    .replace(/\b(?:of )?(?:the|each|every) month\b(?<= of .*)/, "of month")
    .replace(new RegExp(`\\b(?:every|each) other (?=${DAY_NAME})`), "2 weeks ")
    .replace(/\b(?:every|each) other\b/, "2")
    .replace(new RegExp(`\\b(?:every|each) ${UNIT}`), "1 ")
    .replace(/\b1 (?=morning|afternoon|evening|night)/, "1 day ")
    .replace(/\b(?:every|each) /g, "");
}

const DAY_NAMES = new RegExp(`^(?:on )?(?:(weekday|weekend)s?(?![a-z])|(${DAY_NAME}))`);
const MONTH_DAY = /^(?:on )?(?:the )?(?:(last) day|(\d{1,2})(?:st|nd|rd|th))(?: of month)?(?![a-z])/;

function readPieces(text: string): Pieces | null {
  const pieces: Pieces = { days: new Set() };
  let rest = text;
  while (rest !== "") {
    const length = readDays(rest, pieces) || readPart(rest, pieces) || readMonthDay(rest, pieces);
    if (length === 0) return null;
    rest = rest.slice(length).trimStart();
  }
  return pieces;
}

function readDays(text: string, { days }: Pieces): number {
  const [whole = "", group, name = ""] = text.match(DAY_NAMES) ?? [];
  if (whole === "") return 0;
  const named = group === "weekday" ? [0, 1, 2, 3, 4] : group ? [5, 6] : [WEEKDAYS.indexOf(name.slice(0, 3))];
  for (const day of named) days.add(day);
  return whole.length;
}

function readMonthDay(text: string, pieces: Pieces): number {
  const [whole = "", last, day] = text.match(MONTH_DAY) ?? [];
  if (whole === "" || pieces.monthDay !== undefined || Number(day) > 31) return 0;
  pieces.monthDay = last ? 32 : Number(day);
  return whole.length;
}

/** Builds the rule; null if the pieces make no rule together. */
function buildRule(pieces: Pieces, now: number, zone: string): Rule | null {
  const { shift = {}, day, monthDay, days } = pieces;
  const { ms = 0, days: dayShift = 0, months = 0 } = shift;
  const at = readClock(pieces);
  const named = [ms > 0, days.size > 0, monthDay !== undefined, day !== undefined].filter(Boolean).length;
  if (pieces.weekday || named > 1 || [ms, dayShift, months].filter((one) => one > 0).length > 1) return null;
  if (ms > 0) return at ? null : { unit: "ms", every: ms, from: now + ms };
  const today = wallTimeAt(now, zone);
  const base = { every: 1, from: dayNumber(today), ...(at ?? MORNING), zone };
  if (days.size > 0) {
    if (months > 0 || dayShift % 7 > 0) return null;
    return startedAt({ ...base, unit: "week", days: [...days].sort() }, dayShift / 7, now);
  }
  if (day) {
    if (day.kind !== "date" || day.year !== undefined || dayShift > 0 || months % 12 > 0) return null;
    // A leap year has every date.
    if (!isDate({ ...day, year: 2028 })) return null;
    const from = dayNumber({ ...day, year: today.year, day: 1 });
    return startedAt({ ...base, unit: "month", day: day.day, every: 12, from }, months, now);
  }
  if (monthDay !== undefined)
    return dayShift > 0 || monthDay === 0 ? null : startedAt({ ...base, unit: "month", day: monthDay }, months, now);
  if (months > 0) return startedAt({ ...base, unit: "month", day: today.day, every: months }, months, now);
  // "Weekly", like "monthly", goes by the day on which it is said; "every 3 days" may begin tomorrow.
  const every = dayShift % 7 > 0 ? 1 : dayShift;
  return dayShift > 0 ? startedAt({ ...base, unit: "day", every }, dayShift, now) : null;
}

/** Returns the rule with its interval, counted from its first occurrence. */
function startedAt(rule: CalendarRule, every: number, now: number): Rule {
  const first = wallTimeAt(nextOccurrence(rule, now), rule.zone);
  return { ...rule, every: every || rule.every, from: dayNumber(first) };
}
