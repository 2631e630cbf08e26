// The plan of a summary: when it is first made, and when again after failures or after a message that interrupted it.
import { describe, expect, it } from "vitest";
import {
  isAtRest,
  mayCompact,
  planAfterAbandoning,
  planAfterFailure,
  planAfterTurn,
} from "../../../src/core/decisions/compaction.ts";
import type { CompactionPlan } from "../../../src/core/state/compaction-plan.ts";
import { freeLock, newTurn } from "../../../src/core/state/record.ts";
import { testRequest } from "../../support/store-contract.ts";

const NOW = 1_000_000;
const HOUR_MS = 3_600_000;
const room = () => "room" as const;
const due = () => "due" as const;
const full = () => "full" as const;
const call = { id: "s", channelId: "2", guildId: null, at: NOW, ifCut: { inputTokens: 9, outputTokens: 1 } };

describe("a plan", () => {
  it("is made at the end of a turn that makes it due, for right now", () => {
    expect(planAfterTurn(undefined, due, NOW)).toEqual({ at: NOW, failures: 0 });
    expect(planAfterTurn(undefined, room, NOW)).toBeUndefined();
  });

  it("becomes urgent once the window is full, even if it was made earlier, and stays urgent", () => {
    const urgent = { at: NOW, failures: 0, isUrgent: true } as const;
    expect(planAfterTurn(undefined, full, NOW)).toEqual(urgent);
    expect(planAfterTurn({ at: 5, failures: 2, failedAt: 4 }, full, NOW)).toEqual({
      at: 5,
      failures: 2,
      failedAt: 4,
      isUrgent: true,
    });
    const plan = { ...urgent, call };
    expect(planAfterTurn(plan, room, NOW)).toBe(plan);
    expect(planAfterFailure(plan, NOW)).not.toHaveProperty("isUrgent");
    const rested = { at: null, failures: 4, failedAt: NOW - HOUR_MS };
    expect(planAfterTurn(rested, full, NOW)).toEqual({ at: NOW, failures: 4, isUrgent: true });
    expect(planAfterTurn(rested, full, NOW - 1)).toBe(rested);
  });

  it("waits 60, 300 and 900 s after failures, then for a turn that ends at least an hour later", () => {
    let plan: CompactionPlan = { at: NOW, failures: 0 };
    const waits: (number | null)[] = [];
    for (let failure = 1; failure <= 4; failure++) {
      plan = planAfterFailure(plan, NOW) ?? plan;
      waits.push(plan.at === null ? null : plan.at - NOW);
      // A turn that ends in the meantime changes nothing.
      expect(planAfterTurn(plan, due, NOW + 1)).toBe(plan);
    }
    expect(waits).toEqual([60_000, 300_000, 900_000, null]);
    expect(planAfterTurn(plan, due, NOW + HOUR_MS - 1)).toBe(plan);
    expect(planAfterTurn(plan, room, NOW + HOUR_MS)).toBe(plan);
    const again = planAfterTurn(plan, due, NOW + HOUR_MS);
    expect(again).toEqual({ at: NOW + HOUR_MS, failures: 4 });
    expect(planAfterFailure(again as CompactionPlan, NOW + HOUR_MS)?.at).toBeNull();
  });

  it("stays a plan for a person's own transcript", () => {
    expect(planAfterFailure({ failures: 0, owner: "10" }, NOW)).toMatchObject({ owner: "10", failures: 1 });
  });

  it("is not retried if a moderator asked for it", () => {
    expect(planAfterFailure({ failures: 0, asked: {} }, NOW)).toBeUndefined();
  });

  it("is retried at once after a message interrupted it, with the same count of failures", () => {
    const plan = { at: 5, failures: 2, asked: { focus: "tea" }, call };
    expect(planAfterAbandoning(plan, NOW)).toEqual({ at: NOW, failures: 2, asked: { focus: "tea" } });
  });
});

it("a channel is at rest if no turn runs, waits, is parked or still has to send its end", () => {
  const rest = { lock: freeLock, running: null, queue: [], parked: [], closing: [] };
  const turn = newTurn(testRequest("1"), "queued", 0, NOW);
  expect(isAtRest(rest)).toBe(true);
  for (const state of [
    { running: turn },
    { queue: [turn] },
    { parked: [turn] },
    { closing: [turn] },
    { queue: [turn], parked: [turn] },
    { queue: [turn], closing: [turn] },
  ])
    expect([
      isAtRest({ ...rest, ...state }),
      mayCompact({ at: 1, failures: 0 }, { ...rest, ...state }),
      mayCompact({ at: 1, failures: 0, isUrgent: true }, { ...rest, ...state }),
    ]).toEqual([false, false, true]);
  expect(mayCompact({ at: 1, failures: 0 }, rest)).toBe(true);
});
