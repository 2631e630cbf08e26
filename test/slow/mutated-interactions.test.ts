// Ten thousand changed commands, forms and clicks, signed, through the whole application; the node lane sends two thousand others.
import { expect, it } from "vitest";
import { sweepMutations } from "../support/mutations.ts";

it("10,000 changed interactions get no 5xx and no illegal answer, and pass on nothing with half a surrogate pair", async () => {
  const { faults, ...counts } = await sweepMutations(10_000, 2);
  console.log(`mutated interactions: ${JSON.stringify(counts)}, ${faults.length} faults`);
  expect([...new Set(faults)].slice(0, 20)).toEqual([]);
});
