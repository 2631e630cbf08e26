// What is kept of a person, and what a wish to be left out is answered with.
import { describe, expect, it } from "vitest";
import { exportText, keptText, leftOutText } from "../../../src/core/copy/privacy.ts";

it.each([
  ["server", "in this server"],
  ["outside", "outside servers"],
] as const)("the answer to /privacy opt-out says where it holds: %s", (reach, where) => {
  for (const isLeftOut of [true, false]) expect(leftOutText({ op: "left_out", isLeftOut }, reach)).toContain(where);
  expect(leftOutText({ op: "full", limit: 9 }, reach)).toContain(`${where} is full (9)`);
});

describe("what is kept", () => {
  const here = { questions: 1, messages: 2, memories: 0, reminders: 0, keepDays: 30 };
  const about = { op: "about" as const, otherChannels: 1, isLeftOut: false, facts: [] };
  const facts = (count: number) => Array.from({ length: count }, (_, at) => ({ number: at + 1, text: "tea", at: 0 }));
  const place = { reach: "server", modelHosts: ["a.b"] } as const;

  it("is told for the place where it was asked", () => {
    expect(keptText(here, about, place)).toContain("1 other channel of this server where");
    expect(keptText(here, about, { ...place, reach: "outside" })).toContain("1 other channel outside servers where");
  });

  it("says whether the summary has words of the person, if that was looked for", () => {
    const text = (summary?: { messages: number; at: number } | null) =>
      keptText({ ...here, ...(summary === undefined ? {} : { summary }) }, about, place);
    expect(text()).not.toContain("summary");
    expect(text(null)).toContain("No summary of the earlier conversation here contains any of your words.");
    expect(text({ messages: 4, at: 1_999_999 })).toContain("instead of 4 earlier messages, written <t:1999:R>.");
  });

  it("names the newest five facts, and how many more there are", () => {
    const line = (count: number) =>
      keptText(here, { ...about, facts: facts(count) }, place).match(/^- Facts.*: (.*)$/m)?.[1] ?? null;
    expect([line(0), line(1), line(5), line(7)]).toEqual([
      null,
      "1. tea",
      "1. tea · 2. tea · 3. tea · 4. tea · 5. tea",
      "3. tea · 4. tea · 5. tea · 6. tea · 7. tea (and 2 more)",
    ]);
  });
});

it("a file with everything says nothing of what is missing", () => {
  expect(exportText(1, 0)).toBe("What I keep about you, from 1 conversation. Only you see this file.");
  expect(exportText(2, 1)).toContain("1 conversation is not in it");
});
