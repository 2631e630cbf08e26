// A turn that is parked until a person decides: the lock, the queue, the alarm, what the model reads, and lives that end.
import { describe, expect, it } from "vitest";
import { APPROVAL_LIFE_MS } from "../../../src/core/decisions/approval.ts";
import type { ApprovalClick } from "../../../src/core/state/rpc.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, says, text, tool } from "../../support/turn-script.ts";

const OWNER = "10";
const DANGER: Partial<Tool> = {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
};
const REQUEST =
  '-# ⚠️ This needs approval from <@10> within 10 min. Click Approve or Deny:\n-# `purge with note = "all"`';

/** Makes a channel with a dangerous tool, and counts how often that ran. */
function channelWithPurge(execute: () => Promise<void> | void = () => {}) {
  const runs: string[] = [];
  const purge = tool(
    "purge",
    async ({ idempotencyKey }) => {
      runs.push(idempotencyKey);
      await execute();
      return { ok: true, data: "purged" };
    },
    DANGER,
  );
  const c = createChannelHarness({ tools: [purge] });
  return { c, runs };
}
const submit = (c: ChannelHarness, id: string, userId = OWNER) =>
  c.submit({ trigger: { ...testRequest(id, userId), receivedAt: c.clock.now() } });
const click = (c: ChannelHarness, id: string, more: Partial<ApprovalClick> = {}) =>
  c.approve({
    interactionId: id,
    turnId: "1",
    approved: true,
    userId: OWNER,
    userName: "x",
    moderator: false,
    press: { applicationId: "1", token: `token-${id}`, messageId: "original-token-1" },
    ...more,
  });
const stop = (c: ChannelHarness, kind: "stop" | "kill") =>
  c.stop({ interactionId: kind, kind, turnId: null, userId: OWNER, userName: "x", moderator: false });
const PURGE: ModelEvent[] = [text("I could."), end([["purge", { note: "all" }]])];
/** Lets some seconds pass, enough for requests to be sent and heartbeats to come. */
const moment = (c: ChannelHarness) => c.clock.advance(5000);

/** Turn 1 has asked for its dangerous call, and Discord shows the request. */
async function parked(c: ChannelHarness): Promise<void> {
  submit(c, "1");
  await moment(c);
  c.answer(PURGE);
  await moment(c);
}

/** What the model read about the calls in its last request. */
const read = (c: ChannelHarness) =>
  (c.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [JSON.parse(one.text) as unknown] : []));
const failed = (reason: string) => ({ status: "tool_execution_failed", reason, tool_name: "purge" });
const stateOf = (c: ChannelHarness, id = "1") => c.store.turn(id)?.state;
/** What the reply shows, as last written with the turn's own token or with that of a click. */
const shown = (c: ChannelHarness, id = "1") => c.shown().get("token-p") ?? c.shown().get(`token-${id}`);

describe("a dangerous call", () => {
  it("parks its turn: the lock is free, the request is shown, and only the request's expiry is planned", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    expect([stateOf(c), c.store.lock().turnId, runs, c.streams()]).toEqual(["parked", null, [], 0]);
    expect(shown(c)).toBe(`I could.\n\n${REQUEST}`);
    c.runAlarm();
    const request = c.store.turn("1")?.approval;
    expect([c.alarmAt(), request?.shown]).toEqual([request?.expiresAt, true]);
    expect(request?.expiresAt).toBe((request?.askedAt ?? 0) + APPROVAL_LIFE_MS);
    expect(c.clock.pending()).toBe(0);
  });

  it("runs once when it is approved, and the turn continues with its id, its words and its reply", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    expect(click(c, "p")).toEqual({ result: "approved" });
    await moment(c);
    expect([stateOf(c), runs, read(c)]).toEqual(["running", ["1:2.0"], ["purged"]]);
    c.answer(says("Gone."));
    await moment(c);
    expect([stateOf(c), c.store.turn("1")?.status, shown(c)]).toEqual(["finished", "completed", "I could.\n\nGone."]);
    expect(c.store.messagesInTurn("1").map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    expect([c.alarmAt(), c.shown().get("token-p+1")]).toEqual([null, "Approved. The answer continues."]);
  });

  it.each([
    [
      "is denied",
      (c: ChannelHarness) => void click(c, "p", { approved: false }),
      "a person denied this call; do not try it again in another way",
    ],
    [
      "gets no decision in time",
      async (c: ChannelHarness) => {
        await c.clock.advance(APPROVAL_LIFE_MS);
        c.runAlarm();
      },
      "nobody approved this call in time, so it did not run",
    ],
  ])("that %s never runs, and the turn continues with the reason", async (_, happens, reason) => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    await happens(c);
    await moment(c);
    expect([stateOf(c), runs, read(c)]).toEqual(["running", [], [failed(reason)]]);
    c.answer(says("Then not."));
    await moment(c);
    expect([stateOf(c), shown(c), c.alarmAt()]).toEqual(["finished", "I could.\n\nThen not.", null]);
  });

  it.each([
    ["another one", "more"],
    ["the same one again", "all"],
  ])("is allowed once per turn: %s is refused, and nobody is asked", async (_, note) => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    click(c, "p");
    await moment(c);
    c.answer([end([["purge", { note }]])]);
    await moment(c);
    const spent = "a person is asked about only one call per turn, and was already asked; nothing ran";
    expect([stateOf(c), runs.length, read(c)]).toEqual(["running", 1, ["purged", failed(spent)]]);
  });

  it("delays the later calls of the same answer until it is decided", async () => {
    const { c } = channelWithPurge();
    submit(c, "1");
    await moment(c);
    c.answer([end([["purge", { note: "all" }], "purge", "nothing"])]);
    await moment(c);
    expect(c.store.settledCalls("1")).toBe(0);
    click(c, "p");
    await moment(c);
    expect(read(c)).toEqual([
      "purged",
      expect.objectContaining({ tool_name: "purge" }),
      expect.objectContaining({ tool_name: "nothing" }),
    ]);
  });
});

