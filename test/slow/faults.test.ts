// Every single fault of a few stories of the fault sweep. `npm run faults` plays those of all stories, and pairs.
import { expect, it } from "vitest";
import { PART } from "../faults/part.ts";
import { sweep } from "../faults/sweep.ts";

it.each(PART)("no fault of any call blocks or duplicates anything, and each is logged: %s", async (_name, story) => {
  const { violations, faults } = await sweep(story, { every: 1, pairs: false });
  expect(violations).toEqual([]);
  expect(faults).toBeGreaterThan(80);
});
