// Two thousand changed commands, forms and clicks, signed, through the whole application; the slow lane sends ten thousand.
import { expect, it } from "vitest";
import { sweepMutations } from "../../support/mutations.ts";

it("changed interactions get no 5xx, no illegal answer, and nothing with half a character", async () => {
  const { faults, sent, seen, requests } = await sweepMutations(2000, 1);
  expect([...new Set(faults)].slice(0, 20)).toEqual([]);
  // Most are read, and every kind of answer is among them.
  expect([sent, requests > 300]).toEqual([2000, true]);
  for (const kind of ["message", "choices", "thinking", "modal", "update"]) expect(seen[kind]).toBeGreaterThan(10);
});
