// The fast part of the fault sweep: every fifth single fault of a few stories, and one more fault (every fourth would always leave out the
// same kinds). The slow lane plays all their single faults, and `npm run faults` those of all stories, and pairs.
import { expect, it } from "vitest";
import { PART } from "../faults/part.ts";
import { planFaults } from "../faults/plan.ts";
import { stories } from "../faults/stories.ts";
import { play, sweep } from "../faults/sweep.ts";

it.each(PART)("a fault of any call blocks nothing, doubles nothing and is logged: %s", async (_name, story) => {
  const { violations, faults } = await sweep(story, { every: 5, pairs: false });
  expect(violations).toEqual([]);
  expect(faults).toBeGreaterThan(15);
});

it("a thread that opens late because Discord did not answer at first is logged", async () => {
  const story = stories.find(({ name }) => name === "a question that gets a thread");
  if (!story) throw new Error("the story is gone");
  const whole = await play(story, planFaults(), "wait", null);
  const call = 1 + whole.plan.calls.findIndex(({ name }) => /^POST .*\/channels\//.test(name));
  const { plan, violations } = await play(story, planFaults([call, "never"]), "wait", whole.ends);
  expect([plan.hit.length, violations]).toEqual([1, []]);
});
