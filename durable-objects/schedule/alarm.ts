// The object's one alarm. Outside the handler it is only ever pulled earlier: an early wake costs one request, a missed
// deadline costs a turn.

import { type Calendar, emptyCalendar, nextWake } from "../../src/core/state/agenda.ts";
import { nextExpiry } from "../../src/core/state/approval.ts";
import type { ChannelState } from "../../src/core/state/record.ts";
import { tokenRenewalAt } from "../../src/core/state/token-life.ts";
import type { Channel, ChannelParts } from "../parts.ts";

/** Sets the alarm to the channel's next deadline. Call it in the tick of every write that changes what is planned. */
export function rearm({ parts }: Channel, backoffUntil: number | null = null): void {
  const state = parts.store.state();
  parts.alarm.arm(nextWake(state, { ...readCalendar(parts, state), backoffUntil }, parts.clock()));
}

/** The deadlines of a channel that belong to no turn. */
export const readCalendar = ({ reminders }: Pick<ChannelParts, "reminders">, state: ChannelState): Calendar => ({
  ...emptyCalendar,
  approvalExpiresAt: nextExpiry(state),
  tokenRenewalAt: tokenRenewalAt(state),
  reminderAt: reminders.nextDueAt(),
  housekeepingAt: state.lock.housekeepingAt,
});

/** The part of the object's storage that the alarm uses. Both write in the transaction of the current tick (Cloudflare). */
export interface AlarmStorage {
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** Knows what this life has set; what an earlier one set is unknown, which can only make it wake too early. */
export class Alarm {
  readonly #storage: AlarmStorage;
  #armedAt: number | null = null;

  constructor(storage: AlarmStorage) {
    this.#storage = storage;
  }

  /** Brings the alarm in line with the next deadline of the whole channel; null: nothing is planned any more. */
  arm(nextWakeAt: number | null): void {
    if (nextWakeAt === null) {
      void this.#storage.deleteAlarm();
      this.#armedAt = null;
      return;
    }
    if (this.#armedAt !== null && this.#armedAt <= nextWakeAt) return;
    void this.#storage.setAlarm(nextWakeAt);
    this.#armedAt = nextWakeAt;
  }

  /** The alarm went off and is used up; the handler arms it anew. */
  fired(): void {
    this.#armedAt = null;
  }
}
