// Turns and channel states for tests of the pure rules.
import type { Calendar } from "../../../src/core/decisions/agenda.ts";
import {
  type ChannelState,
  freeLock,
  newTurn,
  type StopFlag,
  type TurnRecord,
} from "../../../src/core/state/record.ts";
import { testRequest } from "../../support/store-contract.ts";

/** A turn of a user in some state. */
export const turn = (id: string, userId: string, more: Partial<TurnRecord> = {}): TurnRecord => ({
  ...newTurn(testRequest(id, userId), "queued", Number(id), 0),
  ...more,
});

/** A running turn of a user. */
export const runningTurn = (userId: string, more: Partial<TurnRecord> = {}): TurnRecord =>
  turn("1", userId, {
    state: "running",
    phase: "streaming",
    instance: "this life",
    epoch: 1,
    deadlineAt: 1_000_000,
    ...more,
  });

/** A stop flag of this kind. */
export const flag = (kind: StopFlag["kind"]): StopFlag => ({ kind, by: "99", byName: "x", at: 0 });

/** A channel in this situation; the lock follows from the running turn. */
export function channel(more: Partial<ChannelState> = {}): ChannelState {
  const running = more.running ?? null;
  const lock = running
    ? { ...freeLock, turnId: running.id, instance: running.instance, epoch: running.epoch }
    : freeLock;
  return { lock, running, queue: [], parked: [], closing: [], ...more };
}

/** A calendar without entries. */
export const emptyCalendar: Calendar = {
  approvalExpiresAt: null,
  tokenRenewalAt: null,
  reminderAt: null,
  reportAt: null,
  requestAt: null,
  housekeepingAt: null,
  retentionAt: null,
  compactionAt: null,
  muteUntil: null,
  backoffUntil: null,
};
