// Midnight is the only reason for which the harness repeats a test.
import { expect, it } from "vitest";
import { withinADay } from "./within-a-day.ts";

const LATE = Date.UTC(2026, 11, 31, 23, 59, 59);

/** Runs work that fails this often, each time a second later than the last. Resolves to how often it ran. */
async function begun(failures: number, from: number): Promise<{ begun: number; error: unknown }> {
  let [count, at] = [0, from];
  const work = async () => {
    at += 1000;
    if (count++ < failures) throw new Error(`failure ${count}`);
  };
  const error = await withinADay(work, () => at).catch((reason: unknown) => reason);
  return { begun: count, error };
}

it("repeats the work only if midnight passed meanwhile, and only once", async () => {
  expect(await begun(0, LATE)).toEqual({ begun: 1, error: undefined });
  expect(await begun(1, LATE)).toEqual({ begun: 2, error: undefined });
  expect(await begun(2, LATE)).toEqual({ begun: 2, error: new Error("failure 2") });
  expect(await begun(1, LATE - 60_000)).toEqual({ begun: 1, error: new Error("failure 1") });
});
