// The pages of a turn's thoughts: how many there are, and how much of a call's arguments they show.
import { expect, it } from "vitest";
import { thoughtPages } from "../../../src/core/copy/thought-log.ts";
import { MAX_PAGES, PAGE_CODE_POINTS, type Thoughts } from "../../../src/core/decisions/thought-log.ts";

const told = (more: Partial<Thoughts>) =>
  thoughtPages({ source: "here", reasoning: "", tools: [], ending: { kind: "completed" }, ...more });

it("ten full pages are all shown; if there is more, the tenth says how much is missing", () => {
  const full = "x".repeat(MAX_PAGES * PAGE_CODE_POINTS - "here\n\n**Reasoning**\n".length);
  const lengths = (pages: string[]) => pages.map((page) => page.length);
  const ten = told({ reasoning: full });
  expect(lengths(ten)).toEqual(Array(MAX_PAGES).fill(PAGE_CODE_POINTS));
  expect(ten.at(-1)).toMatch(/^x+$/);
  const cut = told({ reasoning: `${full}${"x".repeat(PAGE_CODE_POINTS + 7)}` });
  expect(lengths(cut)).toEqual(lengths(ten));
  expect(cut.slice(0, -1)).toEqual(ten.slice(0, -1));
  expect(cut.at(-1)).toMatch(/^x+\n… and about 4103 more characters\.$/);
});

it.each([
  [300, "x".repeat(300)],
  [301, `${"x".repeat(300)}…`],
])("of arguments of %i characters, 300 are shown", (length, shown) => {
  const failed = { kind: "tool_failed", tool: "roll_dice", reason: "No.", arguments: "x".repeat(length) } as const;
  expect(told({ tools: [failed] })).toEqual([`here\n\n**Tools**\n- \`roll_dice\` failed: No. Arguments: \`${shown}\``]);
});

it("an answer that ran out of time does not point to a part above, because that part is in another channel", () => {
  const ended = "This answer ran out of time. Send another message to continue.";
  expect(told({ reasoning: "Hm.", ending: { kind: "turn_deadline" } })).toEqual([
    `here\n\n**Reasoning**\nHm.\n\n**Ended**\n${ended}`,
  ]);
});