describe("while a turn is parked", () => {
  it("everyone is answered, including its own person, and its words stay out of their context", async () => {
    const { c } = channelWithPurge();
    await parked(c);
    submit(c, "2");
    await moment(c);
    expect(c.requests.at(-1)?.messages.map(({ text: words }) => words)).toEqual(["[user 10 · u1]\ntext of 2"]);
    c.answer(says("Two."));
    await moment(c);
    expect([stateOf(c, "2"), stateOf(c)]).toEqual(["finished", "parked"]);
    click(c, "p");
    await moment(c);
    c.answer(says("Gone."));
    await moment(c);
    submit(c, "3");
    await moment(c);
    const roles = c.requests.at(-1)?.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "user", "assistant", "tool", "assistant", "user"]);
  });

  it("a click puts it at the front of the queue, and its words stay while it waits for the lock", async () => {
    const { c } = channelWithPurge();
    await parked(c);
    for (const [id, userId] of [
      ["2", "11"],
      ["3", "12"],
    ] as const)
      submit(c, id, userId);
    await moment(c);
    click(c, "p");
    await moment(c);
    expect(c.store.state().queue.map(({ id }) => id)).toEqual(["1", "3"]);
    expect(shown(c)).toBe("I could.\n\n-# Waiting: number 1 in the queue, after <@11>.");
    c.answer(says("Two."));
    await moment(c);
    expect([c.store.lock().turnId, read(c)]).toEqual(["1", ["purged"]]);
  });

  it("a second click or a stranger's changes nothing, and a repeated click gets the same answer", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    const answers = [
      click(c, "a", { userId: "30" }),
      click(c, "b", { userId: "99", moderator: true }),
      click(c, "b", { userId: "99", moderator: true }),
      click(c, "c", { approved: false }),
    ];
    await moment(c);
    expect(answers.map(({ result }) => result)).toEqual(["not_allowed", "approved", "approved", "already_decided"]);
    expect([runs.length, read(c)]).toEqual([1, ["purged"]]);
  });

  it.each([
    ["the click first", ["approved", "queued"], 1],
    ["the expiry first", ["already_decided", "queued"], 0],
  ])("of a click and the expiry, %s, exactly one counts", async (order, _expected, ran) => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    const { expiresAt = 0 } = c.store.turn("1")?.approval ?? {};
    await c.clock.advance(expiresAt - c.clock.now() - 1);
    if (order === "the click first") {
      expect(click(c, "p").result).toBe("approved");
      await c.clock.advance(1);
      c.runAlarm();
    } else {
      await c.clock.advance(1);
      expect(click(c, "p")).toEqual({ result: "already_decided", as: "expired" });
    }
    await moment(c);
    expect([runs.length, stateOf(c), c.streams()]).toEqual([ran, "running", 1]);
  });

  it.each(["stop", "kill"] as const)("a %s ends it, with its words so far and a line of its own", async (kind) => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    expect(stop(c, kind)).toEqual({ result: "stopped", ofUserId: OWNER, what: "parked", cleared: 0 });
    await moment(c);
    expect([stateOf(c), shown(c), runs, c.alarmAt()]).toEqual([
      "finished",
      "I could.\n\n-# Stopped by <@10>.",
      [],
      null,
    ]);
    expect(click(c, "p")).toEqual({ result: "nothing_asked" });
    submit(c, "2");
    await moment(c);
    expect(read(c)).toEqual([{ status: "no_result", note: "no result; do not assume that it ran" }]);
  });

  it("a stop resets its person's count of follow-ups in a row, as a stop of a running turn does", async () => {
    const { c } = channelWithPurge();
    await parked(c);
    c.store.saveLock({ ...c.store.lock(), followUps: { userId: OWNER, count: 3 } });
    stop(c, "stop");
    expect(c.store.lock().followUps).toBeNull();
  });

  it("a stop of a waiting turn does not reset the count of follow-ups in a row", async () => {
    const { c } = channelWithPurge();
    submit(c, "1");
    submit(c, "2", "11");
    c.store.saveLock({ ...c.store.lock(), followUps: { userId: OWNER, count: 3 } });
    c.stop({ interactionId: "s", kind: "stop", turnId: "2", userId: "11", userName: "x", moderator: false });
    await moment(c);
    expect([stateOf(c, "2"), c.store.lock().followUps]).toEqual(["finished", { userId: OWNER, count: 3 }]);
  });

  it("a kill clears the queue in which it waits to continue, and the words shown so far stay", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    submit(c, "2", "11");
    await moment(c);
    click(c, "p");
    c.stop({ interactionId: "k", kind: "kill", turnId: null, userId: "99", userName: "x", moderator: true });
    await moment(c);
    expect([stateOf(c), shown(c), runs]).toEqual(["finished", "I could.\n\n-# Stopped by <@99>.", []]);
  });

  it("a follow-up of its person does not replace it", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    submit(c, "2");
    await moment(c);
    click(c, "p");
    submit(c, "3");
    await moment(c);
    expect([c.store.turn("1")?.status, c.store.state().queue.map(({ id }) => id)]).toEqual([null, ["1"]]);
    c.answer(says("Three."));
    await moment(c);
    expect(runs.length).toBe(1);
  });
});

