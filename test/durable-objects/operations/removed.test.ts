// A bot that was removed from a server: what is due there ends without a model call, and stored data is deleted in time, without traffic.
import { expect, it } from "vitest";
import type { TurnRecord } from "../../../src/core/state/record.ts";
import type { DiscordRest, RestResult } from "../../../src/discord/rest/rest.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest, turnIn } from "../../support/store-contract.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const says: ModelEvent[] = [
  { kind: "text", text: "Tea." },
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];

/** Makes a channel whose bot can be removed, with reminders in one, two and fifty days. */
function place(code = 50_001) {
  const discord = { isClosed: true };
  const answer = async (): Promise<RestResult> =>
    discord.isClosed
      ? { ok: false, kind: "refused", status: 403, code, limit: null, text: "Forbidden" }
      : { ok: true, message: { id: "9", content: "", ephemeral: false } };
  const rest = (): DiscordRest => ({ create: answer, edit: answer, remove: answer, read: answer });
  // Discord refuses a direct message with the same codes as other messages.
  const isPrivate = code !== 50_001;
  const see = async () =>
    discord.isClosed && !isPrivate
      ? Response.json({ code }, { status: 403 })
      : Response.json({ id: "2", type: isPrivate ? 1 : 0 });
  const looks: string[] = [];
  const direct: unknown[] = [];
  const fetch = async (url: string, { method = "GET", body }: RequestInit) => {
    if (method === "GET") {
      looks.push(url);
      return see();
    }
    direct.push(url, JSON.parse(String(body)));
    return Response.json({ id: "77", content: "" });
  };
  const c = createChannelHarness({
    database: nodeSqlite(),
    rest,
    discord: () => ({ fetch, baseUrl: "", userAgent: "", botToken: "t" }),
  });
  const first = c.clock.now() + DAY_MS;
  const reminders = c.remindersFor(testRequest("1"));
  for (const [key, dueAt] of [
    ["one", first],
    ["two", first + DAY_MS],
    ["far", first + 50 * DAY_MS],
  ] as const)
    reminders.set({ key, text: key, dueAt });
  return { c, discord, first, looks, direct };
}
/** Moves the time to the next alarm, runs it, and lets the model answer if it was asked. Returns the time; null: no alarm is set. */
async function next(c: ChannelHarness): Promise<number | null> {
  const at = c.alarmAt() ?? c.retentionAt();
  if (at === null) return null;
  await c.clock.advance(Math.max(0, at - c.clock.now()));
  c.runAlarm();
  await c.drain();
  c.answer(says);
  await c.clock.advance(0);
  return at;
}
async function until(c: ChannelHarness, time: number): Promise<void> {
  for (let n = 0; n < 500; n++) {
    const at = c.alarmAt() ?? c.retentionAt();
    if (at === null || at > time) return;
    await next(c);
  }
  throw new Error("alarms never end");
}

it.each([
  ["because the bot is not there", 50_001],
  ["because the person accepts no direct messages from it", 50_007],
  ["because the person shares no server with it", 50_278],
])("the first reminder that Discord refuses, %s, costs one model call, the later ones none", async (_, code) => {
  const { c, first } = place(code);
  await until(c, first + 2 * DAY_MS);
  expect(c.requests).toHaveLength(1);
  expect(c.store.lock().refusedAt).toBeGreaterThanOrEqual(first);
  const waiting = c.remindersFor(testRequest("1")).pending();
  expect(waiting.map(({ text }) => text)).toEqual(["far"]);
});

it.each([
  ["the server", 50_001],
  ["a person's direct messages", 50_007],
])(
  "after keep_days out of %s everything is deleted without traffic, including settings and distant reminders, and no alarm remains",
  async (_, code) => {
    const { c, first, looks } = place(code);
    await c.change({ key: "channel_turns_per_day", value: "5" });
    c.memories().add({ text: "tea", userId: "10", at: 0 });
    await until(c, first + 31 * DAY_MS);
    expect([c.requests.length, c.erased(), c.alarmAt(), c.retentionAt()]).toEqual([1, 1, null, null]);
    expect(looks).toEqual(["/channels/2"]);
    // Nothing is left in memory either.
    expect([c.memories().count(), c.usage("10").limits.channel.turns]).toEqual([0, 0]);
  },
);

it.each([
  [30 * DAY_MS - 1, 0],
  [30 * DAY_MS, 1],
])("everything is deleted at the moment when keep_days are over, after %i ms", async (ago, erased) => {
  const { c, looks } = place();
  c.store.saveLock({ ...c.store.lock(), refusedAt: c.clock.now() - ago });
  c.runAlarm();
  await c.drain();
  expect([c.erased(), looks.length]).toEqual([erased, erased]);
});

