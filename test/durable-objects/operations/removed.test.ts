// A bot that was removed from a server: what is due there ends without a model call, and what is kept goes in time, without traffic.
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

/** A channel whose bot can be removed, with reminders in one, two and fifty days' time. */
function place(code = 50_001) {
  const discord = { isClosed: true };
  const answer = async (): Promise<RestResult> =>
    discord.isClosed
      ? { ok: false, kind: "refused", status: 403, code, limit: null, text: "Forbidden" }
      : { ok: true, message: { id: "9", content: "", ephemeral: false } };
  const rest = (): DiscordRest => ({ create: answer, edit: answer, remove: answer, read: answer });
  // Discord tells of a direct message that is refused what it tells of any other.
  const isPrivate = code !== 50_001;
  const see = async () =>
    discord.isClosed && !isPrivate
      ? Response.json({ code }, { status: 403 })
      : Response.json({ id: "2", type: isPrivate ? 1 : 0 });
  const looks: string[] = [];
  const fetch = (url: string) => {
    looks.push(url);
    return see();
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
  return { c, discord, first, looks };
}
/** Moves the time to the next alarm, lets it go off, and lets a model that was asked answer. Returns the time; null: none is set. */
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
  ["because the person takes no direct messages of it", 50_007],
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
  "after keep_days out of %s everything goes without traffic, settings and far reminders too, and no alarm remains",
  async (_, code) => {
    const { c, first, looks } = place(code);
    await c.change({ key: "channel_turns_per_day", value: "5" });
    c.memories().add({ text: "tea", userId: "10", at: 0 });
    await until(c, first + 31 * DAY_MS);
    expect([c.requests.length, c.erased(), c.alarmAt(), c.retentionAt()]).toEqual([1, 1, null, null]);
    expect(looks).toEqual(["/channels/2"]);
    // Nothing of it is left in memory either.
    expect([c.memories().count(), c.usage("10").limits.channel.turns]).toEqual([0, 0]);
  },
);

it.each([
  [30 * DAY_MS - 1, 0],
  [30 * DAY_MS, 1],
])("everything goes at the moment at which keep_days are over, after %i ms", async (ago, erased) => {
  const { c, looks } = place();
  c.store.saveLock({ ...c.store.lock(), refusedAt: c.clock.now() - ago });
  c.runAlarm();
  await c.drain();
  expect([c.erased(), looks.length]).toEqual([erased, erased]);
});

it.each<[string, TurnRecord["state"][]]>([
  ["an approval", ["parked"]],
  ["an approval and a last edit", ["parked", "closing"]],
])("what a bot that is gone still has to end, %s, ends first", async (_, states) => {
  const { c, looks } = place();
  for (const [index, state] of states.entries()) c.store.insertTurn(turnIn(state, `${index + 1}`));
  c.store.saveLock({ ...c.store.lock(), refusedAt: c.clock.now() - 31 * DAY_MS });
  c.runAlarm();
  await c.drain();
  expect([c.erased(), looks.length]).toEqual([0, 0]);
});

it("a bot that was added again loses nothing, also where nobody has said a word since, and its reminders come again", async () => {
  const { c, discord, first, looks } = place();
  await c.change({ key: "channel_turns_per_day", value: "5" });
  await until(c, first + 29 * DAY_MS);
  discord.isClosed = false;
  await until(c, first + 51 * DAY_MS);
  // Once before everything would have gone, and once when nothing was left that goes by itself.
  expect([c.erased(), looks.length, c.usage("10").limits.channel.turns]).toEqual([0, 2, 5]);
  expect([c.store.lock().refusedAt, c.requests.length]).toEqual([undefined, 2]);
});

it("a word from a server that has the bot again ends it: the next reminder comes, and nothing goes early", async () => {
  const { c, discord, first } = place();
  await until(c, first + HOUR_MS);
  discord.isClosed = false;
  c.submit({ trigger: { ...testRequest("100"), botIsHere: true, receivedAt: c.clock.now() } });
  expect(c.store.lock().refusedAt).toBeUndefined();
  await until(c, first + 32 * DAY_MS);
  expect(c.requests.length).toBe(2);
  expect([c.erased(), c.remindersFor(testRequest("1")).pending().length]).toEqual([0, 1]);
});

it("a word from a person who brought the bot along doesn't end it: it is answered, and the next reminder costs no model call", async () => {
  const { c, first } = place();
  await until(c, first + HOUR_MS);
  await c.clock.advance(HOUR_MS);
  c.submit({ trigger: { ...testRequest("100"), botIsHere: false, receivedAt: c.clock.now() } });
  await c.drain();
  c.answer(says);
  await until(c, first + 2 * DAY_MS);
  expect(c.requests).toHaveLength(2);
});

it("only what the bot would post by itself ends with it: questions with tokens of their own still have their turns", async () => {
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

it("a reply that Discord refuses in a server that has not added the bot says nothing about the bot", async () => {
  const { c } = place();
  c.submit({ trigger: { ...testRequest("100"), botIsHere: false, receivedAt: c.clock.now() } });
  await c.drain();
  c.answer(says);
  await c.clock.advance(5000);
  expect(c.store.lock().refusedAt).toBeUndefined();
});
