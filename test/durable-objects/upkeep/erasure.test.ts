// The end of a channel's storage: what keeps it, what it is deleted with, and a channel that is used again in the same life. Over a real
// database, because that is what gets deleted.
import { expect, it } from "vitest";
import type { SettingChange } from "../../../src/discord/answers/channel-port.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, says, tool } from "../../support/turn-script.ts";

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
const MIDNIGHT = Date.UTC(2030, 0, 2);

/** Makes a channel over a database, and lists the database's tables. */
function place(options: Partial<ChannelHarnessOptions> = {}) {
  const database = nodeSqlite();
  const c = createChannelHarness({ database, startsAt: MIDNIGHT - DAY_MS / 2, ...options });
  const tables = () => database.sql.exec("SELECT name FROM sqlite_master").toArray().length;
  return { c, tables };
}

async function asks(c: ChannelHarness, id: string, words = `answer to ${id}`) {
  c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer(says(words));
  await c.clock.advance(5000);
}
/** Runs the alarm each time that it is set, until it is no longer set or its time is after this one. */
async function alarms(c: ChannelHarness, until: number) {
  for (let n = 0; n < 20; n++) {
    const at = c.retentionAt() ?? c.alarmAt();
    if (at === null || at > until) break;
    await c.clock.advance(Math.max(0, at - c.clock.now()));
    c.runAlarm();
    await c.clock.advance(0);
  }
  await c.clock.advance(Math.max(0, until - c.clock.now()));
}
const monthLater = (c: ChannelHarness) => alarms(c, c.clock.now() + MONTH_MS);
const set = (c: ChannelHarness, key: SettingChange["key"], value: string | null) => c.change({ key, value });

it("a deleted channel starts from scratch in the same life: it answers, remembers, and is deleted again", async () => {
  const { c, tables } = place();
  await asks(c, "1");
  await monthLater(c);
  expect([c.erased(), tables(), c.alarmAt(), c.retentionAt()]).toEqual([1, 0, null, null]);
  await asks(c, "2");
  expect(c.shown().get("token-2")).toBe("answer to 2");
  expect(c.requests.at(-1)?.messages).toHaveLength(1);
  expect([c.store.turn("1"), c.store.turn("2")?.state, c.store.lock().epoch]).toEqual([null, "finished", 1]);
  c.memories().add({ text: "tea", userId: "10", at: 0 });
  await set(c, "notices", "false");
  await monthLater(c);
  expect([c.erased(), c.memories().count(), c.store.settings()]).toEqual([1, 1, { notices: "false" }]);
  await set(c, "notices", null);
  c.forgetPerson("10");
  await monthLater(c);
  expect([c.erased(), tables()]).toEqual([2, 0]);
});

it("what the server's scope says is stored again after a deletion", async () => {
  const database = nodeSqlite();
  const { c } = place({ database });
  const scope = { settings: { follow_up: "queue" }, isLimited: false };
  const ask = async (id: string) => {
    c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now() }, scope });
    await c.clock.advance(10);
    c.answer(says("yes"));
    await c.clock.advance(5000);
    return database.sql.exec("SELECT record FROM scope_note").toArray();
  };
  const before = await ask("1");
  await monthLater(c);
  expect(c.erased()).toBe(1);
  expect(await ask("2")).toEqual(before);
  expect(before).toEqual([{ record: JSON.stringify(scope) }]);
});

it.each<[string, (c: ChannelHarness) => unknown]>([
  ["a persona", (c) => c.port.changePersona({ action: "create", name: "Ada", prompt: "Be exact.", avatarUrl: null })],
  ["a trigger", (c) => deliberate(c, { what: "add", trigger: { tool: "look", kind: "phrase", text: "show me" } })],
  ["a personal mode", (c) => deliberate(c, { what: "me", userId: "10", state: "on" })],
  ["a note", (c) => c.notes().write("tea")],
  ["a memory", (c) => c.memories().add({ text: "tea", userId: "10", at: 0 })],
])("the storage stays for %s", async (_what, keep) => {
  const { c, tables } = place({ tools: [tool("look", () => ({ ok: true, data: 1 }))] });
  await asks(c, "1");
  await keep(c);
  await monthLater(c);
  expect([c.erased(), c.store.turn("1"), tables() > 0]).toEqual([0, null, true]);
});