describe("a life that ends", () => {
  it("while the turn is parked leaves a turn that can be approved", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    c.crash();
    expect(click(c, "p")).toEqual({ result: "approved" });
    await moment(c);
    expect([runs.length, read(c)]).toEqual([1, ["purged"]]);
  });

  it("before the request is shown leaves showing it to the next life", async () => {
    const { c } = channelWithPurge();
    submit(c, "1");
    await moment(c);
    c.answer(PURGE);
    await c.drain();
    expect([stateOf(c), shown(c)]).toEqual(["parked", undefined]);
    c.crash();
    await c.clock.advance(10_000);
    c.runAlarm();
    await moment(c);
    expect(shown(c)).toBe(`I could.\n\n${REQUEST}`);
  });

  it("while the approved call runs leaves the call interrupted, so that it never runs again", async () => {
    const { c, runs } = channelWithPurge(() => new Promise(() => {}));
    await parked(c);
    click(c, "p");
    await moment(c);
    c.crash();
    c.runAlarm();
    await moment(c);
    expect([runs.length, read(c)]).toEqual([
      1,
      [failed("the call was interrupted; outcome unknown, it may or may not have taken effect")],
    ]);
  });

  it("between the click and the call leaves an approved call, which then runs", async () => {
    const { c, runs } = channelWithPurge();
    await parked(c);
    submit(c, "2", "11");
    await moment(c);
    click(c, "p");
    c.crash();
    c.runAlarm();
    await moment(c);
    c.answer(says("Two."));
    await moment(c);
    expect([runs.length, read(c)]).toEqual([1, ["purged"]]);
  });
});

it("a message that waited to join a turn and began its own when that was parked is not joined to any turn later", async () => {
  const { c, runs } = channelWithPurge();
  c.store.putSetting("follow_up", "steer");
  submit(c, "1");
  await moment(c);
  submit(c, "2");
  expect(c.store.turn("2")?.steers).toBe("1");
  for (let turn = 1; turn <= 2; turn++) {
    c.answer(PURGE);
    await moment(c);
  }
  expect([stateOf(c), stateOf(c, "2")]).toEqual(["parked", "parked"]);
  for (const turnId of ["1", "2"])
    click(c, `p${turnId}`, {
      turnId,
      press: { applicationId: "1", token: `p${turnId}`, messageId: `original-token-${turnId}` },
    });
  for (const words of ["Purged.", "Purged again."]) {
    await moment(c);
    c.answer(says(words));
  }
  await moment(c);
  expect(runs.length).toBe(2);
  expect(["p1", "p2"].map((token) => c.shown().get(token))).toEqual([
    "I could.\n\nPurged.",
    "I could.\n\nPurged again.",
  ]);
});
