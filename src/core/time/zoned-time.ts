// Converts wall-clock times in time zones, by Intl's data. Pure. In spring one hour of a zone's clocks does not exist, and in
// autumn one exists twice; the result reports both.

/** What a clock and a calendar on the wall show; months count from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/**
 * The moment of a wall time, in epoch milliseconds. `skipped`: the clocks jump over it, so this is when it would have been
 * without the jump. `repeated`: it comes twice, and this is the first one.
 */
export interface PlacedTime {
  at: number;
  edge: "skipped" | "repeated" | null;
}

/** The length of a day on which no clock changes. */
export const DAY_MS = 86_400_000;

/** Whether Intl knows this time zone (`Asia/Tokyo`). */
export function isTimeZone(zone: string): boolean {
  // Intl can't be asked whether it knows a zone: it throws a RangeError.
  try {
    return zoneClock(zone) !== null;
  } catch {
    return false;
  }
}

/** Returns what the clocks of a known zone show at a moment (epoch milliseconds). */
export function wallTimeAt(at: number, zone: string): WallTime {
  const parts = Object.fromEntries(
    zoneClock(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

/** Returns when the clocks of a known zone show this. Days beyond a month's end continue into the next month. */
export function momentFrom(wall: WallTime, zone: string): PlacedTime {
  const asUtc = toUtc(wall);
  // No zone changes its clocks twice within two days, so these are all the possible offsets around that time.
  const before = offsetAt(asUtc - DAY_MS, zone);
  const after = offsetAt(asUtc + DAY_MS, zone);
  const fitting = [before, after].filter((offset) => offsetAt(asUtc - offset, zone) === offset);
  const [first] = fitting;
  if (first === undefined) return { at: asUtc - before, edge: "skipped" };
  return { at: asUtc - first, edge: before !== after && fitting.length === 2 ? "repeated" : null };
}

/** Returns how far a zone's clocks are ahead of UTC, in milliseconds; always whole minutes since 1972. */
function offsetAt(at: number, zone: string): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  return toUtc(wallTimeAt(minute, zone)) - minute;
}

const toUtc = ({ year, month, day, hour, minute }: WallTime): number => Date.UTC(year, month - 1, day, hour, minute);

/** The clock of the zone used last. Making one takes twenty times as long as reading it, and one question reads it several times. */
let newest: { zone: string; clock: Intl.DateTimeFormat } | undefined;

function zoneClock(zone: string): Intl.DateTimeFormat {
  if (newest?.zone !== zone) newest = { zone, clock: makeClock(zone) };
  return newest.clock;
}

const makeClock = (timeZone: string) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
