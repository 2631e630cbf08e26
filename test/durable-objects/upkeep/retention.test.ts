// How long a channel keeps what was said: an alarm of its own deletes old turns, without traffic, and the storage with the last
// of them.
import { expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import { nextRetention } from "../../../durable-objects/upkeep/retention.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, TURNS_UNTIL_DUE, talkOn } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { isForSummary } from "../../support/summaries.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const DAY_MS = 86_400_000;

async function asks(c: ChannelHarness, id: string) {
  c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer(says(`answer to ${id}`));
  await c.clock.advance(5000);
}
/** Moves the time to the retention's alarm and runs it. Returns the time. */
async function retain(c: ChannelHarness): Promise<number> {
  const at = c.retentionAt();
  if (at === null) throw new Error("no deletion is planned");
  await c.clock.advance(at - c.clock.now());
  c.runAlarm();
  return at;
}
const kept = (c: ChannelHarness) =>
  ["1", "2"].filter((id) => c.store.turn(id) && c.store.messagesInTurn(id).length > 0);

it("a turn is kept for 30 days after it was asked, then deleted without any traffic, and the storage with the last one", async () => {
  const c = createChannelHarness();
  const first = c.clock.now();
  await asks(c, "1");
  expect([c.alarmAt(), c.retentionAt()]).toEqual([null, first + 30 * DAY_MS]);
  await c.clock.advance(10 * DAY_MS);
  const second = c.clock.now();
  await asks(c, "2");
  expect([await retain(c), kept(c), c.erased()]).toEqual([first + 30 * DAY_MS, ["2"], 0]);
  c.crash();
  expect([await retain(c), kept(c), c.erased()]).toEqual([second + 30 * DAY_MS, [], 1]);
  expect([c.alarmAt(), c.retentionAt()]).toEqual([null, null]);
  await asks(c, "3");
  expect(c.retentionAt()).toBe(second + 60 * DAY_MS);
});

it("a summary is deleted 30 days after it was written, even if younger turns are left", async () => {
  const c = createChannelHarness();
  await talkOn(c, 1000, TURNS_UNTIL_DUE);
  await alarm(c);
  c.answer(says("About: the harbour."), isForSummary);
  await c.clock.advance(1000);
  const { at = 0 } = c.store.summary() ?? {};
  await c.clock.advance(10 * DAY_MS);
  await asks(c, "2");
  while ((c.retentionAt() ?? Number.POSITIVE_INFINITY) <= at + 31 * DAY_MS) await retain(c);
  expect([at > 0, c.store.summary(), kept(c)]).toEqual([true, null, ["2"]]);
});

it("the same alarm deletes cached tool results", async () => {
  const database = nodeSqlite();
  const c = createChannelHarness({ database });
  await asks(c, "1");
  const keep = "INSERT INTO cached_results VALUES (?, '{}', ?)";
  for (const [key, days] of Object.entries({ old: 30, young: 31 }))
    database.sql.exec(keep, key, c.clock.now() + days * DAY_MS - 10_000);
  await c.clock.advance(DAY_MS);
  await asks(c, "2");
  await retain(c);
  expect(database.sql.exec("SELECT key FROM cached_results").toArray()).toEqual([{ key: "young" }]);
});

it("a change of keep_days applies at once to what is already stored", async () => {
  const c = createChannelHarness();
  await asks(c, "1");
  await c.clock.advance(10 * DAY_MS);
  await asks(c, "2");
  await c.change({ key: "keep_days", value: "7" });
  expect(c.alarmAt()).toBe(c.clock.now() + 1000);
  await c.clock.advance(1000);
  c.runAlarm();
  expect(kept(c)).toEqual(["2"]);
});

it.each<[string, (c: ChannelHarness) => void]>([
  ["a setting", (c) => c.store.putSetting("notices", "false")],
  ["a memory", (c) => void c.memories().add({ text: "tea", userId: "10", at: 0 })],
  ["a note", (c) => c.notes().write("tea")],
  [
    "a reminder",
    (c) => void c.remindersFor(testRequest("9")).set({ key: "k", text: "tea", dueAt: c.clock.now() + 40 * DAY_MS }),
  ],
])("the storage stays for %s", async (_, keep) => {
  const c = createChannelHarness();
  await asks(c, "1");
  keep(c);
  await retain(c);
  expect([kept(c), c.erased()]).toEqual([[], 0]);
});

it("a refused turn in a channel that never had another one is deleted too", async () => {
  const c = createChannelHarness();
  c.store.putSetting("allow_users", "118000000000000777");
  c.submit({ trigger: testRequest("1") });
  expect(c.store.turn("1")?.state).toBe("refused");
  await retain(c);
  expect(c.store.turn("1")).toBeNull();
});

it("after a full batch the next one is deleted a minute later", async () => {
  const c = createChannelHarness();
  await asks(c, "1");
  const { expire } = c.store;
  c.store.expire = (before, most) => {
    expire(before, most);
    return most;
  };
  c.crash();
  const at = await retain(c);
  expect([kept(c), c.retentionAt(), c.erased()]).toEqual([[], at + 60_000, 0]);
});

it.each([
  [999, null],
  [1000, null],
  [1001, 1001],
])(
  "a channel without turns is checked again when Discord may be asked, at %i, unless that time has passed",
  (silentUntil, at) => {
    const c = createChannelHarness();
    c.store.saveLock({ ...c.store.lock(), silentUntil });
    const marks = { keptUntil: () => 0 } as ChannelPorts["marks"];
    expect(nextRetention({ store: c.store, clock: () => 1000, marks, config: {} as never })).toBe(at);
  },
);

it("an alarm for nothing else wakes the object once and not as a heartbeat", async () => {
  const c = createChannelHarness();
  await asks(c, "1");
  const planned = c.retentionAt();
  c.runAlarm();
  c.runAlarm();
  expect([c.retentionAt(), kept(c)]).toEqual([planned, ["1"]]);
});
