// Lengths of time as people read them.
import { expect, it } from "vitest";
import { seconds } from "../../../src/core/copy/durations.ts";

it.each([
  [499, "0 s"],
  [500, "1 s"],
  [89_999, "90 s"],
  [90_000, "2 min"],
  [149_999, "2 min"],
  [150_000, "3 min"],
])("%i ms are %s", (ms, told) => expect(seconds(ms)).toBe(told));
