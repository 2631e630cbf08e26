// The fast part of the fault sweep: every single fault of a few stories. `npm run faults` does all of them, and pairs.
import { describe, expect, it } from "vitest";
import { stories } from "../faults/stories.ts";
import { sweep } from "../faults/sweep.ts";

const PART = [
  "a turn with a remote tool",
  "a turn with tools that make pictures",
  "a question with files",
  "a conversation that is summarised",
  "a turn with a tool under a limit of the deployment",
  "a plain answer to a message",
  "a sound that comes with a command",
  "a person who has a file made of all that is kept about them",
];

it("the part has all of its stories", () => {
  const names = stories.map(({ name }) => name);
  expect(PART.filter((name) => !names.includes(name))).toEqual([]);
});

describe("a fault of any call", () => {
  it.each(stories.filter(({ name }) => PART.includes(name)).map((story) => [story.name, story] as const))(
    "holds nothing, doubles nothing and is logged: %s",
    async (_name, story) => {
      const { violations, faults } = await sweep(story, false);
      expect(violations).toEqual([]);
      expect(faults).toBeGreaterThan(80);
    },
    120_000,
  );
});
