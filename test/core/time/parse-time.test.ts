// Times as people write them, and the hours that clocks skip or repeat.
import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { readTime } from "../../../src/core/time/parse-time.ts";
import { isTimeZone, momentFrom, wallTimeAt } from "../../../src/core/time/zoned-time.ts";

/** A Wednesday, 10:30 in UTC, 11:30 in Berlin. */
const NOW = Date.UTC(2030, 0, 2, 10, 30);
const inUtc = (said: string, now = NOW, zone = "UTC") => {
  const read = readTime(said, now, zone);
  return read.ok ? `${new Date(read.at).toISOString().slice(0, 16)}${read.edge ? ` ${read.edge}` : ""}` : read.problem;
};

describe("readTime", () => {
  it.each([
    ["in 20 minutes", "2030-01-02T10:50"],
    ["In 20 Minutes.", "2030-01-02T10:50"],
    ["20 min", "2030-01-02T10:50"],
    ["1h30m", "2030-01-02T12:00"],
    ["in an hour", "2030-01-02T11:30"],
    ["in half an hour", "2030-01-02T11:00"],
    ["in 2 hours and 15 minutes", "2030-01-02T12:45"],
    ["in an hour and a half", "2030-01-02T12:00"],
    ["in 1.5 hours", "2030-01-02T12:00"],
    ["two hours from now", "2030-01-02T12:30"],
    ["in forty-five minutes", "2030-01-02T11:15"],
    ["in 3 days", "2030-01-05T10:30"],
    ["in 3 days at 9", "2030-01-05T09:00"],
    ["in two weeks at 18:15", "2030-01-16T18:15"],
    ["in a month", "2030-02-02T10:30"],
    ["in 1 year", "2031-01-02T10:30"],
    ["tomorrow", "2030-01-03T09:00"],
    ["tomorrow at 9", "2030-01-03T09:00"],
    ["tomorrow 9", "2030-01-03T09:00"],
    ["tomorrow at 9:45 pm", "2030-01-03T21:45"],
    ["tomorrow at 12 am", "2030-01-03T00:00"],
    ["at 12pm tomorrow", "2030-01-03T12:00"],
    ["9 pm tomorrow", "2030-01-03T21:00"],
    ["tomorrow evening at 7", "2030-01-03T19:00"],
    ["tomorrow at 1 am", "2030-01-03T01:00"],
    ["tomorrow at 9:59", "2030-01-03T09:59"],
    [`tomorrow ${" ".repeat(87)}at 9`, "2030-01-03T09:00"],
    ["tomorrow morning", "2030-01-03T09:00"],
    ["Friday, 4 January 2030 at 10:00", "2030-01-04T10:00"],
    ["fri 4 jan 10am", "2030-01-04T10:00"],
    ["January 4, 2030 (friday)", "not_understood"],
    ["friday 5 january", "no_such_date"],
    ["wednesday, 2 january 2031", "no_such_date"],
    ["next friday 4 january", "not_understood"],
    ["friday tomorrow", "not_understood"],
    ["the day after tomorrow at noon", "2030-01-04T12:00"],
    ["tonight", "2030-01-02T20:00"],
    ["tonight at 9", "2030-01-02T21:00"],
    ["tonight at midnight", "2030-01-03T00:00"],
    ["at midnight tonight", "2030-01-03T00:00"],
    ["tonight at 12 am", "2030-01-03T00:00"],
    ["12:30 in the afternoon", "2030-01-02T12:30"],
    ["this afternoon", "2030-01-02T15:00"],
    ["midnight", "2030-01-03T00:00"],
    ["at 11", "2030-01-02T11:00"],
    ["at 10", "2030-01-03T10:00"],
    ["at 10:30", "2030-01-03T10:30"],
    ["at 11:59", "2030-01-02T11:59"],
    ["at 1 pm", "2030-01-02T13:00"],
    ["today at 20:20", "2030-01-02T20:20"],
    ["tonight at 0", "2030-01-03T00:00"],
    ["tomorrow night at 0:30", "2030-01-03T00:30"],
    [`tomorrow${" ".repeat(88)}at 9`, "2030-01-03T09:00"],
    ["9 o'clock", "2030-01-03T09:00"],
    ["18:00", "2030-01-02T18:00"],
    ["friday", "2030-01-04T09:00"],
    ["on friday at 18:00", "2030-01-04T18:00"],
    ["next friday 18:00", "2030-01-11T18:00"],
    ["this friday, 6pm", "2030-01-04T18:00"],
    ["next wednesday", "2030-01-09T09:00"],
    ["wednesday at 11:00", "2030-01-02T11:00"],
    ["wednesday at 10:00", "2030-01-09T10:00"],
    ["wednesday at 10:30", "2030-01-09T10:30"],
    ["monday morning", "2030-01-07T09:00"],
    ["on 3 May", "2030-05-03T09:00"],
    ["3rd of May at 14:30", "2030-05-03T14:30"],
    ["May 3", "2030-05-03T09:00"],
    ["May 3rd, 2032, 8am", "2032-05-03T08:00"],
    ["at 8 on the 1st of January", "2031-01-01T08:00"],
    ["Feb 29", "2032-02-29T09:00"],
    ["2030-05-03", "2030-05-03T09:00"],
    ["2030-05-03T18:00", "2030-05-03T18:00"],
    ["2030-05-03 18:00:30", "2030-05-03T18:00"],
    ["2030-05-03T18:00:00Z", "2030-05-03T18:00"],
    ["2030-05-03T18:00:00.000+02:00", "2030-05-03T16:00"],
    ["2030-05-03T18:00-0530", "2030-05-03T23:30"],
    ["<t:1904032800:R>", "2030-05-03T10:00"],
  ])("reads %s as %s", (said, expected) => {
    expect(inUtc(said)).toBe(expected);
  });

  it.each([
    ["", "not_understood"],
    ["soon", "not_understood"],
    ["next", "not_understood"],
    ["in 20", "not_understood"],
    ["in 1.5 days", "not_understood"],
    ["tomorrow friday", "not_understood"],
    ["at 9 at 10", "not_understood"],
    ["in 20 minutes at 9", "not_understood"],
    [`tomorrow${" ".repeat(89)}at 9`, "not_understood"],
    ["in 3 days on friday", "not_understood"],
    ["in a month on friday", "not_understood"],
    ["tomorrow morning evening", "not_understood"],
    ["9 tomorrow", "not_understood"],
    ["at 24", "not_understood"],
    ["at 25", "not_understood"],
    ["at 0 pm", "not_understood"],
    ["at 13 pm", "not_understood"],
    ["at 24", "not_understood"],
    [`tomorrow ${" ".repeat(88)}at 9`, "not_understood"],
    ["at 9:75", "not_understood"],
    ["tonight at 12", "not_understood"],
    ["at 1 tonight", "not_understood"],
    ["tomorrow night at 2:30", "not_understood"],
    ["12/24", "not_understood"],
    ["today", "past"],
    ["today at 10:30", "past"],
    ["this morning", "past"],
    ["2030-01-02T10:30:00Z", "past"],
    ["2029-12-31", "past"],
    ["3 May 2029", "past"],
    ["31 June", "no_such_date"],
    ["Feb 30", "no_such_date"],
    ["2030-02-30", "no_such_date"],
    ["2030-13-01T00:00", "no_such_date"],
    ["2030-01-05T24:00", "no_such_date"],
    ["2030-05-03T18:00+99:00", "not_understood"],
    ["2030-05-03T18:00-14:60", "not_understood"],
    ["tomorrow at 12 in the morning", "not_understood"],
    ["tomorrow morning at 12:30", "not_understood"],
    ["every day at 9", "not_understood"],
    ["daily", "not_understood"],
    [`in ${"1".repeat(200)} minutes`, "not_understood"],
  ])("refuses %j: %s", (said, problem) => {
    expect(inUtc(said)).toBe(problem);
  });

  it("reads a time in the person's zone", () => {
    expect(inUtc("tomorrow at 9", NOW, "Europe/Berlin")).toBe("2030-01-03T08:00");
    expect(inUtc("at 9", NOW, "Asia/Tokyo")).toBe("2030-01-03T00:00");
    expect(inUtc("friday", Date.UTC(2030, 0, 2, 23, 30), "Asia/Tokyo")).toBe("2030-01-04T00:00");
    expect(inUtc("2030-05-03T18:00", NOW, "Asia/Kathmandu")).toBe("2030-05-03T12:15");
  });

  it.each([
    ["2030-05-03 18:00:30", "2030-05-03T18:00:30.000Z"],
    ["2030-05-03T18:00:30+02:00", "2030-05-03T16:00:30.000Z"],
    ["2030-05-03T18:00+14:00", "2030-05-03T04:00:00.000Z"],
    ["2030-05-03T18:00-0930", "2030-05-04T03:30:00.000Z"],
    ["2030-06-30T23:59:60Z", "2030-06-30T23:59:59.000Z"],
  ])("reads the seconds of %s, but none that would belong to the next minute", (said, expected) => {
    expect(readTime(said, NOW, "UTC")).toEqual({ ok: true, at: Date.parse(expected), edge: null });
  });

  it("keeps the time of day across a clock change for days, but not for hours", () => {
    const eve = Date.UTC(2030, 2, 30, 11, 0);
    expect(inUtc("in 1 day", eve, "Europe/Berlin")).toBe("2030-03-31T10:00");
    expect(inUtc("in 24 hours", eve, "Europe/Berlin")).toBe("2030-03-31T11:00");
  });

  it("moves the last day of a month to the last day of a shorter month", () => {
    expect(inUtc("in a month", Date.UTC(2030, 0, 31, 8))).toBe("2030-02-28T08:00");
    expect(inUtc("in 1 year", Date.UTC(2032, 1, 29, 8))).toBe("2033-02-28T08:00");
  });

  it("reads or refuses any text, and never returns a time in the past", () => {
    const words =
      "in at on next friday may 3 9 9:30 pm tomorrow 2030 minutes an and , half evening the of 29 feb".split(" ");
    assert(
      property(array(constantFrom(...words), { maxLength: 7 }), string({ maxLength: 4 }), (said, noise) => {
        for (const text of [said.join(" "), said.join(" ") + noise]) {
          const read = readTime(text, NOW, "America/New_York");
          if (read.ok) expect(read.at).toBeGreaterThan(NOW);
        }
      }),
    );
  });
});

