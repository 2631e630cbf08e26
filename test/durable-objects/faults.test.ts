// The fast part of the fault sweep: each fourth single fault of a few stories. The slow lane plays all their single faults, and
// `npm run faults` those of all stories, and pairs.
import { expect, it } from "vitest";
import { PART } from "../faults/part.ts";
import { sweep } from "../faults/sweep.ts";

it.each(PART)("a fault of any call holds nothing, doubles nothing and is logged: %s", async (_name, story) => {
  const { violations, faults } = await sweep(story, { every: 4, pairs: false });
  expect(violations).toEqual([]);
  expect(faults).toBeGreaterThan(20);
});
