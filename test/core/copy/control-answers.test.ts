// What people read after a click: how much of a deleted answer is left, and who may approve.
import { expect, it } from "vitest";
import { approvalText, deletedText } from "../../../src/core/copy/control-answers.ts";

it.each([
  [0, "Deleted. I have forgotten the question and the answer."],
  [1, "I have forgotten the question and the answer. I can't delete one of its messages here. A moderator can."],
  [2, "I have forgotten the question and the answer. I can't delete 2 of its messages here. A moderator can."],
])("a deleted answer of which %i messages are left", (left, told) => {
  expect(deletedText(left, true)).toBe(told);
});

it("sends no one to a moderator outside servers, where there is none", () => {
  expect([deletedText(0, false), deletedText(2, false)]).toEqual([
    "Deleted. I have forgotten the question and the answer.",
    "I have forgotten the question and the answer. I can't delete 2 of its messages here.",
  ]);
});

it.each([
  [undefined, "a moderator"],
  [true, "a moderator or someone with an approver's role"],
])("names approvers only where there are some: %j", (hasApprovers, who) => {
  const some = hasApprovers === undefined ? {} : { hasApprovers };
  expect(approvalText({ result: "moderators_only", ...some })).toBe(
    `Only ${who} can approve this. Ask one, or click Deny.`,
  );
  expect(approvalText({ result: "not_allowed", ...some })).toBe(`Only the person who asked or ${who} can decide this.`);
});
