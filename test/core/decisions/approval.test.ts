// A parked turn: every state and every event, how long it waits for a decision, and who continues first.
import { describe, expect, it } from "vitest";
import { dueAt, nextWake } from "../../../src/core/decisions/agenda.ts";
import {
  APPROVAL_LIFE_MS,
  approvalExpiry,
  decideApprovalClick,
  expired,
  hasVoucher,
  nextExpiry,
  parked,
} from "../../../src/core/decisions/approval.ts";
import { buildStatusReport } from "../../../src/core/decisions/status.ts";
import { HEARTBEAT_MS, TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import type { ApprovalDecision } from "../../../src/core/state/approval-request.ts";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import type { ApprovalClick } from "../../../src/core/state/rpc.ts";
import { channel, emptyCalendar, runningTurn, turn } from "./turns.ts";

const OWNER = "10";
const ASKED_AT = 1000;
const END = ASKED_AT + APPROVAL_LIFE_MS;
const asked = { callPlace: "1:2.0", tool: "purge", args: "{}", summary: "purge" };
const waiting = parked(runningTurn(OWNER, { followUp: true }), asked, null, ASKED_AT);
const decidedAs = (decision: ApprovalDecision, state: TurnRecord["state"]): TurnRecord => ({
  ...waiting,
  state,
  ...(waiting.approval && { approval: { ...waiting.approval, decision } }),
});
const click = (more: Partial<ApprovalClick> = {}): ApprovalClick => ({
  interactionId: "i",
  turnId: "1",
  approved: true,
  userId: OWNER,
  userName: "x",
  moderator: false,
  press: { applicationId: "1", token: "new", messageId: "m" },
  ...more,
});
const approvedBy = (by: string): ApprovalDecision => ({ kind: "approved", by });

/** What a click leads to, in one line. */
function told(of: TurnRecord | null, more: Partial<ApprovalClick>, now: number): string {
  const { answer, resumed } = decideApprovalClick(channel(), of, click(more), [], now);
  const as = "as" in answer ? ` ${answer.as}` : "";
  return `${answer.result}${as}${resumed ? `; ${resumed.state} ${resumed.approval?.decision?.kind}` : ""}`;
}

const situations: [situation: string, of: TurnRecord | null, now: number, answers: string[]][] = [
  [
    "parked, before the time limit",
    waiting,
    END - 1,
    ["approved; queued approved", "denied; queued denied", "approved; queued approved", "not_allowed"],
  ],
  [
    "parked, exactly at the time limit",
    waiting,
    END,
    ["already_decided expired", "already_decided expired", "already_decided expired", "not_allowed"],
  ],
  [
    "approved and waiting for the lock",
    decidedAs(approvedBy("99"), "queued"),
    2000,
    ["already_decided approved", "already_decided approved", "already_decided approved", "not_allowed"],
  ],
  [
    "denied and running again",
    decidedAs({ kind: "denied", by: OWNER }, "running"),
    2000,
    ["already_decided denied", "already_decided denied", "already_decided denied", "not_allowed"],
  ],
  [
    "expired and finished",
    decidedAs({ kind: "expired" }, "finished"),
    END + 1,
    ["already_decided expired", "already_decided expired", "already_decided expired", "not_allowed"],
  ],
  [
    "stopped while it was parked, and sending its final message",
    { ...waiting, state: "closing" },
    2000,
    ["nothing_asked", "nothing_asked", "nothing_asked", "not_allowed"],
  ],
  [
    "stopped while it was parked, and finished",
    { ...waiting, state: "finished" },
    2000,
    ["nothing_asked", "nothing_asked", "nothing_asked", "not_allowed"],
  ],
  [
    "running with no approval requested",
    runningTurn(OWNER),
    2000,
    ["nothing_asked", "nothing_asked", "nothing_asked", "nothing_asked"],
  ],
  ["no longer known", null, 2000, ["nothing_asked", "nothing_asked", "nothing_asked", "nothing_asked"]],
];

describe("a click on a turn that is", () => {
  it.each(situations)("%s", (_situation, of, now, answers) => {
    expect([
      told(of, {}, now),
      told(of, { approved: false }, now),
      told(of, { userId: "99", moderator: true }, now),
      told(of, { userId: "30" }, now),
    ]).toEqual(answers);
  });

  it("parked in a conversation between people is decided by its asker alone", () => {
    const between = { ...waiting, request: { ...waiting.request, guildId: null, botIsHere: false } };
    expect([told(between, { userId: "99", moderator: true }, 2000), told(between, {}, 2000)]).toEqual([
      "not_allowed",
      told(waiting, {}, 2000),
    ]);
  });

  it("parked puts it in front of everyone who is waiting, no longer as a follow-up", () => {
    const queue = [turn("2", "20", { queuePosition: -3 }), turn("3", OWNER, { queuePosition: 5 })];
    const { resumed } = decideApprovalClick(channel({ queue }), waiting, click(), [], 2000);
    expect(resumed).toMatchObject({
      id: "1",
      queuePosition: -4,
      followUp: false,
      phase: "tools",
      startedAt: waiting.startedAt,
    });
    expect(resumed?.events.map(({ what, detail }) => [what, detail])).toEqual([
      ["parked", "purge"],
      ["approved", OWNER],
    ]);
  });
});

describe("a call that its asker may not approve alone", () => {
  const vouched = {
    ...waiting,
    ...(waiting.approval && { approval: { ...waiting.approval, byModerator: true as const } }),
  };
  const at = (place: Partial<TurnRecord["request"]>): TurnRecord => ({
    ...vouched,
    request: { ...vouched.request, ...place },
  });
  const said = (of: TurnRecord, more: Partial<ApprovalClick>) =>
    decideApprovalClick(channel(), of, click(more), ["30"], 2000).answer.result;
  const [server, direct, between, visit] = [
    at({ guildId: "1", botIsHere: true }),
    at({ guildId: null, botIsHere: true }),
    at({ guildId: null, botIsHere: false }),
    at({ guildId: "1", botIsHere: false, privateTo: OWNER }),
  ];
  const approver = { roles: ["9", "30"] };

  it.each<[string, TurnRecord, Partial<ApprovalClick>, string]>([
    ["its asker in a server", server, {}, "moderators_only"],
    ["its asker, who denies it", server, { approved: false }, "denied"],
    ["its asker, who is a moderator", server, { moderator: true }, "approved"],
    ["its asker, who is an approver", server, approver, "approved"],
    ["another approver", server, { userId: "99", ...approver }, "approved"],
    ["another moderator", server, { userId: "99", moderator: true }, "approved"],
    ["an owner who is neither, in a server", server, { userId: "99", isOwner: true }, "not_allowed"],
    ["somebody with other roles", server, { userId: "99", roles: ["9"] }, "not_allowed"],
    ["an owner in direct messages", direct, { moderator: true, isOwner: true }, "approved"],
    ["somebody else in direct messages", direct, { moderator: true, isOwner: false }, "owners_only"],
    [
      "somebody else in direct messages, who denies it",
      direct,
      { moderator: true, isOwner: false, approved: false },
      "denied",
    ],
    ["the person in direct messages while the owners are unknown", direct, { moderator: true }, "approved"],
    ["its asker between people", between, approver, "moderators_only"],
    [
      "its asker, who moderates a server that has not added us",
      visit,
      { moderator: true, isOwner: false },
      "owners_only",
    ],
    ["an owner there", visit, { isOwner: true }, "approved"],
  ])("when clicked by %s", (_, of, more, result) => {
    expect(said(of, more)).toBe(result);
  });

  it.each([
    ["none", [], false],
    ["some", ["30"], true],
  ])("says in its refusal whether there are roles that may approve: %s", (_what, approvers, hasApprovers) => {
    const answered = (more: Partial<ApprovalClick>) =>
      decideApprovalClick(channel(), server, click(more), approvers, 2000).answer;
    expect([answered({}), answered({ userId: "99" })]).toEqual([
      { result: "moderators_only", hasApprovers },
      { result: "not_allowed", hasApprovers },
    ]);
  });

  it("has no chance only if nobody could approve it", () => {
    const hope = (of: TurnRecord, more: Partial<TurnRecord["request"]> = {}) =>
      hasVoucher({ ...of.request, moderator: false, ...more }, ["30"]);
    const alone = { privateTo: OWNER };
    expect([hope(server), hope(server, alone), hope(server, { ...alone, roles: ["30"] }), hope(between)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    for (const place of [direct, visit])
      expect([hope(place, { isOwner: true }), hope(place, { isOwner: false })]).toEqual([true, false]);
    expect([hope(direct), hope(visit, { moderator: true, isOwner: false, roles: ["30"] })]).toEqual([true, false]);
  });
});

describe("the time limit", () => {
  it("is ten minutes, or a minute before the token expires if only that token reaches the reply", () => {
    const tokenEnds = (minutesLeft: number) => ASKED_AT + minutesLeft * 60_000;
    expect([
      approvalExpiry(ASKED_AT, null),
      approvalExpiry(ASKED_AT, ASKED_AT + TOKEN_LIFE_MS),
      approvalExpiry(ASKED_AT, tokenEnds(11)),
      approvalExpiry(ASKED_AT, tokenEnds(5)),
      approvalExpiry(ASKED_AT, tokenEnds(0.5)),
    ]).toEqual([END, END, END, tokenEnds(4), tokenEnds(-0.5)]);
  });

  it("resumes exactly the overdue turns, and puts the one that was parked first at the very front", () => {
    const second = {
      ...waiting,
      id: "2",
      ...(waiting.approval && { approval: { ...waiting.approval, expiresAt: END - 5 } }),
    };
    const later = {
      ...waiting,
      id: "3",
      ...(waiting.approval && { approval: { ...waiting.approval, expiresAt: END + 5 } }),
    };
    const state = channel({ parked: [waiting, second, later], queue: [turn("9", "20", { queuePosition: 0 })] });
    expect([expired(state, END - 6), nextExpiry(state)]).toEqual([[], END - 5]);
    expect(expired(state, END).map(({ id, queuePosition, state: now }) => [id, queuePosition, now])).toEqual([
      ["1", -2, "queued"],
      ["2", -1, "queued"],
    ]);
  });

  it("has no effect on a turn that was clicked before it, and a click after it has no effect", () => {
    const { resumed } = decideApprovalClick(channel({ parked: [waiting] }), waiting, click(), [], END - 1);
    expect(expired(channel({ queue: resumed ? [resumed] : [] }), END)).toEqual([]);
    const [over] = expired(channel({ parked: [waiting] }), END);
    expect(told(over ?? null, {}, END)).toBe("already_decided expired");
  });
});

describe("a parked turn", () => {
  it("has given up its owner, its tool and its deadlines, and keeps its remaining time", () => {
    expect(waiting).toMatchObject({ state: "parked", phase: "parked", instance: null, deadlineAt: null });
    expect(waiting.approval).toEqual({
      ...asked,
      askedAt: ASKED_AT,
      expiresAt: END,
      leftMs: 999_000,
      shown: false,
      decision: null,
    });
  });

  it("first plans to post its approval request, and once that is shown only the time limit", () => {
    const shown = { ...waiting, ...(waiting.approval && { approval: { ...waiting.approval, shown: true } }) };
    const wake = (state: ReturnType<typeof channel>) =>
      nextWake(state, { ...emptyCalendar, approvalExpiresAt: nextExpiry(state) }, 2000);
    const due = (state: ReturnType<typeof channel>, now: number) =>
      dueAt(state, { ...emptyCalendar, approvalExpiresAt: nextExpiry(state) }, "this life", now).map(
        ({ kind }) => kind,
      );
    const [unasked, quiet] = [channel({ parked: [waiting] }), channel({ parked: [shown] })];
    expect([wake(unasked), wake(quiet)]).toEqual([2000 + HEARTBEAT_MS, END]);
    expect([due(unasked, 2000), due(quiet, 2000), due(quiet, END)]).toEqual([["ask"], [], ["approval_expiry"]]);
    expect(buildStatusReport(quiet, { viewerId: "", maxIterations: 100, now: 2000 })).toMatchObject({
      running: null,
      parked: [OWNER],
      approvals: [{ tool: "purge", expiresInMs: END - 2000 }],
    });
  });
});
