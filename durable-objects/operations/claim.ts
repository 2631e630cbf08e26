// Gives the lock to a turn. The lock, the turn and its question are written together, in the caller's transaction.
import { nextToStart } from "../../src/core/state/admission.ts";
import { withTurn } from "../../src/core/state/budget.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { Channel } from "../live-channel.ts";
import { spentBeforeStart } from "../settings/budgets.ts";
import { startExposure } from "../settings/deliberate.ts";
import { closed } from "../turn/closing.ts";
import { buildQuestion } from "../turn/turn-texts.ts";
import { abandonCompaction } from "./compaction-plan.ts";
import { keptMs, nextRetention } from "./retention.ts";

/**
 * Gives a turn the lock, within the caller's transaction. Its question joins the transcript here, not while the turn
 * waits.
 */
export function claim(channel: Channel, turn: TurnRecord): TurnRecord {
  const { ports } = channel;
  const { store, clock, config, instance } = ports;
  const now = clock();
  const lock = abandonCompaction(channel, store.lock());
  const { userId } = turn.request;
  const epoch = lock.epoch + 1;
  // A parked turn resumes: its question is already in the transcript, and its clock was stopped.
  const isResumed = turn.startedAt !== null;
  const deadlineAt = now + (turn.approval?.leftMs ?? config.turnDeadlineMs);
  const followUps = lock.followUps?.userId === userId ? lock.followUps : null;
  const usage = isResumed ? lock.usage : withTurn(lock.usage, userId, now);
  const started = startExposure(ports, { turn, lock });
  const holder = { turnId: turn.id, instance, epoch, startedAt: now, deadlineAt, followUps };
  const retentionAt = lock.retentionAt ?? nextRetention(ports) ?? now + keptMs(ports);
  store.saveLock({ ...started.lock, ...holder, retentionAt, ...(usage && { usage }) });
  const events = withEvent(turn.events, { at: now, what: isResumed ? "went on" : "started" });
  if (!isResumed) store.addMessage(buildQuestion(store, turn, turn.id));
  return { ...started.turn, state: "running", instance, epoch, startedAt: turn.startedAt ?? now, deadlineAt, events };
}

/**
 * Claims the head of the queue when nothing runs, within the caller's transaction. A head whose budget was used up while
 * it waited is closed instead; the caller then calls finishReplies. A parked turn has already started, so it always
 * resumes.
 */
export function claimNext(channel: Channel): TurnRecord | null {
  const { store } = channel.ports;
  for (let head = nextToStart(store.state()); head; head = nextToStart(store.state())) {
    const isResumed = head.startedAt !== null;
    const spent = isResumed ? null : spentBeforeStart(channel.ports, head);
    if (!spent) {
      const claimed = claim(channel, isResumed ? head : { ...head, waited: true });
      store.saveTurn(claimed);
      return claimed;
    }
    store.saveTurn(closed(head, { kind: "budget_spent", ...spent }, 0));
  }
  return null;
}
