// The reminder service of a turn's tools: set, list and cancel.

import { FIRED_REMINDER_LIFE_MS, MAX_REMINDERS, MAX_REMINDERS_PER_USER } from "../../src/core/limits.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { Reminder, Reminders, SetReminder } from "../../src/toolkit/define/tool-services.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "./rearm.ts";

/** Builds the service for one person's turn. `set` throws on a key that exists; `known` finds a reminder by its key. */
export function createReminders(channel: Channel, request: TurnRequest): Reminders {
  const { store, reminders } = channel.ports;
  return {
    known(key) {
      const found = reminders.byKey(key);
      return found && shown(found);
    },
    set: (wanted) => {
      const set = store.transaction(() => setReminder(channel, request, wanted));
      rearm(channel);
      return set;
    },
    pending: () => reminders.pending().map(shown),
    cancel: (number) =>
      store.transaction(() => {
        const found = reminders.pending().find((one) => one.number === number);
        if (!found) return "not_found";
        if (found.userId !== request.userId && !request.moderator) return "not_yours";
        reminders.remove(number);
        return "cancelled";
      }),
  };
}

function setReminder(
  { ports: { reminders, clock } }: Channel,
  { userId, userName, applicationId, channelId, guildId, locale }: TurnRequest,
  { key, text, dueAt }: Parameters<Reminders["set"]>[0],
): SetReminder {
  reminders.dropFired(clock() - FIRED_REMINDER_LIFE_MS);
  const pending = reminders.pending();
  if (pending.filter((one) => one.userId === userId).length >= MAX_REMINDERS_PER_USER)
    return { ok: false, full: "person", limit: MAX_REMINDERS_PER_USER };
  if (pending.length >= MAX_REMINDERS) return { ok: false, full: "channel", limit: MAX_REMINDERS };
  const origin = { applicationId, channelId, guildId, userName, locale };
  const reminder = { userId, text, dueAt, setAt: clock() };
  return { ok: true, reminder: { ...reminder, number: reminders.insert(key, { ...reminder, origin }) } };
}

const shown = ({ number, userId, text, dueAt, setAt }: Reminder): Reminder => ({ number, userId, text, dueAt, setAt });
