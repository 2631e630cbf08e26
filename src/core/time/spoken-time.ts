// Reads the pieces of a spoken time, one pattern each, and the written forms that machines use. Pure; parse-time.ts decides
// what the pieces mean together. Every pattern is anchored at the beginning and has no nested repetition.
import type { PlacedTime, WallTime } from "./zoned-time.ts";

/** A date on the calendar; months from 1. */
export type WallDate = Pick<WallTime, "year" | "month" | "day">;

/** The pieces read so far, each at most once. */
export interface Spoken {
  shift?: { ms?: number; days?: number; months?: number };
  day?: { kind: "relative"; days: number } | { kind: "date"; year?: number; month: number; day: number };
  weekday?: { index: number; isNext: boolean };
  /** `isExact`: said with am or pm, or as noon or midnight, so that "in the evening" can't change it. */
  clock?: { hour: number; minute: number; isExact: boolean };
  part?: { usual: number; isLate: boolean };
}

const NUMBERS = "a an one two three four five six seven eight nine ten eleven twelve".split(" ");
const TENS: Record<string, number> = {
  half: 0.5,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  "forty-five": 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** How the names of the weekdays begin, starting with Monday. */
export const WEEKDAYS = "mon tue wed thu fri sat sun".split(" ");
/** The hour if only a day was given. */
export const MORNING_HOUR = 9;
const PARTS: Record<string, { usual: number; isLate: boolean }> = {
  morning: { usual: MORNING_HOUR, isLate: false },
  afternoon: { usual: 15, isLate: true },
  evening: { usual: 19, isLate: true },
  night: { usual: 21, isLate: true },
};
/** A late part of the day begins this many hours before its usual hour. */
const LATE_HOURS = 3;
const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

const AMOUNT = new RegExp(
  `^(?:in |after |and )?(\\d{1,4}(?:\\.\\d{1,2})?|half an?|${[...NUMBERS, ...Object.keys(TENS)].join("|")}) ?(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|years?)(?![a-z])( and a half)?(?: from now| later)?`,
);
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY_MONTH = new RegExp(
  `^(?:on )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?![a-z])(?: (\\d{4})(?![\\d:]))?`,
);
const MONTH_DAY = new RegExp(`^(?:on )?${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?: (\\d{4})(?![\\d:]))?`);
const RELATIVE_DAY =
  /^(?:on )?(?:the )?(day after tomorrow|tomorrow|today|tonight|this(?= (?:morning|afternoon|evening)))/;
const WEEKDAY =
  /^(?:on )?(this |next |coming )?(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?(?![a-z])/;
const PART = /^(?:in the |at )?(morning|afternoon|evening|night)(?![a-z])/;
const NAMED_CLOCK = /^(?:at )?(noon|midday|midnight)(?![a-z])/;
const CLOCK = /^(?:at |by |@ ?)?(\d{1,2})(?:[:.](\d{2}))?(?: ?(am|pm|a\.m|p\.m)| ?o'?clock)?(?![\d:a-z])/;

/**
 * Reads the piece at the beginning of the text into `spoken`. Returns its length, or 0 if there is none, if it was given already, or if it
 * makes the hour unclear.
 */
export function readPart(text: string, spoken: Spoken): number {
  for (const read of [amount, dayMonth, monthDay, relativeDay, weekday, partOfDay, namedClock, clock]) {
    const length = read(text, spoken);
    if (length > 0) return isUnclear(spoken) ? 0 : length;
  }
  return 0;
}

/** Returns the hour of a clock; a late part of the day makes "at 7" 19:00. */
export const hourOf = ({ hour, isExact }: NonNullable<Spoken["clock"]>, part: Spoken["part"]): number =>
  part?.isLate && !isExact && hour > 0 && hour < 12 ? hour + 12 : hour;

/** Whether the hour is unclear: "tonight at 1" or at 12 may be in the next day, and 12 in the morning may be noon or midnight. */
const isUnclear = ({ clock, part }: Spoken): boolean =>
  part !== undefined &&
  clock?.isExact === false &&
  clock.hour > 0 &&
  (part.isLate ? hourOf(clock, part) < part.usual - LATE_HOURS : clock.hour === 12);

function amount(text: string, spoken: Spoken): number {
  const [whole = "", count = "", unit = "", half] = text.match(AMOUNT) ?? [];
  if (whole === "") return 0;
  const number = readNumber(count) + (half ? 0.5 : 0);
  const kind = /^mon/.test(unit) ? "month" : (unit[0] ?? "");
  const shift = { ...spoken.shift };
  const ms = UNIT_MS[kind];
  if (ms !== undefined) shift.ms = (shift.ms ?? 0) + Math.round(number * ms);
  else if (!Number.isInteger(number)) return 0;
  else if (kind === "d" || kind === "w") shift.days = (shift.days ?? 0) + number * (kind === "w" ? 7 : 1);
  else shift.months = (shift.months ?? 0) + number * (kind === "y" ? 12 : 1);
  spoken.shift = shift;
  return whole.length;
}

function readNumber(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  return TENS[word.split(" ")[0] ?? ""] ?? Math.max(1, NUMBERS.indexOf(word) - 1);
}

const dayMonth = (text: string, spoken: Spoken) => {
  const [whole = "", day, month = "", year] = text.match(DAY_MONTH) ?? [];
  return takeDate(whole, day, month, year, spoken);
};
const monthDay = (text: string, spoken: Spoken) => {
  const [whole = "", month = "", day, year] = text.match(MONTH_DAY) ?? [];
  return takeDate(whole, day, month, year, spoken);
};

function takeDate(whole: string, day = "", month: string, year: string | undefined, spoken: Spoken): number {
  if (whole === "" || spoken.day) return 0;
  const date = { month: MONTHS.indexOf(month.slice(0, 3)) + 1, day: Number(day) };
  spoken.day = { kind: "date", ...date, ...(year === undefined ? {} : { year: Number(year) }) };
  return whole.length;
}

function relativeDay(text: string, spoken: Spoken): number {
  const [whole = "", name = ""] = text.match(RELATIVE_DAY) ?? [];
  if (whole === "" || spoken.day) return 0;
  spoken.day = { kind: "relative", days: name === "tomorrow" ? 1 : name === "day after tomorrow" ? 2 : 0 };
  if (name === "tonight") spoken.part = { usual: 20, isLate: true };
  return whole.length;
}

function weekday(text: string, spoken: Spoken): number {
  const [whole = "", which, name = ""] = text.match(WEEKDAY) ?? [];
  if (whole === "" || spoken.weekday) return 0;
  spoken.weekday = { index: WEEKDAYS.indexOf(name.slice(0, 3)), isNext: which === "next " };
  return whole.length;
}

function partOfDay(text: string, spoken: Spoken): number {
  const [whole = "", name = ""] = text.match(PART) ?? [];
  const part = PARTS[name];
  if (!part || spoken.part) return 0;
  spoken.part = part;
  return whole.length;
}

function namedClock(text: string, spoken: Spoken): number {
  const [whole = "", name] = text.match(NAMED_CLOCK) ?? [];
  if (whole === "" || spoken.clock) return 0;
  spoken.clock = { hour: name === "midnight" ? 0 : 12, minute: 0, isExact: true };
  return whole.length;
}

/** Reads a clock time. A bare number is an hour only at the end of the text or if something marks it as one: "at 9", "9 pm", "9:00". */
function clock(text: string, spoken: Spoken): number {
  const [whole = "", hours = "", minutes, half] = text.match(CLOCK) ?? [];
  const isSaid = whole.length > hours.length || whole === text;
  const hour = half ? (Number(hours) % 12) + (half.startsWith("p") ? 12 : 0) : Number(hours);
  const isHour = half ? Number(hours) >= 1 && Number(hours) <= 12 : hour < 24;
  if (whole === "" || spoken.clock || !isSaid || !isHour || Number(minutes ?? 0) > 59) return 0;
  spoken.clock = { hour, minute: Number(minutes ?? 0), isExact: half !== undefined };
  return whole.length;
}

/** No clock is more than 14 hours from UTC. */
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?(z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;
/** A moment as Discord writes it in a message. */
const TIMESTAMP = /^<t:(\d{1,11})(?::[a-z])?>$/;

/** Reads a moment in ISO 8601, with or without an offset, or a Discord timestamp; null for anything else. */
export function isoMoment(
  text: string,
  inZone: (wall: WallTime) => PlacedTime,
): ({ ok: true } & PlacedTime) | { ok: false; problem: "no_such_date" } | null {
  const [, seconds] = text.match(TIMESTAMP) ?? [];
  if (seconds !== undefined) return { ok: true, at: Number(seconds) * 1000, edge: null };
  const [whole, year, month, day, hour = String(MORNING_HOUR), minute = "0", second = "0", offset] =
    text.match(ISO) ?? [];
  if (whole === undefined) return null;
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
  };
  if (!isDate(wall) || wall.hour > 23 || wall.minute > 59) return { ok: false, problem: "no_such_date" };
  const ms = Math.min(59, Number(second)) * 1000;
  if (offset === undefined) {
    const { at, edge } = inZone(wall);
    return { ok: true, at: at + ms, edge };
  }
  return {
    ok: true,
    at: Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) + ms - offsetMs(offset),
    edge: null,
  };
}

function offsetMs(offset: string): number {
  const [, sign = "+", hours = "0", minutes = "0"] = offset.match(/^([+-])(\d{2}):?(\d{2})$/) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Whether this date exists. */
export function isDate({ year, month, day }: WallDate): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
