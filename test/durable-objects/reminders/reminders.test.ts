// Reminders of a channel: the alarm starts the turn of each exactly once, whatever dies in between. Also who may set how many, and cancel whose.
import { beforeEach, describe, expect, it } from "vitest";
import { FIRED_REMINDER_LIFE_MS, MAX_REMINDERS, MAX_REMINDERS_PER_USER } from "../../../src/core/limits.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, saysUncounted as says, tool } from "../../support/turn-script.ts";

const HOUR_MS = 3_600_000;
const THEO = testRequest("1", "10");
const MIRA = testRequest("2", "20");
const MODERATOR = { ...testRequest("3", "30"), moderator: true };

let channel: ChannelHarness;
let dueAt: number;
beforeEach(() => {
  channel = createChannelHarness();
  dueAt = channel.clock.now() + HOUR_MS;
});

const set = (key: string, text = "tea", at = dueAt, by = THEO) =>
  channel.remindersFor(by).set({ key, text, dueAt: at });
const turns = () => {
  const { running, queue } = channel.store.state();
  return [...(running ? [running] : []), ...queue].map(({ state, request }) => `${state} ${request.reminder?.text}`);
};
/** Moves the time to the alarm and runs it, again and again until nothing is planned before `until`. */
async function pass(until: number): Promise<void> {
  for (let at = channel.alarmAt(); at !== null && at <= until; at = channel.alarmAt()) {
    await channel.clock.advance(Math.max(0, at - channel.clock.now()));
    channel.runAlarm();
    await channel.drain();
    if (channel.streams() > 0) return;
  }
}
async function answer(text: string): Promise<void> {
  channel.answer(says(text));
  await channel.clock.advance(2000);
}

