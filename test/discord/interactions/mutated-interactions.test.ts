// Two thousand changed commands, forms and clicks, signed, through the whole application; the slow lane sends ten thousand.
import { expect, it } from "vitest";
import { sweepMutations } from "../../support/mutations.ts";

it("changed interactions get no 5xx and no illegal answer, and pass on nothing with half a surrogate pair", async () => {
  const { faults, sent, seen, requests } = await sweepMutations(2000, 1);
  expect([...new Set(faults)].slice(0, 20)).toEqual([]);
  // Most can be read, and they get every kind of answer.
  expect([sent, requests > 300]).toEqual([2000, true]);
  for (const kind of ["message", "choices", "thinking", "modal", "update"]) expect(seen[kind]).toBeGreaterThan(10);
});