describe("the clocks of a zone", () => {
  it.each([
    ["2030-03-31T02:30", "Europe/Berlin", "2030-03-31T01:30 skipped"],
    ["2030-03-31T01:59", "Europe/Berlin", "2030-03-31T00:59"],
    ["2030-03-31T03:00", "Europe/Berlin", "2030-03-31T01:00"],
    ["2030-10-27T02:30", "Europe/Berlin", "2030-10-27T00:30 repeated"],
    ["2030-10-27T03:00", "Europe/Berlin", "2030-10-27T02:00"],
    ["2030-03-10T02:30", "America/New_York", "2030-03-10T07:30 skipped"],
    ["2030-11-03T01:30", "America/New_York", "2030-11-03T05:30 repeated"],
    ["2030-10-06T02:15", "Australia/Lord_Howe", "2030-10-05T15:45 skipped"],
    ["2030-04-07T01:45", "Australia/Lord_Howe", "2030-04-06T14:45 repeated"],
    ["2030-07-01T12:00", "Asia/Tokyo", "2030-07-01T03:00"],
  ])("read %s in %s as %s", (wall, zone, expected) => {
    expect(inUtc(wall, NOW, zone)).toBe(expected);
  });

  it("map every moment to itself and back, except in the hours that occur twice", () => {
    const zones = [
      "UTC",
      "Europe/Berlin",
      "America/St_Johns",
      "Pacific/Chatham",
      "Africa/Casablanca",
      "Asia/Kathmandu",
    ];
    assert(
      property(integer({ min: 0, max: 20_000_000 }), constantFrom(...zones), (minutes, zone) => {
        const at = Date.UTC(2000, 0, 1) + minutes * 60_000;
        const placed = momentFrom(wallTimeAt(at, zone), zone);
        if (placed.edge === "repeated") expect(at - placed.at).toBeLessThanOrEqual(3_600_000);
        else expect(placed).toEqual({ at, edge: null });
      }),
    );
  });

  it.each([
    ["Europe/Berlin", true],
    ["utc", true],
    ["Mars/Olympus", false],
    ["", false],
  ])("are known for %j: %s", (zone, known) => {
    expect(isTimeZone(zone)).toBe(known);
  });
});
