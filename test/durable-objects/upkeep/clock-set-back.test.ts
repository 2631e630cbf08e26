// Work that an earlier life planned while the machine's clock was ahead: later lives must not wait until that time.
import { expect, it } from "vitest";
import { migrate } from "../../../durable-objects/store/sqlite.ts";
import { planHousekeeping } from "../../../durable-objects/upkeep/housekeeping.ts";
import { planAfterTurn } from "../../../src/core/decisions/compaction.ts";
import { KEPT_TURNS, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../../src/core/limits.ts";
import { freeLock } from "../../../src/core/state/record.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { migratedSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const DAY_MS = 86_400_000;
const NOW = 1_000_000;
const LATER = NOW + 1000 * DAY_MS;

async function asks(c: ChannelHarness, id: string) {
  c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  c.answer(says(`answer to ${id}`));
  await c.clock.advance(5000);
}

it("old turns are deleted when they are too old, even if the next deletion was planned for years later", async () => {
  const database = migratedSqlite(migrate);
  const ahead = createChannelHarness({ database, startsAt: LATER });
  await asks(ahead, "1");
  expect(ahead.retentionAt()).toBe(LATER + 30 * DAY_MS);
  const c = createChannelHarness({ database, startsAt: NOW });
  await asks(c, "2");
  expect(c.retentionAt()).toBe(NOW + 30 * DAY_MS);
  await c.clock.advance(30 * DAY_MS);
  c.runAlarm();
  expect([c.store.turn("1") !== null, c.store.turn("2")]).toEqual([true, null]);
  // The turn from the future is checked again and again, and is deleted in its time.
  expect(c.retentionAt()).toBe(c.clock.now() + 30 * DAY_MS);
});

it("old rows are pruned, even if that was planned for years later", () => {
  const sizes = () => ({ turns: KEPT_TURNS + PRUNING_SLACK + 1, messages: 0 });
  const store = { lock: () => ({ ...freeLock, housekeepingAt: LATER }), sizes };
  expect(planHousekeeping(store, NOW)).toBe(NOW + PRUNING_DELAY_MS);
});

it.each([
  { at: LATER, failures: 1, failedAt: LATER - 60_000 },
  { at: null, failures: 4, failedAt: LATER },
])("a summary is rescheduled instead of %o", (plan) => {
  expect(planAfterTurn(plan, () => "due", NOW)).toEqual({ at: NOW, failures: 0 });
  expect(planAfterTurn(plan, () => "room", NOW)).toBeUndefined();
});