it.each<[string, TurnRecord["state"][]]>([
  ["an approval", ["parked"]],
  ["an approval and a last edit", ["parked", "closing"]],
])("for a bot that was removed, %s must end before anything is deleted", async (_, states) => {
  const { c, looks } = place();
  for (const [index, state] of states.entries()) c.store.insertTurn(turnIn(state, `${index + 1}`));
  c.store.saveLock({ ...c.store.lock(), refusedAt: c.clock.now() - 31 * DAY_MS });
  c.runAlarm();
  await c.drain();
  expect([c.erased(), looks.length]).toEqual([0, 0]);
});

it("a bot that was added again loses nothing, even if nobody has said a word since, and its reminders come again", async () => {
  const { c, discord, first, looks } = place();
  await c.change({ key: "channel_turns_per_day", value: "5" });
  await until(c, first + 29 * DAY_MS);
  discord.isClosed = false;
  await until(c, first + 51 * DAY_MS);
  // Once before everything would have been deleted, and once when nothing was left that is deleted by age.
  expect([c.erased(), looks.length, c.usage("10").limits.channel.turns]).toEqual([0, 2, 5]);
  expect([c.store.lock().refusedAt, c.requests.length]).toEqual([undefined, 2]);
});

it("a question from a server that has the bot again ends it: the next reminder comes, and nothing is deleted early", async () => {
  const { c, discord, first } = place();
  await until(c, first + HOUR_MS);
  discord.isClosed = false;
  c.submit({ trigger: { ...testRequest("100"), botIsHere: true, receivedAt: c.clock.now() } });
  expect(c.store.lock().refusedAt).toBeUndefined();
  await until(c, first + 32 * DAY_MS);
  expect(c.requests.length).toBe(2);
  expect([c.erased(), c.remindersFor(testRequest("1")).pending().length]).toEqual([0, 1]);
});

it("a question from a person who brought the bot along doesn't end it: it is answered, and the next reminder makes no model call", async () => {
  const { c, first } = place();
  await until(c, first + HOUR_MS);
  await c.clock.advance(HOUR_MS);
  c.submit({ trigger: { ...testRequest("100"), botIsHere: false, receivedAt: c.clock.now() } });
  await c.drain();
  c.answer(says);
  await until(c, first + 2 * DAY_MS);
  expect(c.requests).toHaveLength(2);
});

it("only what the bot would post by itself ends: questions with tokens of their own still get their turns", async () => {
  const { c, first } = place();
  await c.clock.advance(first - c.clock.now());
  c.runAlarm();
  await c.drain();
  const asked = { ...testRequest("100", "20"), receivedAt: c.clock.now(), botIsHere: true };
  c.submit({ trigger: asked });
  c.submit({ trigger: { ...asked, interactionId: "101", token: null } });
  c.submit({ trigger: { ...asked, interactionId: "102" } });
  expect(c.store.state().queue).toHaveLength(3);
  c.answer(says);
  await c.clock.advance(20_000);
  expect(["100", "101", "102"].map((id) => c.store.turn(id)?.startedAt)).toEqual([
    expect.any(Number),
    null,
    expect.any(Number),
  ]);
});

it("a refused reply in a server that has not added the bot says nothing about the bot", async () => {
  const { c } = place();
  c.submit({ trigger: { ...testRequest("100"), botIsHere: false, receivedAt: c.clock.now() } });
  await c.drain();
  c.answer(says);
  await c.clock.advance(5000);
  expect(c.store.lock().refusedAt).toBeUndefined();
});

it("a reminder that can't come in its channel comes once by direct message, and a task comes there again", async () => {
  const { c, first, direct } = place();
  const inServer = c.remindersFor({ ...testRequest("1"), guildId: "3" });
  for (const { number } of inServer.pending()) inServer.cancel(number);
  inServer.set({ key: "tea", text: "water the parrot", dueAt: first });
  inServer.set({ key: "soon", text: "feed it", dueAt: first + HOUR_MS });
  const daily = { every: "every day", rule: { unit: "ms", every: DAY_MS, from: first } } as const;
  inServer.set({ key: "daily", text: "look at it", dueAt: first + HOUR_MS, repeats: daily });
  await until(c, first + 2 * HOUR_MS);
  const opened = { recipient_id: "10" };
  const said = (text: string) => ({ content: expect.stringMatching(text), allowed_mentions: { parse: [] } });
  expect(direct).toMatchObject([
    ...["/users/@me/channels", opened, "/channels/77/messages"],
    said("^-# ⏰ Reminder for <@10>, .*: water the parrot\n-# I could not write this in <#2>, so it is here.$"),
    ...["/users/@me/channels", opened, "/channels/77/messages", said("feed it")],
  ]);
  expect(c.requests).toHaveLength(1);
});
