// The storage of the gateway's object: the next life reads what a life wrote, oldest first.
import { expect, it } from "vitest";
import { openGatewayStore } from "../../../durable-objects/gateway/gateway-store.ts";
import { emptySaved, type OutboxRow } from "../../../src/gateway/gateway-state.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const deletion = (key: string, at: number): OutboxRow => ({
  key,
  event: { kind: "deleted", messageId: key, channelId: "1" },
  at,
  isUnsure: false,
});
/** Two messages; the one with the lower id arrives later. */
const [LATE, EARLY] = ["1180000000000000030", "1180000000000000040"];
const PLACE = { kind: "channel", guildId: "7" } as const;

it("a new storage is empty, and the next life reads what the last one wrote, oldest first", () => {
  const storage = nodeSqlite();
  const store = openGatewayStore(storage);
  expect(store.load()).toEqual({ row: null, outbox: [], known: { questions: {}, channels: {} } });
  store.keep([
    { kind: "save", saved: emptySaved, alarmAt: null },
    { kind: "save", saved: { ...emptySaved, attempts: 2 }, alarmAt: null },
    { kind: "timer", at: 1 },
    ...["z", "m", "a", "gone"].map((key) => ({ kind: "outbox_put" as const, row: deletion(key, 5) })),
    { kind: "outbox_drop", key: "gone" },
  ]);
  store.keep([
    { kind: "remember_question", id: LATE, question: { channelId: "1", at: 9 } },
    { kind: "remember_question", id: EARLY, question: { channelId: "1", at: 3 } },
    { kind: "remember_question", id: EARLY, question: { channelId: "1", at: 3, deleted: true } },
    { kind: "remember_channel", id: LATE, channel: { place: PLACE, answerTo: null, at: 8 } },
    { kind: "remember_channel", id: EARLY, channel: { place: PLACE, answerTo: "off", at: 9 } },
    { kind: "remember_channel", id: "3", channel: { place: PLACE, answerTo: "off", at: 1 } },
    { kind: "forget", questions: ["50"], channels: ["3"] },
  ]);
  const { row, outbox, known } = openGatewayStore(storage).load();
  expect(JSON.parse(row ?? "")).toEqual({ ...emptySaved, attempts: 2 });
  expect(outbox.map(({ key }) => key)).toEqual(["z", "m", "a"]);
  expect(Object.entries(known.questions).map(([id, { at, deleted }]) => [id, at, deleted])).toEqual([
    [EARLY, 3, true],
    [LATE, 9, undefined],
  ]);
  expect(Object.keys(known.channels)).toEqual([LATE, EARLY]);
});

it("counts the rows that it has written, as Cloudflare bills them", () => {
  const { sql, ...storage } = nodeSqlite();
  const exec: typeof sql.exec = (query, ...values) => ({
    ...sql.exec(query, ...values),
    rowsWritten: query.startsWith("SELECT") ? 0 : 2,
  });
  const store = openGatewayStore({ ...storage, sql: { exec } });
  store.keep([
    { kind: "save", saved: emptySaved, alarmAt: null },
    { kind: "outbox_put", row: deletion("a", 1) },
  ]);
  store.load();
  expect(store.rowsWritten()).toBe(4);
});

it("keeps nothing of a transaction that fails", () => {
  const storage = nodeSqlite();
  const store = openGatewayStore(storage);
  const unwritable = { kind: "outbox_put", row: { ...deletion("a", 1), at: 1n as never } } as const;
  expect(() => store.keep([{ kind: "save", saved: emptySaved, alarmAt: null }, unwritable])).toThrow("BigInt");
  expect(store.load()).toMatchObject({ row: null, outbox: [] });
});

it("refuses what a newer program has stored", () => {
  const storage = nodeSqlite();
  openGatewayStore(storage);
  storage.sql.exec("UPDATE schema SET version = 99");
  expect(() => openGatewayStore(storage)).toThrow("version 99");
});
