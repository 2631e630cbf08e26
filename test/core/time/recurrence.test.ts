// Rules for recurring reminders: what people say, the times that follow from it, and the hours that clocks skip or repeat.
import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { nextOccurrence } from "../../../src/core/time/occurrence.ts";
import { isRepeating, readRule } from "../../../src/core/time/recurrence.ts";
import { wallTimeAt } from "../../../src/core/time/zoned-time.ts";

/** A Wednesday, 10:30 in UTC. */
const NOW = Date.UTC(2030, 0, 2, 10, 30);

/** The next three times of a rule, or why the text is not a rule. */
function times(said: string, now = NOW, zone = "UTC", count = 3): string {
  const read = readRule(said, now, zone);
  if (!read.ok) return read.problem;
  let at = now;
  return Array.from({ length: count }, () => {
    at = nextOccurrence(read.rule, at);
    return new Date(at).toISOString().slice(0, 16);
  }).join(" ");
}

describe("readRule", () => {
  it.each([
    ["every weekday at 9", "2030-01-03T09:00 2030-01-04T09:00 2030-01-07T09:00"],
    ["Every weekday, at 9.", "2030-01-03T09:00 2030-01-04T09:00 2030-01-07T09:00"],
    ["on weekdays at 17:30", "2030-01-02T17:30 2030-01-03T17:30 2030-01-04T17:30"],
    ["every weekend at 10am", "2030-01-05T10:00 2030-01-06T10:00 2030-01-12T10:00"],
    ["every day", "2030-01-03T09:00 2030-01-04T09:00 2030-01-05T09:00"],
    ["at 9 every day", "2030-01-03T09:00 2030-01-04T09:00 2030-01-05T09:00"],
    ["daily at noon", "2030-01-02T12:00 2030-01-03T12:00 2030-01-04T12:00"],
    ["every evening at 7", "2030-01-02T19:00 2030-01-03T19:00 2030-01-04T19:00"],
    ["every other day at midnight", "2030-01-03T00:00 2030-01-05T00:00 2030-01-07T00:00"],
    ["every 3 days at 9", "2030-01-03T09:00 2030-01-06T09:00 2030-01-09T09:00"],
    ["mondays and thursdays at 8:30", "2030-01-03T08:30 2030-01-07T08:30 2030-01-10T08:30"],
    ["each tuesday at 9pm", "2030-01-08T21:00 2030-01-15T21:00 2030-01-22T21:00"],
    ["every wed", "2030-01-09T09:00 2030-01-16T09:00 2030-01-23T09:00"],
    ["weekly", "2030-01-09T09:00 2030-01-16T09:00 2030-01-23T09:00"],
    ["weekly at 18:00", "2030-01-02T18:00 2030-01-09T18:00 2030-01-16T18:00"],
    ["every 2 weeks", "2030-01-16T09:00 2030-01-30T09:00 2030-02-13T09:00"],
    ["every 3 weeks on tuesday and sunday", "2030-01-06T09:00 2030-01-22T09:00 2030-01-27T09:00"],
    ["every 3 weeks on friday", "2030-01-04T09:00 2030-01-25T09:00 2030-02-15T09:00"],
    ["every other friday", "2030-01-04T09:00 2030-01-18T09:00 2030-02-01T09:00"],
    ["every 2 weeks on mon and wed at 19:00", "2030-01-02T19:00 2030-01-14T19:00 2030-01-16T19:00"],
    ["monthly on the 1st", "2030-02-01T09:00 2030-03-01T09:00 2030-04-01T09:00"],
    ["on the 31st of every month at 9", "2030-01-31T09:00 2030-02-28T09:00 2030-03-31T09:00"],
    ["every month on the last day at 18:00", "2030-01-31T18:00 2030-02-28T18:00 2030-03-31T18:00"],
    ["every 3 months on the 5th", "2030-01-05T09:00 2030-04-05T09:00 2030-07-05T09:00"],
    ["every 9 months on the 5th", "2030-01-05T09:00 2030-10-05T09:00 2031-07-05T09:00"],
    ["monthly", "2030-02-02T09:00 2030-03-02T09:00 2030-04-02T09:00"],
    ["every year on 3 may at 9", "2030-05-03T09:00 2031-05-03T09:00 2032-05-03T09:00"],
    ["every 29 february", "2030-02-28T09:00 2031-02-28T09:00 2032-02-29T09:00"],
    ["hourly", "2030-01-02T11:30 2030-01-02T12:30 2030-01-02T13:30"],
    ["every 30 minutes", "2030-01-02T11:00 2030-01-02T11:30 2030-01-02T12:00"],
    [`every ${" ".repeat(85)}half hour`, "2030-01-02T11:00 2030-01-02T11:30 2030-01-02T12:00"],
    ["every half hour", "2030-01-02T11:00 2030-01-02T11:30 2030-01-02T12:00"],
  ])("reads %s", (said, expected) => {
    expect([isRepeating(said), times(said)]).toEqual([true, expected]);
  });

  it.each([
    ["every 29 minutes", "too_often"],
    ["every minute", "too_often"],
    ["every 2 years", "too_rare"],
    ["every 400 days", "too_rare"],
    ["every 53 weeks on monday", "too_rare"],
    ["every 3 days on monday", "not_understood"],
    ["every 2 months on monday", "not_understood"],
    ["monthly on the 1st and the 15th", "not_understood"],
    ["every", "not_understood"],
    ["every full moon", "not_understood"],
    ["every sunset", "not_understood"],
    ["every first monday of the month", "not_understood"],
    ["every friday the 13th", "not_understood"],
    ["every day at 9 and 17", "not_understood"],
    ["every 6 hours at 9", "not_understood"],
    ["every 31 june", "not_understood"],
    ["every 0 minutes", "not_understood"],
    ["every 0 days", "not_understood"],
    ["every tomorrow at 9", "not_understood"],
    ["every night at 1", "not_understood"],
    ["every year on 3 may 2031", "not_understood"],
    ["every 3 may 2031", "not_understood"],
    ["every 2 days on 3 may", "not_understood"],
    ["monthly on the 32nd", "not_understood"],
    ["monthly on the 0th", "not_understood"],
    ["every 2 days on the 15th", "not_understood"],
    ["every month on the 45th at 9", "not_understood"],
    ["every 3 months on 3 may", "not_understood"],
    [`every day${" ".repeat(88)}at 9`, "not_understood"],
  ])("refuses %s instead of guessing", (said, problem) => {
    expect(times(said)).toBe(problem);
  });

  it.each(["in 20 minutes", "tomorrow at 9", "next friday 18:00", "everyone at 9", "on sunday"])(
    "reads %s as a time that comes once",
    (said) => {
      expect(isRepeating(said)).toBe(false);
    },
  );
});

