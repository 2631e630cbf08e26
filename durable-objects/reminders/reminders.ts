// Sets, lists and cancels reminders, as a service for a turn's tools and for /reminders.

import { answerOnce } from "../../src/channel/answer-once.ts";
import {
  FIRED_REMINDER_LIFE_MS,
  MAX_REMINDERS,
  MAX_REMINDERS_PER_USER,
  MAX_TASKS_PER_USER,
} from "../../src/core/limits.ts";
import type { Viewer } from "../../src/core/state/private-turns.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import type { CancelAnswer } from "../../src/core/state/rpc.ts";
import { keptTaint } from "../../src/core/taint/taint.ts";
import type { Reminder, Reminders, SetReminder } from "../../src/toolkit/define/tool-services.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import type { StoredReminder } from "../store/reminders.ts";
import { planErasure } from "../upkeep/retention.ts";

/** Builds the service for one person's turn. `set` throws on a key that exists; `known` finds a reminder by its key. */
export function createReminders(channel: Channel, { id: turnId, request }: TurnRecord): Reminders {
  const { store, reminders } = channel.ports;
  // Read when the reminder is set, so that it inherits the taint of everything the turn has read by then.
  const proposed = () => ({ ...request, ...keptTaint(store.recall(turnId)?.taint ?? "none") });
  return {
    known(key) {
      const found = reminders.byKey(key);
      return found && shown(found);
    },
    set: (wanted) => {
      if (request.reminder) return { ok: false, full: "chain" };
      const set = store.transaction(() => setReminder(channel, proposed(), wanted));
      rearm(channel);
      return set;
    },
    pending: () => reminders.pending().map(shown),
    cancel: (number) => cancelReminder(channel, number, request),
  };
}

/** Lists this person's pending reminders, or everyone's for a moderator, the next one first. */
export function listReminders({ ports }: Channel, { userId, moderator }: Viewer): Reminder[] {
  const pending = ports.reminders.pending();
  return pending.filter((one) => moderator || one.userId === userId).map(shown);
}

/** Cancels this person's reminder, or anyone's for a moderator. Repeating an interaction returns the same answer. */
export function cancelReminder(
  channel: Channel,
  number: number,
  { userId, moderator }: Viewer,
  interactionId?: string,
): CancelAnswer {
  const { store, reminders } = channel.ports;
  const answer = answerOnce(store, interactionId, (): CancelAnswer => {
    const found = reminders.pending().find((one) => one.number === number);
    if (!found) return "not_found";
    if (found.userId !== userId && !moderator) return "not_yours";
    reminders.remove(number);
    return "cancelled";
  });
  if (answer !== "cancelled") return answer;
  planErasure(channel);
  // The alarm may have been set only for this reminder.
  rearm(channel);
  return answer;
}

function setReminder(
  { ports: { reminders, clock } }: Channel,
  { userId, userName, applicationId, channelId, guildId, locale, roles, ageRestricted, taint }: TurnRequest,
  { key, text, dueAt, repeats }: Parameters<Reminders["set"]>[0],
): SetReminder {
  reminders.dropFired(clock() - FIRED_REMINDER_LIFE_MS);
  const isReplaced = (one: StoredReminder) =>
    repeats !== undefined && one.task?.isPaused === true && one.userId === userId && one.text === text;
  for (const one of reminders.pending().filter(isReplaced)) reminders.remove(one.number);
  const pending = reminders.pending();
  const own = pending.filter((one) => one.userId === userId);
  if (own.length >= MAX_REMINDERS_PER_USER) return { ok: false, full: "person", limit: MAX_REMINDERS_PER_USER };
  if (repeats && own.filter(({ task }) => task).length >= MAX_TASKS_PER_USER)
    return { ok: false, full: "tasks", limit: MAX_TASKS_PER_USER };
  if (pending.length >= MAX_REMINDERS) return { ok: false, full: "channel", limit: MAX_REMINDERS };
  const origin = {
    ...{ applicationId, channelId, guildId, userName, locale },
    // In a request, missing roles mean that the person has none. In a stored reminder they mean that an older program made it: nobody knows them.
    roles: roles ?? [],
    ...(ageRestricted !== undefined && { ageRestricted }),
    ...(taint && { taint }),
  };
  const task = repeats && { ...repeats, failures: 0 };
  const reminder = { userId, text, dueAt, setAt: clock(), ...(task && { task }) };
  const number = reminders.insert(key, { ...reminder, origin });
  return { ok: true, reminder: shown({ ...reminder, number, origin }) };
}

const shown = ({ number, userId, text, dueAt, setAt, task, origin }: StoredReminder): Reminder => ({
  ...{ number, userId, text, dueAt, setAt },
  ...(origin.taint === "full" && { origin: "untrusted" }),
  ...(task && { every: task.every, ...(task.isPaused && { isPaused: true }) }),
});
