// The clock for the model: the call's own time, in any zone, or a sentence that says how to name one.
import { describe, expect, it } from "vitest";
import { getCurrentTime } from "../../src/tools/get-current-time.ts";
import { testContext } from "../toolkit/context.ts";

const NOW = Date.UTC(2030, 0, 1, 12, 30, 15);
const ask = (timezone?: string, locale = "en-US") =>
  getCurrentTime.execute(timezone === undefined ? {} : { timezone }, testContext({ now: NOW, locale }));

describe("the current time", () => {
  it.each([
    ["UTC", "Tuesday, January 1, 2030 at 12:30:15 PM UTC"],
    ["Asia/Tokyo", "Tuesday, January 1, 2030 at 9:30:15 PM GMT+9"],
    ["America/New_York", "Tuesday, January 1, 2030 at 7:30:15 AM EST"],
    ["Pacific/Kiritimati", "Wednesday, January 2, 2030 at 2:30:15 AM GMT+14"],
    ["Asia/Kathmandu", "Tuesday, January 1, 2030 at 6:15:15 PM GMT+5:45"],
    ["europe/berlin", "Tuesday, January 1, 2030 at 1:30:15 PM GMT+1"],
  ])("in %s is the time of the call in that zone", (timezone, formatted) => {
    expect(ask(timezone)).toEqual({ ok: true, data: { iso: "2030-01-01T12:30:15.000Z", timezone, formatted } });
  });

  it.each([undefined, "", "   "])("without a zone (%j) is UTC", (timezone) => {
    expect(ask(timezone)).toMatchObject({ ok: true, data: { timezone: "UTC" } });
  });

  it("ignores blanks around the zone's name", () => {
    expect(ask(" Asia/Tokyo ")).toMatchObject({ ok: true, data: { timezone: "Asia/Tokyo" } });
  });

  it("is written in the language of the person who asked", () => {
    expect(ask("Europe/Berlin", "de")).toMatchObject({
      data: { formatted: "Dienstag, 1. Januar 2030 um 13:30:15 MEZ" },
    });
  });

  it.each(["", "no locale", "x", "en_US", "\u0000"])("is written in English for the unknown locale %j", (locale) => {
    expect(ask("UTC", locale)).toMatchObject({ data: { formatted: "Tuesday, January 1, 2030 at 12:30:15 PM UTC" } });
  });

  it.each(["Mars/Olympus", "Tokyo", "GMT+25", "Asia/", "null", "../etc"])(
    "in %s does not exist, and the error says so",
    (zone) => {
      expect(ask(zone)).toEqual({ ok: false, error: `"${zone}" is not an IANA time zone; write it like Asia/Tokyo` });
    },
  );
});