it("a turn that waits for an approval, or whose reply is not delivered yet, is never too old", async () => {
  const danger: Partial<Tool> = { ...EFFECT, category: "dangerous" };
  const { c } = place({ tools: [tool("purge", () => ({ ok: true, data: 1 }), danger)] });
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer([end([["purge", {}]])]);
  await c.clock.advance(1000);
  expect(c.store.turn("1")?.state).toBe("parked");
  // An outage: no alarm ran for a month.
  await c.clock.advance(MONTH_MS + 1000);
  c.runAlarm();
  expect([c.store.turn("1")?.state, c.erased()]).toEqual(["running", 0]);
  c.store.saveTurn({ ...(c.store.turn("1") ?? fail()), state: "closing" });
  c.store.saveLock({ ...c.store.lock(), turnId: null, retentionAt: 0 });
  c.runAlarm();
  expect([c.store.turn("1") === null, c.store.messagesInTurn("1").length > 0, c.erased()]).toEqual([false, true, 0]);
  expect(c.store.lock().retentionAt).toBe(c.clock.now() + 60_000);
});

it("a pending reminder keeps the storage, and comes", async () => {
  const { c } = place();
  const request = { ...testRequest("1"), botIsHere: true };
  await asks(c, "1");
  c.remindersFor(request).set({ key: "k", text: "tea", dueAt: c.clock.now() + MONTH_MS + DAY_MS });
  await monthLater(c);
  expect([c.erased(), c.store.turn("1")]).toEqual([0, null]);
  await alarms(c, c.clock.now() + DAY_MS + 10_000);
  expect(c.store.state().running?.request.reminder?.text).toBe("tea");
});

it.each<[string, (c: ChannelHarness) => unknown, (c: ChannelHarness) => unknown]>([
  ["the last memory", (c) => c.memories().add({ text: "tea", userId: "10", at: 0 }), (c) => c.forgetPerson("10")],
  ["the last note", (c) => c.notes().write("tea"), (c) => c.reset()],
  [
    "the last reminder",
    (c) => c.remindersFor(testRequest("9")).set({ key: "k", text: "tea", dueAt: c.clock.now() + 3 * MONTH_MS }),
    (c) => c.port.cancelReminder(1, { userId: "10", moderator: false }),
  ],
])("deleting %s deletes the storage a minute later if nothing else is left", async (_what, keep, remove) => {
  const { c, tables } = place();
  await asks(c, "1");
  keep(c);
  await monthLater(c);
  await remove(c);
  expect([c.erased(), c.retentionAt()]).toEqual([0, c.clock.now() + 60_000]);
  await alarms(c, c.clock.now() + 60_000);
  expect([c.erased(), tables(), c.alarmAt(), c.retentionAt()]).toEqual([1, 0, null, null]);
});

it.each([0, 2])("deleting the storage is not planned while a turn runs, with %i memories", async (memories) => {
  const { c } = place();
  for (let n = 0; n < memories; n++) c.memories().add({ text: `tea ${n}`, userId: "10", at: 0 });
  c.remindersFor(testRequest("9")).set({ key: "k", text: "tea", dueAt: c.clock.now() + MONTH_MS });
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  const planned = c.store.lock().retentionAt;
  await c.port.cancelReminder(1, { userId: "10", moderator: false });
  expect([c.store.sizes(), c.store.lock().retentionAt]).toEqual([{ turns: 1, messages: 1 }, planned]);
});

it("asking whether a channel was used before leaves no storage, unless an older program has answered there", async () => {
  const unused = place();
  expect([await unused.c.port.wasUsedBefore(), unused.tables()]).toEqual([false, 0]);
  const database = nodeSqlite();
  const used = place({ database });
  used.c.store.settings();
  database.sql.exec("UPDATE origin SET used_before = 1");
  const isUsed = await used.c.port.wasUsedBefore();
  expect([isUsed, database.sql.exec("SELECT used_before FROM origin").toArray()]).toEqual([true, [{ used_before: 1 }]]);
});

it("forgetting a person keeps their usage of today's budget until midnight", async () => {
  const { c, tables } = place();
  await asks(c, "1");
  const used = c.usage("10").used.user;
  expect(used.turns).toBe(1);
  c.forgetPerson("10");
  await alarms(c, MIDNIGHT - 1);
  expect([c.store.turn("1"), c.usage("10").used.user, c.erased()]).toEqual([null, used, 0]);
  await alarms(c, MIDNIGHT);
  expect([c.erased(), tables()]).toEqual([1, 0]);
  expect(c.usage("10").used.user.turns).toBe(0);
});

it("a failed check of the storage is logged, and the platform does not repeat the alarm", async () => {
  const c = createChannelHarness();
  await asks(c, "1");
  c.store.sizes = () => {
    throw new Error("disk I/O error");
  };
  // The next life finds the same.
  c.crash();
  await monthLater(c);
  expect([c.erased(), c.errors]).toEqual([0, ["the storage could not be deleted"]]);
});

function deliberate(c: ChannelHarness, change: NonNullable<Parameters<ChannelHarness["deliberate"]>[0]["change"]>) {
  return c.deliberate({ interactionId: "d", userId: "10", change });
}

function fail(): never {
  throw new Error("there is no such turn");
}
