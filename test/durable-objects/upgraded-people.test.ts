// A channel from an earlier program, which kept no list of whose words are where: its first wake reports its people and plans when its old
// data is deleted, and whoever has been forgotten meanwhile is forgotten there too.
import { expect, it } from "vitest";
import { migrations } from "../../durable-objects/store/migrations.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { writeTurnText } from "../../durable-objects/store/turn-text.ts";
import { freeLock, type TurnRequest } from "../../src/core/state/record.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { createScopeHarness } from "../support/scope-harness.ts";
import { testRequest, turnIn } from "../support/store-contract.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2030, 0, 20);
const AT = NOW - 5 * DAY_MS;
/** The last version whose scopes kept no list of people. */
const BEFORE = migrations.findIndex((step) => step.includes("'people:'"));
const SERVER = "guild:77";

/** Makes a database of that version, with a turn for each of these requests. */
function older(...requests: Partial<TurnRequest>[]) {
  const database = nodeSqlite();
  database.sql.exec("CREATE TABLE schema (version INTEGER NOT NULL)");
  for (const step of migrations.slice(0, BEFORE)) database.sql.exec(step);
  database.sql.exec("INSERT INTO schema VALUES (?)", BEFORE);
  requests.forEach((request, n) => {
    const turn = { ...turnIn("finished", `${n}`), createdAt: AT + n, request: { ...testRequest(`${n}`), ...request } };
    database.sql.exec(
      "INSERT INTO turns VALUES (?, 'finished', 0, ?, ?)",
      turn.id,
      turn.createdAt,
      writeTurnText(turn),
    );
  });
  return database;
}
const here = { channelId: "500", guildId: "77", botIsHere: true };
const peopleIn = (database: ReturnType<typeof nodeSqlite>) =>
  openSqliteStore(database)
    .reports(99)
    .map(({ userId, channelId, guildId, at }) => [userId, channelId, guildId, at])
    .sort();

it("reports who asked, who set a reminder and whose words a memory has, and counts visitors in the deployment", () => {
  const database = older(
    { ...here, userId: "10" },
    { ...here, userId: "11", botIsHere: false },
    { ...here, userId: "10" },
  );
  database.sql.exec("INSERT INTO memories (text, user_id, at) VALUES ('tea', '12', ?)", AT);
  const record = JSON.stringify({ text: "x", setAt: AT, place: { channelId: "500", guildId: "77" } });
  database.sql.exec("INSERT INTO reminders (key, user_id, due_at, record) VALUES ('k', '13', ?, ?)", NOW + 1, record);
  expect(peopleIn(database)).toEqual([
    ["10", "500", "77", AT + 2],
    ["11", "500", null, AT + 1],
    ["12", "500", "77", AT],
    ["13", "500", "77", AT],
  ]);
  expect(peopleIn(database)).toHaveLength(4);
  expect(peopleIn(nodeSqlite())).toEqual([]);
});

it("sets the alarm for its reports, and then for the time when its oldest turn is too old", async () => {
  const scopes = createScopeHarness();
  const c = createChannelHarness({ database: older({ ...here, userId: "10" }), startsAt: NOW, scope: scopes.scope });
  expect(c.store.lock()).toEqual({ ...freeLock, retentionAt: AT + 30 * DAY_MS });
  expect(c.alarmAt()).not.toBeNull();
  await c.clock.advance(1000);
  c.runAlarm();
  await c.clock.advance(1000);
  expect([c.store.hasReports(), c.alarmAt(), c.retentionAt()]).toEqual([false, null, AT + 30 * DAY_MS]);
  expect(await scopes.scope(SERVER).person({ op: "about", userId: "10", conversation: "1" })).toMatchObject({
    otherChannels: 1,
  });
});

it("forgets whoever asked to be forgotten before the channel was known, and nobody who came later", async () => {
  const h = createScopeHarness();
  h.clock.now = NOW;
  await h.scope(SERVER).forgetPerson("10", "1");
  const [report] = openSqliteStore(older({ ...here, userId: "10" })).reports(1);
  if (!report) throw new Error("no report");
  const later = { ...report, turnId: "people:501", channelId: "501", at: NOW + 1 };
  expect(await h.scope(SERVER).report([report, { ...report, turnId: "9" }, later])).toHaveLength(3);
  await h.ring(SERVER);
  await Promise.all(h.detached.splice(0));
  expect(h.calls.filter((call) => call.includes("forget 10"))).toEqual(["channel 500: forget 10"]);
  const about = await h.scope(SERVER).person({ op: "about", userId: "10", conversation: "1" });
  expect(about).toMatchObject({ otherChannels: 2 });
});