describe("a reminder", () => {
  it("is not interrupted by its person's next message, which waits for its end", async () => {
    set("k");
    await pass(dueAt);
    channel.stream([{ kind: "text", text: "The news" }]);
    await channel.clock.advance(100);
    channel.submit({ trigger: { ...testRequest("118000000000000010", "10"), receivedAt: channel.clock.now() } });
    await channel.clock.advance(2000);
    await answer(" of today.");
    expect([...channel.shown().values()].at(-1)).toContain("The news of today.\n\n-# ⏰");
    expect(turns()).toEqual(["running undefined"]);
  });

  it("shows only its line if a tool did everything", async () => {
    channel = createChannelHarness({
      tools: [tool("goodbye", async () => ({ ok: true, data: "bye" }), { category: "terminal" })],
    });
    set("k");
    await pass(dueAt);
    channel.answer([end(["goodbye"])]);
    await channel.clock.advance(2000);
    expect([...channel.shown().values()]).toEqual([expect.stringMatching(/^-# ⏰[^\n]*$/)]);
  });

  it("is not joined by its person's next message, whose failure it would not show", async () => {
    channel.store.putSetting("follow_up", "steer");
    set("k");
    await pass(dueAt);
    channel.submit({ trigger: { ...testRequest("118000000000000010", "10"), receivedAt: channel.clock.now() } });
    channel.answer([
      { kind: "end", finishReason: "tool_calls", calls: [{ id: "c", name: "none", arguments: "{}" }], usage: null },
    ]);
    await channel.clock.advance(2000);
    expect(channel.store.state().queue.map(({ id, steers }) => [id, steers])).toEqual([["118000000000000010", null]]);
    await answer("Tea!");
    expect(turns()).toEqual(["running undefined"]);
  });

  it("comes without an answer if there is a limit and nobody knows what is left of it", async () => {
    const lease = async () => Promise.reject(new Error("down"));
    channel = createChannelHarness({ scope: openScopes({ lease }) });
    channel.store.saveScopeNote({ settings: {}, isLimited: true });
    set("k");
    await pass(dueAt);
    await channel.clock.advance(2000);
    expect([[...channel.shown().values()], channel.requests, turns()]).toEqual([
      [`-# ⏰ Reminder for <@10>, due <t:${Math.floor(dueAt / 1000)}:R>: tea`],
      [],
      [],
    ]);
  });

  it("sets the alarm to its time, then starts a turn of its own, whose reply names it", async () => {
    set("k", "drink\ntea");
    expect(channel.alarmAt()).toBe(dueAt);
    channel.runAlarm();
    expect(turns()).toEqual([]);
    await pass(dueAt);
    expect(turns()).toEqual(["running drink\ntea"]);
    await answer("Time for tea!");
    expect([...channel.shown().values()].at(-1)).toBe(
      `Time for tea!\n\n-# ⏰ Reminder for <@10>, due <t:${Math.floor(dueAt / 1000)}:R>: drink tea`,
    );
    expect([turns(), channel.alarmAt()]).toEqual([[], null]);
  });

  it("fires once in the next life if the object was dead at its time", async () => {
    set("k");
    channel.crash();
    await channel.clock.advance(2 * HOUR_MS);
    channel.runAlarm();
    await channel.drain();
    channel.crash();
    channel.runAlarm();
    channel.runAlarm();
    await channel.drain();
    expect(turns()).toEqual(["running tea"]);
    await answer("Tea.");
    channel.crash();
    channel.runAlarm();
    expect([turns(), channel.alarmAt()]).toEqual([[], null]);
  });

  it("waits while another turn runs, after those already waiting", async () => {
    channel.submit({ trigger: MIRA });
    channel.submit({ trigger: MODERATOR });
    set("k", "tea", channel.clock.now() + 10_000);
    await channel.clock.advance(9999);
    channel.runAlarm();
    expect(channel.store.state().queue.map(({ request }) => request.userId)).toEqual(["30"]);
    await channel.clock.advance(1);
    channel.runAlarm();
    expect(channel.store.state().queue.map(({ request }) => request.userId)).toEqual(["30", "10"]);
  });

  it("comes in the order of due times, and at once if its time was missed", async () => {
    set("b", "second", dueAt + 1);
    set("a", "first", dueAt);
    set("c", "third", dueAt + 2 * HOUR_MS);
    await channel.clock.advance(HOUR_MS + 5);
    channel.runAlarm();
    expect(turns()).toEqual(["running first", "queued second"]);
  });

  it("also comes if the model fails, and does not mention the failure", async () => {
    set("k");
    await pass(dueAt);
    channel.answer([{ kind: "failed", failure: { reason: "auth", message: "no key" } }]);
    await channel.clock.advance(2000);
    expect([...channel.shown().values()].at(-1)).toBe(
      `-# ⏰ Reminder for <@10>, due <t:${Math.floor(dueAt / 1000)}:R>: tea`,
    );
  });

  it("does not mention that another model had to answer", async () => {
    const price = { input: 1, output: 1 };
    channel = createChannelHarness({ price: [price, price] });
    set("k");
    await pass(dueAt);
    channel.answer([{ kind: "failed", failure: { reason: "auth", message: "no key" } }]);
    await channel.clock.advance(10);
    await answer("Tea.");
    expect([...channel.shown().values()].at(-1)).toBe(
      `Tea.\n\n-# ⏰ Reminder for <@10>, due <t:${Math.floor(dueAt / 1000)}:R>: tea`,
    );
  });

  it("is recognized by the call that set it, even after it has come", async () => {
    const first = set("k");
    expect(channel.remindersFor(THEO).known("k")).toEqual(first.ok && first.reminder);
    await pass(dueAt);
    expect(channel.remindersFor(THEO).known("k")).toEqual(first.ok && first.reminder);
    expect(channel.remindersFor(THEO).known("other")).toBeNull();
  });

  it("that has come is recognized by its call for a day, whatever else is set meanwhile", async () => {
    set("k");
    await pass(dueAt);
    await answer("Tea.");
    const knownAt = async (at: number) => {
      await channel.clock.advance(at - channel.clock.now());
      set(`at ${at}`, "cake", at + HOUR_MS);
      return channel.remindersFor(THEO).known("k") !== null;
    };
    expect(await knownAt(dueAt + FIRED_REMINDER_LIFE_MS)).toBe(true);
    expect(await knownAt(dueAt + FIRED_REMINDER_LIFE_MS + 1)).toBe(false);
  });
});

describe("the reminders of a channel", () => {
  it("are listed in the order in which they will come", () => {
    set("a", "later", dueAt + 1);
    set("b", "sooner", dueAt, MIRA);
    expect(channel.remindersFor(THEO).pending()).toEqual([
      { number: 2, userId: "20", text: "sooner", dueAt, setAt: channel.clock.now() },
      { number: 1, userId: "10", text: "later", dueAt: dueAt + 1, setAt: channel.clock.now() },
    ]);
  });

  it("are listed to their person, and all of them to a moderator", async () => {
    set("a", "tea", dueAt);
    set("b", "cake", dueAt + 1, MIRA);
    const viewers = [THEO, MIRA, { ...testRequest("4", "40"), moderator: false }, MODERATOR];
    const lists = await Promise.all(viewers.map((viewer) => channel.port.reminders(viewer)));
    expect(lists.map((list) => list.map(({ text }) => text))).toEqual([["tea"], ["cake"], [], ["tea", "cake"]]);
  });

  it("can be canceled only by their person and by moderators, and then never come", async () => {
    set("a");
    set("b");
    expect([1, 9].map((number) => channel.remindersFor(MIRA).cancel(number))).toEqual(["not_yours", "not_found"]);
    expect(channel.remindersFor(THEO).cancel(1)).toBe("cancelled");
    expect(channel.remindersFor(THEO).cancel(1)).toBe("not_found");
    expect(channel.remindersFor(MODERATOR).cancel(2)).toBe("cancelled");
    await pass(2 * dueAt);
    expect([turns(), channel.alarmAt()]).toEqual([[], null]);
  });

  it("are limited per person and per channel", () => {
    const people = Array.from({ length: MAX_REMINDERS / MAX_REMINDERS_PER_USER }, (_, n) =>
      testRequest("1", `${100 + n}`),
    );
    for (const by of people)
      for (let n = 0; n < MAX_REMINDERS_PER_USER; n++) expect(set(`${by.userId} ${n}`, "tea", dueAt, by).ok).toBe(true);
    expect(set("k", "tea", dueAt, people[0])).toEqual({ ok: false, full: "person", limit: MAX_REMINDERS_PER_USER });
    expect(set("k")).toEqual({ ok: false, full: "channel", limit: MAX_REMINDERS });
    expect(channel.remindersFor(MODERATOR).cancel(1)).toBe("cancelled");
    expect(set("k").ok).toBe(true);
  });
});

describe("a due reminder of a person who may no longer ask", () => {
  const [ANA, ROLE, OTHER] = ["118000000000000010", "118000000000000031", "118000000000000032"];

  /** Returns what becomes of Ana's reminder if the settings change after it was set. */
  async function due(settings: Record<string, string>, roles?: readonly string[]) {
    const request = testRequest("9", ANA);
    channel.submit({ trigger: request, ...(roles && { roles }) });
    const stored = channel.store.turn("9")?.request ?? request;
    channel.remindersFor(stored).set({ key: "k", text: "tea", dueAt });
    await channel.drain();
    await answer("Set.");
    for (const [key, value] of Object.entries(settings)) channel.store.putSetting(key, value);
    await pass(dueAt);
    return turns();
  }

  it.each<[string, Record<string, string>]>([
    ["was denied", { deny_users: ANA }],
    ["has a denied role", { deny_roles: ROLE }],
    ["is not on the list", { allow_users: OTHER }],
    ["has none of the allowed roles", { allow_roles: OTHER }],
  ])("who %s starts no turn", async (_, settings) => {
    expect(await due(settings, [ROLE])).toEqual([]);
  });

  it("comes if the lists allow it, but not if they require a role and the person has none", async () => {
    expect(await due({ allow_roles: ROLE }, [ROLE])).toEqual(["running tea"]);
    await answer("Tea.");
    channel = createChannelHarness();
    expect(await due({ allow_roles: ROLE })).toEqual([]);
  });

  it("comes without a call of the model when the budget is used up", async () => {
    expect(await due({ user_turns_per_day: "1" })).toEqual([]);
    await channel.clock.advance(5000);
    expect([...channel.shown().values()].at(-1)).toContain("⏰ Reminder");
    expect(channel.requests.length).toBe(1);
  });
});
