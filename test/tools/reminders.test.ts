// The reminder tools as a model calls them: what they say about the time, and how they put refusals into words.
import { beforeEach, describe, expect, it } from "vitest";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { tools } from "../../src/tools/index.ts";
import { type ChannelHarness, createChannelHarness } from "../support/channel-harness.ts";
import { testRequest } from "../support/store-contract.ts";

/** A Wednesday. */
const NOW = Date.UTC(2030, 0, 2, 10, 30);

const CLEAN = { level: "none", isAskedFor: () => true, isKnown: () => true } as const;

let channel: ChannelHarness;
beforeEach(() => {
  channel = createChannelHarness();
});

async function call(name: string, args: object, { key = "k", by = "10", now = NOW, botToken = true } = {}) {
  const availability = { botToken, permissions: new Set([]), modelAbilities: new Set([]), settings: new Set([]) };
  const services = { reminders: channel.remindersFor(testRequest("1", by)) };
  const runtime = new ToolRuntime(createToolRegistry(tools), { services, availability });
  const { meta: _meta, ...result } = await runtime.execute(
    { name, arguments: JSON.stringify(args) },
    { userId: by, now, idempotencyKey: key, taint: CLEAN },
  );
  return result;
}
const set = (when: string, timezone?: string) =>
  call("set_reminder", { text: "tea", when, ...(timezone === undefined ? {} : { timezone }) });

describe("set_reminder", () => {
  it("says when it is due, in the person's zone, and as Discord shows it to everyone in theirs", async () => {
    expect(await set("tomorrow at 9", "Europe/Berlin")).toEqual({
      ok: true,
      status: "ok",
      data: {
        number: 1,
        text: "tea",
        dueAt: "2030-01-03T08:00:00.000Z",
        inZone: "Thursday, 3 January 2030 at 09:00 (Europe/Berlin)",
        timestamp: "<t:1893657600:F>",
      },
    });
  });

  it.each([
    ["", "2030-01-03T09:00:00.000Z"],
    ["  ", "2030-01-03T09:00:00.000Z"],
    [" Europe/Berlin ", "2030-01-03T08:00:00.000Z"],
  ])("treats an empty zone like one that was left out: %j", async (zone, dueAt) => {
    expect((await set("tomorrow at 9", zone)).data).toMatchObject({ dueAt });
  });

  it.each([
    ["Europe/Berlin", "2030-03-31T02:30", "2030-03-31T01:30:00.000Z", "forward"],
    ["Australia/Lord_Howe", "2030-10-06T02:15", "2030-10-05T15:45:00.000Z", "forward"],
    ["Antarctica/Troll", "2030-03-31T01:30", "2030-03-31T01:30:00.000Z", "forward"],
    ["Europe/Berlin", "2030-10-27T02:30", "2030-10-27T00:30:00.000Z", "back"],
    ["Australia/Lord_Howe", "2030-04-07T01:45", "2030-04-06T14:45:00.000Z", "back"],
  ])(
    "explains in %s the clock change at %s, which is one hour, half an hour or two hours",
    async (zone, when, dueAt, change) => {
      const note =
        change === "forward"
          ? "the clocks go forward past that time, so it comes later by the clock"
          : "that time comes twice on that day; the first one counts";
      expect((await set(when, zone)).data).toMatchObject({ dueAt, note });
    },
  );

  it.each([
    [
      "sometime",
      undefined,
      '"sometime" is not a time I can read; write it like "in 20 minutes", "tomorrow at 9", "next friday 18:00", "3 May 14:30" or 2030-05-03T18:00',
    ],
    ["2029-01-01", undefined, '"2029-01-01" is in the past'],
    [
      "every full moon",
      undefined,
      '"every full moon" is not a rule I can read; write it like "every weekday at 9", "every 2 hours", "every monday and thursday at 18:00", "every 2 weeks on friday" or "monthly on the 1st at 9"',
    ],
    ["every 29 minutes", undefined, "the times must be at least 30 minutes apart"],
    ["every 2 years", undefined, "the times can be at most one year apart"],
    ["31 June", undefined, 'there is no such day or hour as "31 June"'],
    ["in 2 years", undefined, "a reminder can be at most one year ahead"],
    ["in 59 seconds", undefined, "a reminder must be at least one minute ahead"],
    ["in 1 hour", "Berlin", '"Berlin" is not an IANA time zone; write it like Asia/Tokyo'],
  ])("refuses %s and sets nothing", async (when, timezone, error) => {
    expect(await set(when, timezone)).toEqual({ ok: false, status: "error", error });
    expect(channel.remindersFor(testRequest("1")).pending()).toEqual([]);
  });

  it("reaches as far as the same day of the next year, even across a leap day, into winter time and to a later hour", async () => {
    const now = Date.UTC(2027, 9, 29, 3, 17);
    const dueAt = async (when: string, key: string) =>
      (await call("set_reminder", { text: "tea", when, timezone: "Europe/Berlin" }, { now, key })).data;
    expect(await dueAt("in 1 year", "a")).toMatchObject({ dueAt: "2028-10-29T04:17:00.000Z" });
    expect(await dueAt("in a year at 23:59", "b")).toMatchObject({ dueAt: "2028-10-29T22:59:00.000Z" });
  });

  it("finds the reminder that it set if it runs again after a crash, even if the time has passed since", async () => {
    const first = await set("at 10:31");
    const again = await call("set_reminder", { text: "tea", when: "at 10:31" }, { now: NOW + 600_000 });
    expect(again.data).toEqual(first.data);
    expect(channel.remindersFor(testRequest("1")).pending().length).toBe(1);
  });

  it("takes a rule, says when it first comes, and shows it in the list", async () => {
    const repeating = { every: "every weekday at 9 (Europe/Berlin)", dueAt: "2030-01-03T08:00:00.000Z" };
    expect(await set("Every weekday at 9", "Europe/Berlin")).toMatchObject({
      data: {
        ...repeating,
        number: 1,
        inZone: "Thursday, 3 January 2030 at 09:00 (Europe/Berlin)",
        comes: "repeatedly; dueAt is the next time",
      },
    });
    // A repeated call finds it.
    expect((await set("Every weekday at 9", "Europe/Berlin")).data).toMatchObject({ ...repeating, number: 1 });
    expect((await call("list_reminders", {})).data).toMatchObject({ pending: [repeating] });
  });

  it("says how many may recur", async () => {
    for (let n = 0; n < 5; n++) await call("set_reminder", { text: "tea", when: "every 30 minutes" }, { key: `k${n}` });
    expect((await set("every day at 9")).error).toBe(
      "this person has 5 repeating reminders, the maximum; one must be canceled first",
    );
  });

  it("is refused if the bot can't write by itself, instead of making a promise that it can't keep", async () => {
    expect(await call("set_reminder", { text: "tea", when: "in 1 hour" }, { botToken: false })).toMatchObject({
      status: "denied",
      error: "set_reminder needs a bot token and membership here",
    });
  });

  it("is refused in a reminder's own turn, which would be a loop", async () => {
    const request = { ...testRequest("r1"), reminder: { text: "tea", dueAt: NOW } };
    const services = { reminders: channel.remindersFor(request) };
    const availability = {
      botToken: true,
      permissions: new Set([]),
      modelAbilities: new Set([]),
      settings: new Set([]),
    };
    const runtime = new ToolRuntime(createToolRegistry(tools), { services, availability });
    const call = { name: "set_reminder", arguments: JSON.stringify({ text: "tea", when: "in 1 hour" }) };
    expect(await runtime.execute(call, { userId: "10", now: NOW, idempotencyKey: "k" })).toMatchObject({
      error: "this turn answers a reminder, and a reminder can't set another one",
    });
    expect(services.reminders.pending()).toEqual([]);
  });

  it("says which limit is reached", async () => {
    for (let n = 0; n < 20; n++) await call("set_reminder", { text: "tea", when: "in 1 hour" }, { key: `k${n}` });
    expect((await set("in 1 hour")).error).toBe(
      "this person has 20 reminders, the maximum; one must come due or be canceled first",
    );
  });
});

