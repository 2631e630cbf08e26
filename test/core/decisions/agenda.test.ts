// When the object wakes and what it does then. A channel has only one alarm.
import { describe, expect, it } from "vitest";
import { type Calendar, dueAt, nextWake } from "../../../src/core/decisions/agenda.ts";
import type { ChannelState } from "../../../src/core/state/record.ts";
import { channel, emptyCalendar, flag, runningTurn, turn } from "./turns.ts";

const NOW = 100_000;
const SOON = NOW + 1000;
const BEAT = NOW + 7000;
const LATER = NOW + 3_600_000;

const busy = (more: Parameters<typeof runningTurn>[1] = {}): ChannelState =>
  channel({ running: runningTurn("10", { deadlineAt: LATER, ...more }) });
const flagAt = (at: number) => ({ ...flag("stop"), at });
const plans = (more: Partial<Calendar> = {}): Calendar => ({ ...emptyCalendar, ...more });

describe("the next wake", () => {
  it.each<[string, ChannelState, Calendar, number | null]>([
    ["nothing is planned", channel(), plans(), null],
    ["a turn is parked and nothing else is planned", channel({ parked: [turn("5", "10")] }), plans(), null],
    ["a turn runs", busy(), plans(), BEAT],
    ["the turn's deadline is nearer than a heartbeat", busy({ deadlineAt: NOW + 3000 }), plans(), NOW + 3000],
    ["a tool's deadline is nearer", busy({ toolDeadlineAt: NOW + 2000 }), plans(), NOW + 2000],
    ["a soft warning is due", busy({ softWarnAt: NOW - 5 }), plans(), SOON],
    ["a soft warning was posted", busy({ softWarnAt: NOW - 5, warnedAt: NOW - 4 }), plans(), BEAT],
    ["a stop was asked for: ten seconds later", busy({ stop: flagAt(NOW - 4000) }), plans(), NOW + 6000],
    ["a deadline has passed: soon, but no hot loop", busy({ deadlineAt: NOW - 9000 }), plans(), SOON],
    ["someone waits and nothing runs", channel({ queue: [turn("2", "10")] }), plans(), SOON],
    ["someone waits after a running turn", { ...busy(), queue: [turn("2", "10")] }, plans(), BEAT],
    ["a final message is being sent", channel({ closing: [turn("2", "10")] }), plans(), BEAT],
    ["it can't be sent yet", channel({ closing: [turn("2", "10")] }), plans({ muteUntil: LATER }), LATER],
    ["it can't, and a turn runs", { ...busy(), closing: [turn("2", "10")] }, plans({ muteUntil: LATER }), BEAT],
    ["nothing could be sent anyway", channel(), plans({ muteUntil: LATER }), null],
    ["an approval expires", channel(), plans({ approvalExpiresAt: NOW + 900 }), NOW + 900],
    ["a token needs renewal", channel(), plans({ tokenRenewalAt: NOW + 901 }), NOW + 901],
    ["a reminder is set", channel(), plans({ reminderAt: LATER }), LATER],
    ["a refused request waits for an event", channel(), plans({ requestAt: NOW + 50 }), NOW + 50],
    ["it waits for hardly any time", channel(), plans({ requestAt: NOW + 1 }), NOW + 50],
    ["housekeeping is planned", channel(), plans({ housekeepingAt: LATER }), LATER],
    ["the nearest of several", busy(), plans({ reminderAt: NOW + 800, housekeepingAt: NOW + 900 }), NOW + 800],
    ["an error of our own makes it back off", busy(), plans({ backoffUntil: NOW + 60_000 }), NOW + 60_000],
  ])("when %s", (_situation, state, calendar, wanted) => {
    expect(nextWake(state, calendar, NOW)).toBe(wanted);
  });
});

describe("the list of due work", () => {
  const due = (state: ChannelState, calendar = plans(), instance = "this life") =>
    dueAt(state, calendar, instance, NOW).map(({ kind }) => kind);

  it("is empty while all deadlines are in the future", () => {
    expect(due(busy({ softWarnAt: null, toolDeadlineAt: NOW + 1 }))).toEqual([]);
    expect(due(channel())).toEqual([]);
  });

  it("has a fixed order, and takes over a turn of another life before it decides anything else about it", () => {
    const late = { softWarnAt: NOW, toolDeadlineAt: NOW, deadlineAt: NOW };
    expect(due(busy(late))).toEqual(["turn_deadline", "soft_warn"]);
    expect(due(busy(late), plans(), "next life")).toEqual(["takeover"]);
  });

  it("takes over a turn that still runs ten seconds after its stop or deadline, but lets each life have ten seconds to end it", () => {
    expect(due(busy({ stop: flagAt(NOW - 9999) }))).toEqual([]);
    expect(due(busy({ stop: flagAt(NOW - 10_000) }))).toEqual(["overdue_turn"]);
    expect(due(busy({ deadlineAt: NOW - 10_000 }))).toEqual(["overdue_turn"]);
    const taken = busy({ stop: flagAt(NOW - 60_000) });
    expect(due({ ...taken, lock: { ...taken.lock, startedAt: NOW - 9999 } })).toEqual([]);
  });

  it("starts the first turn of the queue only when nothing runs", () => {
    const queue = [turn("2", "10"), turn("3", "10")];
    expect(dueAt(channel({ queue }), plans(), "this life", NOW)).toEqual([{ kind: "start" }]);
    expect(due({ ...busy(), queue })).toEqual([]);
  });

  it("includes every closing turn and every calendar entry that has passed", () => {
    const closing = [turn("2", "10"), turn("3", "10")];
    const calendar = plans({ approvalExpiresAt: NOW, tokenRenewalAt: NOW, reminderAt: NOW, housekeepingAt: NOW });
    expect(due(channel({ closing }), calendar)).toEqual([
      "close",
      "close",
      "approval_expiry",
      "token_renewal",
      "reminder",
      "housekeeping",
    ]);
    expect(due(channel(), plans({ reminderAt: NOW + 1 }))).toEqual([]);
  });
});
