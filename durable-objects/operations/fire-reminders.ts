// Starts due reminders as turns. One transaction marks a reminder as fired (or plans a task's next time) and queues its turn, so it fires
// exactly once, however often the object dies.
import { timelineText } from "../../src/core/copy/timeline.ts";
import { newQueuePosition } from "../../src/core/decisions/admission.ts";
import { withoutWords } from "../../src/core/decisions/forgotten.ts";
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import { newTurn, type TurnRecord } from "../../src/core/state/record.ts";
import { dueReminder } from "../../src/core/state/reminder-turn.ts";
import type { Refusal } from "../../src/core/state/rpc.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { Channel } from "../live-channel.ts";
import { isUnderWay, markDue } from "../reminders/recurring-tasks.ts";
import { remindInPrivate } from "../replies/asker-notices.ts";
import { rearm } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import type { StoredReminder } from "../store/reminders.ts";
import { planRetention } from "../upkeep/retention.ts";
import { claimNext } from "./claim.ts";
import { finishReplies } from "./finish-reply.ts";
import { launch } from "./launch.ts";

/** Queues a turn for every due reminder, and starts the first one when nothing runs. Repeating it is harmless. */
export function fireReminders(channel: Channel): void {
  const { store, reminders, clock, log } = channel.ports;
  const now = clock();
  const { access } = effectiveSettings(channel.ports);
  const unshown: TurnRecord[] = [];
  const started = store.transaction(() => {
    // While Discord keeps the bot out, an answer would cost a model call and no one would see it. So the reminder ends without one, and
    // is sent privately.
    const isRefused = store.lock().refusedAt !== undefined;
    const refusalHere: Refusal | null = isRefused ? { reason: "no_access", forMs: 0 } : null;
    for (const reminder of reminders.pending().filter(({ dueAt, task }) => dueAt <= now && !task?.isPaused)) {
      // Whoever set it may have lost the right to ask since then. Their roles and the budgets are checked when the turn starts.
      const denied = refusalByLists(access, reminder.userId, null);
      const refusal = denied ?? refusalHere;
      markDue(channel.ports, reminder, now, refusal !== null);
      if (isUnderWay(store.state(), reminder)) continue;
      const turn = buildReminderTurn(reminder, newQueuePosition(store.state().queue, "back"), now);
      store.insertTurn(refusal ? withoutWords({ ...turn, state: "refused", refusal }) : turn);
      if (refusal) log.info("a reminder was refused", { number: reminder.number, reason: refusal.reason });
      if (refusal && !denied) unshown.push(turn);
    }
    planRetention(channel.ports);
    return claimNext(channel);
  });
  for (const turn of unshown) remindInPrivate(channel.ports, turn);
  rearm(channel);
  // A reminder whose budget was used up is closed instead of started; the person is reminded all the same.
  finishReplies(channel);
  if (started) launch(channel, started);
}

function buildReminderTurn(reminder: StoredReminder, queuePosition: number, now: number): TurnRecord {
  const turn = newTurn(dueReminder(reminder, reminder.origin, now), "queued", queuePosition, now);
  return {
    ...turn,
    events: withEvent([], { at: now, what: "reminder", detail: timelineText.reminder(reminder.number) }),
  };
}
