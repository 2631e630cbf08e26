// What people read after a click: how much of a deleted answer is left, and who may approve.
import { expect, it } from "vitest";
import { summaryHead } from "../../../src/core/copy/compaction.ts";
import { approvalText, deletedText, stopText } from "../../../src/core/copy/control-answers.ts";
import { MODEL_FAILED } from "../../../src/core/copy/model-failures.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";

it.each([
  [0, "Deleted. I have forgotten the question and the answer."],
  [1, "I have forgotten the question and the answer. I can't delete one of its messages here. A moderator can."],
  [2, "I have forgotten the question and the answer. I can't delete 2 of its messages here. A moderator can."],
])("of a deleted answer, %i messages are left", (left, told) => {
  expect(deletedText(left, true)).toBe(told);
});

it("sends no one to a moderator outside servers, where there are none", () => {
  expect([deletedText(0, false), deletedText(2, false)]).toEqual([
    "Deleted. I have forgotten the question and the answer.",
    "I have forgotten the question and the answer. I can't delete 2 of its messages here.",
  ]);
});

it("where there may be no moderator, says that only servers have one", () => {
  const refused = [
    stopText({ result: "not_allowed" }),
    approvalText({ result: "not_allowed" }),
    refusalText({ reason: "not_theirs" }),
  ];
  for (const text of refused) expect(text).toContain(" or, in a server, a moderator can ");
  for (const text of [MODEL_FAILED.context_too_long, summaryHead({ messages: 2, at: 0 })])
    expect(text).toMatch(/`\/bot reset` [a-z ]+; in a server that has added me, only moderators can use it\.$/);
});

it("asks only the asker for approval if nobody else can give it", () => {
  const wanted = (byModerator: boolean) => say.approvalWanted("10", { summary: "purge", byModerator }, null, 60_000);
  for (const line of [wanted(false), wanted(true)]) expect(line).toContain("approval from <@10> within 60 s.");
});

it.each([
  [undefined, "a moderator"],
  [true, "a moderator or someone with an approver's role"],
])("mentions approvers only if there are some: %j", (hasApprovers, who) => {
  const some = hasApprovers === undefined ? {} : { hasApprovers };
  expect(approvalText({ result: "moderators_only", ...some })).toBe(
    `Only ${who} can approve this. Ask one, or click Deny.`,
  );
  expect(approvalText({ result: "not_allowed", ...some })).toBe(
    `Only the person who asked or, in a server, ${who} can decide this.`,
  );
});
