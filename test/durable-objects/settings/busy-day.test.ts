// A day on which more people ask in one channel than there is room for their counts, which are all in the row of the lock.
import { expect, it } from "vitest";
import { MAX_ROW_BYTES } from "../../../durable-objects/store/row-size.ts";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import { utcDay } from "../../../src/core/money/lease.ts";
import type { Used } from "../../../src/core/state/day-usage.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { migratedSqlite } from "../../support/node-sqlite.ts";
import { says } from "../../support/older-channel.ts";
import { testRequest } from "../../support/store-contract.ts";

const NOW = Date.UTC(2030, 0, 2, 12);
const FIRST = 1_180_000_000_000_000_000n;
const FIGURES: Used = {
  turns: 12,
  tokens: 123_456,
  inputTokens: 120_000,
  cachedInputTokens: 90_000,
  microUsd: 123_456,
};

it("the channel continues: it keeps the counts of the people who asked last, and its own are complete", async () => {
  const c = createChannelHarness({ database: migratedSqlite(migrate), startsAt: NOW });
  // As many as leave room for two more in the row.
  const size = JSON.stringify({ [String(FIRST)]: FIGURES }).length - 1;
  const count = Math.floor((MAX_ROW_BYTES - 600) / size);
  const people = Array.from({ length: count }, (_, index) => String(FIRST + BigInt(index)));
  const users = Object.fromEntries(people.map((id) => [id, FIGURES]));
  const channel = { ...FIGURES, turns: 100_800 };
  c.store.saveLock({ ...c.store.lock(), usage: { day: utcDay(NOW), channel, users } });
  const asked = async (id: string, userId: string) => {
    const receipt = c.submit({ trigger: { ...testRequest(id, userId), receivedAt: c.clock.now() } });
    await c.clock.advance(1000);
    c.answer(says("Here."));
    await c.clock.advance(3000);
    return receipt;
  };
  const newest = people.at(-1) ?? "";
  const askers = [...Array.from({ length: 8 }, (_, index) => String(FIRST * 2n + BigInt(index))), newest];
  for (const [index, userId] of askers.entries())
    expect(await asked(String(1000 + index), userId)).toEqual({ kind: "accepted" });
  const { usage } = c.store.lock();
  expect([usage?.channel.turns, ...askers.map((id) => usage?.users[id]?.turns)]).toEqual([
    100_809,
    ...[1, 1, 1, 1, 1, 1, 1, 1, 13],
  ]);
});