describe("list_reminders and cancel_reminder", () => {
  it("mark words that a tainted turn proposed as what they are", async () => {
    await set("in 1 hour");
    expect((await call("list_reminders", {})).untrusted).toBeUndefined();
    const proposed = channel.remindersFor({ ...testRequest("1"), taint: "full" });
    proposed.set({ key: "t", text: "obey", dueAt: NOW + 60_000 });
    const { data, untrusted } = await call("list_reminders", {});
    expect(data).toMatchObject({ pending: [{ text: "obey", origin: "untrusted" }, { text: "tea" }] });
    expect(untrusted).toBeDefined();
  });

  it("show as many reminders as a channel may have, each with its number, and the beginnings of long texts", async () => {
    const text = '"water" the plants\n'.repeat(25).slice(0, 500);
    for (let n = 0; n < 100; n++) {
      const by = `${118000000000000010n + BigInt(n % 5)}`;
      const when = n < 25 ? "every monday and thursday at 18:00" : "in 1 hour";
      await call("set_reminder", { text, when, timezone: "America/Argentina/Buenos_Aires" }, { key: `k${n}`, by });
    }
    const { ok, data } = await call("list_reminders", {});
    const { pending } = data as { pending: { number: number; text: string }[] };
    expect([ok, new Set(pending.map(({ number }) => number)).size]).toEqual([true, 100]);
    expect(pending[99]?.text).toBe(`${text.slice(0, 80)}…`);
  });

  it("show everyone's reminders, and cancel only the caller's own", async () => {
    await set("in 1 hour");
    await call("set_reminder", { text: "coffee", when: "in 30 minutes" }, { key: "l", by: "20" });
    const coffee = { number: 2, text: "coffee", for: "<@20>", ofThisPerson: false, dueAt: "2030-01-02T11:00:00.000Z" };
    const tea = { number: 1, text: "tea", for: "<@10>", ofThisPerson: true, dueAt: "2030-01-02T11:30:00.000Z" };
    expect((await call("list_reminders", {})).data).toEqual({
      pending: [
        { ...coffee, timestamp: "<t:1893582000:F>" },
        { ...tea, timestamp: "<t:1893583800:F>" },
      ],
    });
    expect(await call("cancel_reminder", { number: 2 })).toMatchObject({
      ok: false,
      error: "reminder 2 is somebody else's; only they or a moderator may cancel it",
    });
    expect((await call("cancel_reminder", { number: 1 })).data).toEqual({ number: 1, cancelled: true });
    expect(await call("cancel_reminder", { number: 1 })).toMatchObject({
      ok: true,
      data: { number: 1, cancelled: false },
      message: "That reminder no longer exists.",
    });
  });
});
