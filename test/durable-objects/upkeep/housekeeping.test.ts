// When old rows are pruned: not before there are more than are kept, and some.
import { expect, it } from "vitest";
import { planHousekeeping } from "../../../durable-objects/upkeep/housekeeping.ts";
import { KEPT_MESSAGES, KEPT_TURNS, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../../src/core/limits.ts";
import { freeLock } from "../../../src/core/state/record.ts";

const NOW = 1000;
const [TURNS, MESSAGES] = [KEPT_TURNS + PRUNING_SLACK, KEPT_MESSAGES + PRUNING_SLACK];

it.each([
  { turns: TURNS, messages: MESSAGES, isPlanned: false },
  { turns: TURNS + 1, messages: 0, isPlanned: true },
  { turns: 0, messages: MESSAGES + 1, isPlanned: true },
])("with $turns turns and $messages messages it is planned: $isPlanned", ({ turns, messages, isPlanned }) => {
  const store = { lock: () => freeLock, sizes: () => ({ turns, messages }) };
  expect(planHousekeeping(store, NOW)).toBe(isPlanned ? NOW + PRUNING_DELAY_MS : null);
});
