// The plan of a reply's messages at their limit of 2000 characters.
import { describe, expect, it } from "vitest";
import { type PlanInput, planParts } from "../../../src/discord/delivery/delivery-plan.ts";

const plan = (over: Partial<PlanInput>) =>
  planParts({
    text: "",
    line: null,
    buttons: [],
    final: true,
    lost: false,
    frozen: 0,
    made: 0,
    maxMessages: 5,
    ...over,
  });
const lengths = (over: Partial<PlanInput>) => plan(over).map(({ content }) => content.length);

describe("a line", () => {
  const [together = 0] = lengths({ text: "a", line: "b" });
  /** The number of characters between the text and the line. */
  const between = together - 2;

  it.each([
    [1999, [1999]],
    [2000, [2000]],
    [2001, [2000 - between, 1]],
  ])("shares its message with the text if they have %i characters together: %j", (chars, messages) => {
    const text = "a".repeat(chars - between - 1);
    expect(lengths({ text, line: "b" })).toEqual(messages);
    expect(plan({ text, line: "b" }).at(-1)?.endsAt).toBe(text.length);
  });

  it.each([1900, 1901, 1953, 2400, 9000])(
    "with %i characters is cut to 1900, so that words fit next to the note about the file",
    (chars) => {
      const line = "b".repeat(chars);
      expect(lengths({ text: "a".repeat(2000), line })).toEqual([2000, 1900]);
      const [only, ...more] = plan({ text: "a".repeat(9000), line, maxMessages: 1 });
      expect([only?.content.slice(0, 9), only?.file?.length, more]).toEqual(["aaaaaaaaa", 9000, []]);
      expect(only?.content.length).toBeLessThanOrEqual(2000);
    },
  );

  it("gets a message of its own after messages that can't be changed", () => {
    expect(plan({ text: "a", line: "b", frozen: 1 }).map(({ content }) => content)).toEqual(["a", "b"]);
  });
});

describe("a request for approval", () => {
  const asking = { line: "May I?", asks: true, final: false } as const;
  const shown = (over: Partial<PlanInput>) =>
    plan({ ...asking, ...over }).map(({ content, file }) => [content.length, content.slice(-6), file]);

  it("has a message of its own if the answer leaves no room, as long as one more is allowed", () => {
    expect(shown({ text: "a".repeat(1995), maxMessages: 2 })).toEqual([
      [1995, "aaaaaa", null],
      [6, "May I?", null],
    ]);
  });

  it.each([
    ["no further message is allowed", { text: "a".repeat(1995), maxMessages: 1 }],
    ["the answer needs more messages than are allowed", { text: "a".repeat(9000), maxMessages: 1 }],
    ["the next message may exist out of reach", { text: "a".repeat(3000), lost: true }],
  ])("replaces the last words if %s, without a file", (_, over) => {
    expect(shown(over)).toEqual([[2000, "May I?", null]]);
  });
});

describe("a mention", () => {
  it.each([
    [1999, 1999],
    [2000, 2000],
    [2001, 2],
  ])("that makes a message %i characters long leaves it with %i", (chars, shown) => {
    expect(lengths({ text: "@a", mention: () => "x".repeat(chars) })).toEqual([shown]);
  });

  it("is not made in what comes before the answer", () => {
    expect(plan({ text: "abcdef", lead: 3, mention: (text) => text.toUpperCase() })[0]?.content).toBe("abcDEF");
  });
});

describe("an answer as a file", () => {
  const shownUpTo = (over: Partial<PlanInput>) => plan(over).map(({ endsAt }) => endsAt);

  it("counts as shown if its words are complete next to the note", () => {
    expect(shownUpTo({ text: "a", lost: true })).toEqual([1]);
  });

  it("counts as shown up to the message before if its words are cut for the note", () => {
    const [first] = shownUpTo({ text: "a".repeat(5000) });
    expect(shownUpTo({ text: "a".repeat(5000), maxMessages: 1 })).toEqual([0]);
    expect(shownUpTo({ text: "a".repeat(5000), maxMessages: 2 })).toEqual([first, first]);
  });
});
