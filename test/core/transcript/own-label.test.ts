// A label before the bot's own answer, and blank lines, are removed at the beginning, however the answer is streamed, and nowhere else.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLabelGuard, withoutLabel } from "../../../src/core/transcript/own-label.ts";

const streamed = (pieces: readonly string[], name = "Ada") => {
  const guard = createLabelGuard(name);
  const shown = pieces.map((piece) => guard.push(piece));
  return [...shown, guard.end()];
};

describe("an answer loses, at its beginning,", () => {
  it.each([
    ["[Ada · bot]\nYes.", "Yes."],
    ["[Mira · u3 · 14:02 · re m17]\n\nYes.", "Yes."],
    ["\n[Ada · u1]: Yes.", "Yes."],
    ["[Ada] Yes.", "Yes."],
    ["[Ada · 14:02]\nYes.", "Yes."],
    ["[Ada · 14:02 · re m17]: Yes.", "Yes."],
    ["Ada: Yes.", "Yes."],
    ["ada:\nYes.", "Yes."],
    ["**Ada:** Yes.", "Yes."],
    ["**Ada**: Yes.", "Yes."],
    ["**Ada**\n\nYes.", "Yes."],
    ["Ada\nYes.", "Yes."],
    ["[Ada · bot]\nAda: **Ada:** Yes.", "Yes."],
    ["[Ada · bot]\nAda: Ada\n", "Ada\n"],
    ["Ada:\n", ""],
    ["[Ada · bot]\n", ""],
    ["\n\nYes.", "Yes."],
    [" \n\t\n  indented", "  indented"],
  ])("%j", (said, kept) => {
    expect(withoutLabel(said, "Ada")).toBe(kept);
    expect(streamed([...said]).join("")).toBe(kept);
    expect(streamed([said]).join("")).toBe(kept);
  });
});

describe("an answer keeps", () => {
  it.each([
    "Ada",
    "Ada\n",
    "**Ada** \n\n",
    "Ada is my name.",
    "Adam: hi",
    "Ada::begin()",
    "`Ada: 3`",
    "- Ada: 3\n- Ben: 4",
    "Ben: 4 points",
    "**Note:** careful",
    "[a link](https://example.com)",
    "[Ada](https://example.com) is here.",
    "**[Ada](https://example.com)**",
    "[x] done",
    "[Ada · Ben] have both said yes.",
    "[14:02] Yes.",
    "Yes.\nAda: no\n[Mira · u3]\nno",
    "  indented",
    "```\n[Ada · bot]\n```",
    `[${"long ".repeat(30)}]`,
    "",
  ])("%j", (said) => {
    expect(withoutLabel(said, "Ada")).toBe(said);
    expect(streamed([...said]).join("")).toBe(said);
  });
});

it("shows each piece as soon as it can no longer be a label, and holds back at most 64 characters", () => {
  expect(streamed(["Hel", "lo"])).toEqual(["Hel", "lo", ""]);
  expect(streamed(["Ad", "a", " is"])).toEqual(["", "", "Ada is", ""]);
  expect(streamed(["Ada", ":", " ", "Yes"])).toEqual(["", "", "", "Yes", ""]);
  expect(streamed([`[Ada]${" ".repeat(59)}`, "\nYes"])).toEqual(["", "Yes", ""]);
  expect(streamed(["[", "x".repeat(63), "x"])).toEqual(["", "", `[${"x".repeat(64)}`, ""]);
});

it.each([[["Ada", " ", "*", "\n"]], [["*", " ", "Ada", "\n"]], [["**", " ", "Ada", ":"]]])(
  "gives the same for %j in pieces as in one text",
  (pieces) => {
    expect(streamed(pieces).join("")).toBe(withoutLabel(pieces.join(""), "Ada"));
  },
);

it("the way an answer is cut into pieces makes no difference", () => {
  const signs = fc.constantFrom("[", "]", "Ada", "A", "da", ":", "*", "**", " ", "\n", " · u1", " · bot", "yes", "`");
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 12 }), (pieces) => {
      expect(streamed(pieces).join("")).toBe(withoutLabel(pieces.join(""), "Ada"));
    }),
    { numRuns: 3000 },
  );
});
