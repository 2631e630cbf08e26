// A second request while a turn runs: every state of the channel, every kind of asker and every follow-up setting.
import { describe, expect, it } from "vitest";
import {
  type AdmissionRules,
  admit,
  followUpsAfter,
  joiningPosition,
  newQueuePosition,
  nextToStart,
  queuePositionsAfter,
} from "../../../src/core/decisions/admission.ts";
import { type ChannelState, freeLock, type TurnStatus } from "../../../src/core/state/record.ts";
import { testRequest } from "../../support/store-contract.ts";
import { channel, flag, runningTurn, turn } from "./turns.ts";

const ME = "10";
const OTHER = "20";
const rules = (more: Partial<AdmissionRules> = {}): AdmissionRules => ({
  followUp: "interrupt",
  maxFollowUpInterrupts: 3,
  maxQueueLength: 10,
  maxQueuedPerUser: 3,
  ...more,
});

/** What happens to this person's message in a state: one word for each follow-up setting. */
const outcome = (state: ChannelState, userId: string) =>
  (["interrupt", "queue", "steer"] as const).map((followUp) => {
    const admission = admit(state, userId, rules({ followUp }));
    return admission.kind === "refuse" ? admission.refusal.reason : admission.kind;
  });

const situations: [situation: string, state: ChannelState, mine: string[], others: string[]][] = [
  ["idle", channel(), ["start", "start", "start"], ["start", "start", "start"]],
  [
    "my turn plans",
    channel({ running: runningTurn(ME, { phase: "planning" }) }),
    ["front", "back", "steer"],
    ["back", "back", "back"],
  ],
  ["my turn streams", channel({ running: runningTurn(ME) }), ["interrupt", "back", "steer"], ["back", "back", "back"]],
  [
    "my turn uses tools",
    channel({ running: runningTurn(ME, { phase: "tools" }) }),
    ["front", "back", "steer"],
    ["back", "back", "back"],
  ],
  [
    "my turn finishes",
    channel({ running: runningTurn(ME, { phase: "finishing" }) }),
    ["front", "back", "front"],
    ["back", "back", "back"],
  ],
  [
    "my turn streams and I interrupted it already",
    channel({ running: runningTurn(ME, { stop: flag("follow_up") }) }),
    ["front", "back", "steer"],
    ["back", "back", "back"],
  ],
  [
    "my turn streams after three interrupts in a row",
    channel({ running: runningTurn(ME), lock: { ...freeLock, turnId: "1", followUps: { userId: ME, count: 3 } } }),
    ["back", "back", "steer"],
    ["back", "back", "back"],
  ],
  [
    "my turn streams after three interrupts by another person",
    channel({ running: runningTurn(ME), lock: { ...freeLock, turnId: "1", followUps: { userId: OTHER, count: 3 } } }),
    ["interrupt", "back", "steer"],
    ["back", "back", "back"],
  ],
  ...(["stop", "kill"] as const).map((kind): (typeof situations)[number] => [
    `a ${kind} is pending`,
    channel({ running: runningTurn(ME, { stop: flag(kind) }) }),
    ["stop_pending", "stop_pending", "stop_pending"],
    ["stop_pending", "stop_pending", "stop_pending"],
  ]),
  [
    "my turn is parked and nothing runs",
    channel({ parked: [turn("5", ME, { state: "parked" })] }),
    ["start", "start", "start"],
    ["start", "start", "start"],
  ],
  [
    "my turn is sending its final message",
    channel({ closing: [turn("5", ME, { state: "closing" })] }),
    ["start", "start", "start"],
    ["start", "start", "start"],
  ],
  [
    "someone waits although nothing runs",
    channel({ queue: [turn("2", OTHER)] }),
    ["back", "back", "back"],
    ["back", "back", "back"],
  ],
];

