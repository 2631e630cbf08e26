// Lengths, sizes, money and days as the inspector's pages show them.
import { expect, it } from "vitest";
import { costText, dayText, lengthText, sharedText, sizeText } from "../../../src/core/copy/inspector.ts";

it.each([
  [999, "999 ms"],
  [1000, "1.00 s"],
  [9949, "9.95 s"],
  [9950, "9.9 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 0 s"],
  [61_499, "1 min 1 s"],
  [3_599_499, "59 min 59 s"],
  [3_599_500, "1 h 0 min"],
  [7_380_000, "2 h 3 min"],
])("%i ms are %s", (ms, told) => expect(lengthText(ms)).toBe(told));

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [9999, "9,999 bytes"],
  [10_000, "10 KB"],
  [1_234_567, "1,235 KB"],
])("%i bytes are %s", (bytes, told) => expect(sizeText(bytes)).toBe(told));

it("a channel is named, and a person's private conversation in it also names the person", () => {
  expect([sharedText.channelName("tea"), sharedText.channelName("tea", "1")]).toEqual(["#tea", "#tea with 1"]);
});

it("an unknown price is a dash", () => {
  expect([costText(undefined), costText(0), costText(1_500_000)]).toEqual(["–", "$0", "$1.50"]);
});

it.each([
  ["2030-03-01", "today"],
  ["2030-02-28", "yesterday"],
  ["2030-02-27", "2030-02-27"],
  ["2030-03-02", "2030-03-02"],
])("on the first of March 2030, %s is %s", (day, told) => expect(dayText(day, "2030-03-01")).toBe(told));
