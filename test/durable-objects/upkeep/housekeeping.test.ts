// When old rows are pruned: only once there are some more than are kept, and then a batch at a time.
import { expect, it } from "vitest";
import { planHousekeeping } from "../../../durable-objects/upkeep/housekeeping.ts";
import { KEPT_MESSAGES, KEPT_TURNS, PRUNING_BATCH, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../../src/core/limits.ts";
import { freeLock } from "../../../src/core/state/record.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { turnIn } from "../../support/store-contract.ts";

const NOW = 1000;
const [TURNS, MESSAGES] = [KEPT_TURNS + PRUNING_SLACK, KEPT_MESSAGES + PRUNING_SLACK];

it.each([
  { turns: TURNS, messages: MESSAGES, isPlanned: false },
  { turns: TURNS + 1, messages: 0, isPlanned: true },
  { turns: 0, messages: MESSAGES + 1, isPlanned: true },
])("with $turns turns and $messages messages pruning is planned: $isPlanned", ({ turns, messages, isPlanned }) => {
  const store = { lock: () => freeLock, sizes: () => ({ turns, messages }) };
  expect(planHousekeeping(store, NOW)).toBe(isPlanned ? NOW + PRUNING_DELAY_MS : null);
});

it.each([
  ["stays, because a busy channel would otherwise postpone it forever", 1, 1],
  ["that is too far away after a clock was set back is planned again", PRUNING_DELAY_MS + 1, PRUNING_DELAY_MS],
])("a planned time %s", (_, plannedIn, expectedIn) => {
  const lock = () => ({ ...freeLock, housekeepingAt: NOW + plannedIn });
  const store = { lock, sizes: () => ({ turns: TURNS + 1, messages: 0 }) };
  expect(planHousekeeping(store, NOW)).toBe(NOW + expectedIn);
});

it("after a full batch pruning pauses for a minute, and after a smaller one it is done", async () => {
  const { store, clock, runAlarm } = createChannelHarness();
  for (let turn = 1; turn <= KEPT_TURNS + PRUNING_BATCH + 10; turn++)
    store.insertTurn(turnIn("finished", String(turn)));
  store.saveLock({ ...store.lock(), housekeepingAt: clock.now() });
  const turns: number[] = [];
  for (const ms of [0, PRUNING_DELAY_MS - 1, 1]) {
    await clock.advance(ms);
    runAlarm();
    turns.push(store.sizes().turns);
  }
  expect([turns, store.lock().housekeepingAt]).toEqual([[KEPT_TURNS + 10, KEPT_TURNS + 10, KEPT_TURNS], null]);
});
