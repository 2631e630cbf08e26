// Parses times as people say them in English, and as ISO 8601 writes them: "in 20 minutes", "tomorrow at 9", "next friday
// 18:00", "on 3 May". Pure. It refuses what it can't parse completely, because a reminder at a guessed time is worse than
// a question.
import { hourOf, isDate, isoMoment, MORNING_HOUR, readPart, type Spoken, type WallDate } from "./spoken-time.ts";
import { momentFrom, type PlacedTime, type WallTime, wallTimeAt } from "./zoned-time.ts";

/** The intended moment, or why there is none. */
export type ReadTime = ({ ok: true } & PlacedTime) | { ok: false; problem: TimeProblem };
/** Why a text gives no moment. */
export type TimeProblem = "not_understood" | "past" | "no_such_date";

/** No real time needs more characters. */
export const MAX_TIME_CHARS = 100;

/** Parses a time relative to `now` (epoch milliseconds) in a known zone. The result is always in the future. */
export function readTime(said: string, now: number, zone: string): ReadTime {
  const text = said.toLowerCase().trim();
  if (text.length > MAX_TIME_CHARS) return { ok: false, problem: "not_understood" };
  const iso = isoMoment(text, (wall) => momentFrom(wall, zone));
  const read: ReadTime = iso ?? spokenMoment(text, now, zone);
  return read.ok && read.at <= now ? { ok: false, problem: "past" } : read;
}

function spokenMoment(text: string, now: number, zone: string): ReadTime {
  const spoken: Spoken = {};
  let rest = text
    .replace(/[,.]+(?=\s|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  while (rest !== "") {
    const length = readPart(rest, spoken);
    if (length === 0) return { ok: false, problem: "not_understood" };
    rest = rest.slice(length).trimStart();
  }
  const { shift, day, weekday, clock } = spoken;
  // A date may also name its weekday.
  const isNamed = day?.kind === "date" && weekday?.isNext === false;
  const dates = [shift?.days || shift?.months, day, !isNamed && weekday].filter(Boolean).length;
  if (dates > 1 || (shift?.ms && (dates > 0 || clock || spoken.part))) return { ok: false, problem: "not_understood" };
  if (shift?.ms) return { ok: true, at: now + shift.ms, edge: null };
  return calendarMoment(spoken, now, zone);
}

function calendarMoment(spoken: Spoken, now: number, zone: string): ReadTime {
  const today = wallTimeAt(now, zone);
  const { shift, day, weekday } = spoken;
  const clock = readClock(spoken);
  const readAt = (date: WallDate, at = clock ?? { hour: MORNING_HOUR, minute: 0 }): ReadTime =>
    isDate(date) ? { ok: true, ...momentFrom({ ...date, ...at }, zone) } : { ok: false, problem: "no_such_date" };
  const isLater = (read: ReadTime) => read.ok && read.at > now;

  const present = { hour: today.hour, minute: today.minute };
  if (shift) return readAt(shifted(today, shift.days, shift.months), clock ?? present);
  if (day?.kind === "relative") return readAt(shifted(today, day.days, 0));
  if (day?.kind === "date") {
    const year = day.year ?? today.year;
    const first = readAt({ ...day, year });
    // A date that has passed this year, or that only a leap year has, means the next one.
    const isOver = day.year === undefined && !isLater(first);
    const years = [1, 2, 3, 4].map((more) => readAt({ ...day, year: year + more }));
    const read = isOver ? (years.find(isLater) ?? first) : first;
    const isOther = weekday && read.ok && dayOfWeek(wallTimeAt(read.at, zone)) !== weekday.index;
    return isOther ? { ok: false, problem: "no_such_date" } : read;
  }
  if (weekday) return readAt(weekdayDate(today, weekday, isLater(readAt(today))));
  if (!clock) return { ok: false, problem: "not_understood" };
  const first = readAt(today);
  return isLater(first) ? first : readAt(shifted(today, 1, 0));
}

/** Returns the intended hour; "in the evening" alone has a default hour, and makes "at 7" 19:00. */
export function readClock({ clock, part, day }: Spoken): { hour: number; minute: number } | null {
  if (!clock) return part ? { hour: part.usual, minute: 0 } : null;
  const { minute } = clock;
  const hour = hourOf(clock, part);
  // Midnight of a day that has already begun means the one at its end.
  const isEnding = day?.kind === "relative" && day.days === 0 && hour + minute === 0;
  return { hour: isEnding ? 24 : hour, minute };
}

/** Returns the date of a weekday. `this` or a bare name: the coming one. `next`: the one in the next week, which begins on Monday. */
function weekdayDate(
  today: WallTime,
  { index, isNext }: { index: number; isNext: boolean },
  todayFits: boolean,
): WallDate {
  const present = dayOfWeek(today);
  if (isNext) return shifted(today, 7 - present + index, 0);
  const ahead = (index - present + 7) % 7;
  return shifted(today, ahead === 0 && !todayFits ? 7 : ahead, 0);
}

/** Returns the weekday, counted from Monday, 0. */
const dayOfWeek = ({ year, month, day }: WallDate): number =>
  (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;

/** Returns the date this many days and months later; a day that its month does not have becomes the month's last day. */
function shifted({ year, month, day }: WallDate, days = 0, months = 0): WallDate {
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay) + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
