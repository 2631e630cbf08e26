// The harness that begins a day's work anew after midnight begins nothing else anew.
import { expect, it } from "vitest";
import { withinADay } from "./within-a-day.ts";

const LATE = Date.UTC(2026, 11, 31, 23, 59, 59);

/** Fails this often, each time a second later than the last. Resolves to how often it began. */
async function begun(failures: number, from: number): Promise<{ begun: number; error: unknown }> {
  let [count, at] = [0, from];
  const work = async () => {
    at += 1000;
    if (count++ < failures) throw new Error(`failure ${count}`);
  };
  const error = await withinADay(work, () => at).catch((reason: unknown) => reason);
  return { begun: count, error };
}

it("begins once more only where midnight came meanwhile, and then once", async () => {
  expect(await begun(0, LATE)).toEqual({ begun: 1, error: undefined });
  expect(await begun(1, LATE)).toEqual({ begun: 2, error: undefined });
  expect(await begun(2, LATE)).toEqual({ begun: 2, error: new Error("failure 2") });
  expect(await begun(1, LATE - 60_000)).toEqual({ begun: 1, error: new Error("failure 1") });
});
