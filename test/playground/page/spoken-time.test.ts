// Times in messages, as Discord writes them in each of its styles.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { speakStamp, speakStamps } from "../../../src/playground/page/spoken-time.ts";

const AT = Date.UTC(2026, 10, 29, 16, 24, 39) / 1000;

beforeAll(() => void vi.stubEnv("TZ", "Europe/London"));
afterAll(() => void vi.unstubAllEnvs());

it.each([
  ["t", "4:24 PM"],
  ["T", "4:24:39 PM"],
  ["d", "11/29/2026"],
  ["D", "November 29, 2026"],
  ["f", "November 29, 2026 at 4:24 PM"],
  ["F", "Sunday, November 29, 2026 at 4:24 PM"],
  [undefined, "November 29, 2026 at 4:24 PM"],
])("a time in the style %s has what Discord writes, and nothing more", (style, words) => {
  expect(speakStamp(AT, style, "en-US").replaceAll("\u202f", " ")).toBe(words);
});

it("a text keeps each of its times in its own style, and one beyond the calendar does not break it", () => {
  const [hour, day] = [speakStamp(AT, "t"), speakStamp(AT, "D")];
  expect(speakStamps(`at <t:${AT}:t> on <t:${AT}:D>, not <t:${AT}:x>`)).toBe(`at ${hour} on ${day}, not <t:${AT}:x>`);
  expect(speakStamps("<t:9999999999999:F>")).toBe("Invalid Date");
});
