// Reminders: set, listed and cancelled by a turn's tools; started by the alarm as turns of their own. That one fired and that its turn
// waits is one transaction, so it comes exactly once, however often the object dies.

import { FIRED_REMINDER_LIFE_MS, MAX_REMINDERS, MAX_REMINDERS_PER_USER } from "../../src/core/limits.ts";
import { placeInQueue } from "../../src/core/state/admission.ts";
import { newTurn, type Trigger, type TurnRecord } from "../../src/core/state/record.ts";
import { dueReminder } from "../../src/core/state/reminder-turn.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { Reminder, Reminders, SetReminder } from "../../src/toolkit/define/tool-services.ts";
import type { Channel } from "../parts.ts";
import { rearm } from "../schedule/alarm.ts";
import type { StoredReminder } from "../store/reminders.ts";
import { claimNext, launch } from "./turn-runner.ts";

/** The service as the tools of one person's turn get it. */
export function createReminders(channel: Channel, trigger: Trigger): Reminders {
  const { store, reminders } = channel.parts;
  return {
    known(key) {
      const found = reminders.byKey(key);
      return found && shown(found);
    },
    set: (wanted) => {
      const set = store.transaction(() => setReminder(channel, trigger, wanted));
      rearm(channel);
      return set;
    },
    pending: () => reminders.pending().map(shown),
    cancel: (number) =>
      store.transaction(() => {
        const found = reminders.pending().find((one) => one.number === number);
        if (!found) return "not_found";
        if (found.userId !== trigger.userId && !trigger.moderator) return "not_yours";
        reminders.remove(number);
        return "cancelled";
      }),
  };
}

function setReminder(
  { parts: { reminders, clock } }: Channel,
  { userId, userName, applicationId, channelId, guildId, locale }: Trigger,
  { key, text, dueAt }: Parameters<Reminders["set"]>[0],
): SetReminder {
  reminders.dropFired(clock() - FIRED_REMINDER_LIFE_MS);
  const pending = reminders.pending();
  if (pending.filter((one) => one.userId === userId).length >= MAX_REMINDERS_PER_USER)
    return { ok: false, full: "person", limit: MAX_REMINDERS_PER_USER };
  if (pending.length >= MAX_REMINDERS) return { ok: false, full: "channel", limit: MAX_REMINDERS };
  const place = { applicationId, channelId, guildId, userName, locale };
  const reminder = { userId, text, dueAt, setAt: clock() };
  return { ok: true, reminder: { ...reminder, number: reminders.insert(key, { ...reminder, place }) } };
}

/** Puts the turn of every reminder that is due into the queue, and starts the first when nothing runs. */
export function fireReminders(channel: Channel): void {
  const { store, reminders, clock } = channel.parts;
  const now = clock();
  const started = store.transaction(() => {
    for (const reminder of reminders.pending().filter(({ dueAt }) => dueAt <= now)) {
      reminders.markFired(reminder.number, now);
      store.insertTurn(buildReminderTurn(reminder, placeInQueue(store.state().queue, "back"), now));
    }
    return claimNext(channel);
  });
  rearm(channel);
  if (started) launch(channel, started);
}

function buildReminderTurn(reminder: StoredReminder, place: number, now: number): TurnRecord {
  const turn = newTurn(dueReminder(reminder, reminder.place, now), "queued", place, now);
  return { ...turn, events: withEvent([], { at: now, what: "reminder", detail: `number ${reminder.number}` }) };
}

const shown = ({ number, userId, text, dueAt, setAt }: Reminder): Reminder => ({ number, userId, text, dueAt, setAt });