describe("a second message", () => {
  it.each(situations)("when %s: mine under each setting, then another person's", (_situation, state, mine, others) => {
    expect(outcome(state, ME)).toEqual(mine);
    expect(outcome(state, "30")).toEqual(others);
  });

  it("replaces my older waiting follow-ups and nothing else", () => {
    const queue = [
      turn("2", ME, { followUp: true }),
      turn("3", ME),
      turn("4", OTHER, { followUp: true }),
      turn("5", ME, { followUp: true }),
    ];
    const working = channel({ running: runningTurn(ME, { phase: "tools" }), queue });
    expect(admit(working, ME, rules())).toEqual({ kind: "front", supersedes: ["2", "5"] });
    const writing = channel({ running: runningTurn(ME), queue });
    expect(admit(writing, ME, rules())).toEqual({ kind: "interrupt", turnId: "1", supersedes: ["2", "5"] });
  });

  it("is refused with the limit if the queue or my share of it is full; a superseded entry frees its position", () => {
    const full = channel({ running: runningTurn(OTHER), queue: [turn("2", "31"), turn("3", "32")] });
    expect(admit(full, ME, rules({ maxQueueLength: 2 }))).toEqual({
      kind: "refuse",
      refusal: { reason: "queue_full", limit: 2 },
    });
    const share = channel({ running: runningTurn(OTHER), queue: [turn("2", ME), turn("3", ME)] });
    expect(admit(share, ME, rules({ maxQueuedPerUser: 2 }))).toEqual({
      kind: "refuse",
      refusal: { reason: "user_share_full", limit: 2 },
    });
    const mine = channel({ running: runningTurn(ME, { phase: "tools" }), queue: [turn("2", ME, { followUp: true })] });
    expect(admit(mine, ME, rules({ maxQueueLength: 1, maxQueuedPerUser: 1 }))).toEqual({
      kind: "front",
      supersedes: ["2"],
    });
  });

  it("doesn't count due reminders in the queue's limits, because no one asked for them just now", () => {
    const due = (id: string, userId: string) =>
      turn(id, userId, { request: { ...testRequest(id, userId), reminder: { text: "tea", dueAt: 0 } } });
    const queue = [due("2", ME), due("3", ME), due("4", OTHER)];
    const state = channel({ running: { ...due("1", ME), state: "running" }, queue });
    expect(admit(state, ME, rules({ followUp: "queue", maxQueueLength: 3, maxQueuedPerUser: 2 })).kind).toBe("back");
  });

  it("may interrupt even if the queue's limit is 0, because it replaces the turn that it ends", () => {
    const state = channel({ running: runningTurn(ME) });
    expect(admit(state, ME, rules({ maxQueueLength: 0 })).kind).toBe("interrupt");
    expect(admit(state, OTHER, rules({ maxQueueLength: 0 })).kind).toBe("refuse");
    expect(admit(state, ME, rules({ maxFollowUpInterrupts: 0 })).kind).toBe("back");
  });
});

describe("the count of consecutive interrupts", () => {
  const statuses: TurnStatus[] = ["completed", "error", "timeout", "empty_response", "stopped_by_user", "cleared"];

  it("grows with each interrupt by the same person and restarts for another person", () => {
    const lock = { ...freeLock, followUps: { userId: ME, count: 2 } };
    expect(followUpsAfter(lock, ME, "follow_up_interrupt")).toEqual({ userId: ME, count: 3 });
    expect(followUpsAfter(lock, OTHER, "follow_up_interrupt")).toEqual({ userId: OTHER, count: 1 });
  });

  it.each(statuses)("is reset after %s", (status) => {
    expect(followUpsAfter({ ...freeLock, followUps: { userId: ME, count: 2 } }, ME, status)).toBeNull();
  });
});

describe("the queue", () => {
  it("adds a turn in front of all others or after all others", () => {
    const queue = [turn("3", ME), turn("4", OTHER), turn("7", ME)];
    expect([newQueuePosition(queue, "front"), newQueuePosition(queue, "back"), newQueuePosition([], "front")]).toEqual([
      2, 8, 0,
    ]);
  });

  it("puts a message that joins a turn before all others but after its person's earlier joining messages, and links it to the same turn", () => {
    const queue = [
      { ...turn("3", ME), queuePosition: -3, steers: "1" },
      { ...turn("4", OTHER), queuePosition: -2 },
    ];
    expect([
      joiningPosition(queue, "1", ME),
      joiningPosition(queue, "2", ME),
      joiningPosition(queue, "2", OTHER),
      joiningPosition([], "1", ME),
    ]).toEqual([
      { queuePosition: -2.5, steers: "1" },
      { queuePosition: -2.5, steers: "1" },
      { queuePosition: -4, steers: "2" },
      { queuePosition: 0, steers: "1" },
    ]);
  });

  it("puts turns that belong together between a given position and the next turn, in order, even at negative positions", () => {
    const queue = [
      { ...turn("3", ME), queuePosition: -3 },
      { ...turn("4", OTHER), queuePosition: -2 },
    ];
    expect([queuePositionsAfter(queue, -3, 3), queuePositionsAfter(queue, -2, 1)]).toEqual([
      [-2.75, -2.5, -2.25],
      [-1.5],
    ]);
  });

  it("starts its first turn if nothing runs, and otherwise none", () => {
    const queue = [turn("3", ME), turn("4", OTHER)];
    expect(nextToStart(channel({ queue }))?.id).toBe("3");
    expect(nextToStart(channel({ queue, running: runningTurn(ME) }))).toBeNull();
    expect(nextToStart(channel())).toBeNull();
  });
});