describe("nextOccurrence", () => {
  it.each([
    // Berlin: 02:30 does not exist on 31 March 2030, and comes twice on 27 October.
    ["Europe/Berlin", "every day at 9", "2030-03-30", "2030-03-30T08:00 2030-03-31T07:00 2030-04-01T07:00"],
    ["Europe/Berlin", "every day at 2:30", "2030-03-30", "2030-03-30T01:30 2030-03-31T01:30 2030-04-01T00:30"],
    ["Europe/Berlin", "every day at 2:30", "2030-10-26", "2030-10-26T00:30 2030-10-27T00:30 2030-10-28T01:30"],
    ["Europe/Berlin", "every sunday at 9", "2030-10-20", "2030-10-20T07:00 2030-10-27T08:00 2030-11-03T08:00"],
    ["America/New_York", "every weekday at 9", "2030-03-08", "2030-03-08T14:00 2030-03-11T13:00 2030-03-12T13:00"],
    ["Australia/Lord_Howe", "every day at 9", "2030-04-06", "2030-04-06T22:30 2030-04-07T22:30 2030-04-08T22:30"],
    ["Asia/Kolkata", "every day at 9", "2030-01-02", "2030-01-02T03:30 2030-01-03T03:30 2030-01-04T03:30"],
    // It is already Monday there.
    [
      "Pacific/Kiritimati",
      "every monday at 9",
      "2030-01-06T12:00",
      "2030-01-06T19:00 2030-01-13T19:00 2030-01-20T19:00",
    ],
    // A number of hours ignores clock changes.
    ["Europe/Berlin", "every 12 hours", "2030-03-30T20:00", "2030-03-31T08:00 2030-03-31T20:00 2030-04-01T08:00"],
  ])("keeps the hour in %s: %s", (zone, said, day, expected) => {
    expect(times(said, Date.parse(day.includes("T") ? `${day}Z` : `${day}T00:00Z`), zone)).toBe(expected);
  });

  it("counts minutes and hours from when the rule was made, even if a clock was ahead of that", () => {
    const read = readRule("every 30 minutes", NOW, "UTC");
    expect(read.ok && [NOW - 1, NOW].map((after) => nextOccurrence(read.rule, after) - NOW)).toEqual([
      1_800_000, 1_800_000,
    ]);
  });

  it("gives the next time, however many were missed", () => {
    const read = readRule("every weekday at 9", NOW, "UTC");
    expect(read.ok && new Date(nextOccurrence(read.rule, Date.UTC(2031, 5, 7, 12))).toISOString()).toBe(
      "2031-06-09T09:00:00.000Z",
    );
  });

  it("is always later, at the rule's time on the wall clock, and at least half an hour after the last", () => {
    const zone = constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/Santiago",
      "Africa/Cairo",
      "Pacific/Apia",
      "Asia/Beirut",
    );
    const day = constantFrom(
      "every day",
      "every weekday",
      "every other friday",
      "monthly on the last day",
      "every 3 days",
    );
    const minutes = integer({ min: 0, max: 20 * 366 * 24 * 60 });
    assert(
      property(zone, day, integer({ min: 0, max: 23 }), minutes, array(minutes, { maxLength: 5 }), (...given) => {
        const [zone, said, hour, start, waits] = given;
        const now = Date.UTC(2025, 0, 1) + start * 60_000;
        const read = readRule(`${said} at ${hour}:30`, now, zone);
        if (!read.ok) throw new Error(read.problem);
        let at = nextOccurrence(read.rule, now);
        for (const wait of waits) {
          const from = at + (wait % 10_000) * 60_000;
          const next = nextOccurrence(read.rule, from);
          expect(next).toBeGreaterThan(from);
          expect(next - at).toBeGreaterThanOrEqual(1_800_000);
          // A time that the clocks skip comes an hour later on the wall clock.
          const { hour: shown, minute } = wallTimeAt(next, zone);
          expect([`${hour}:30`, `${(hour + 1) % 24}:30`, `${hour + 1}:0`]).toContain(`${shown}:${minute}`);
          at = next;
        }
      }),
      { numRuns: 200 },
    );
  });
});
