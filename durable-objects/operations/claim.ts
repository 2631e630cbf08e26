// Gives the lock to a turn. The lock, the turn and its question are written together, in the caller's transaction.

import { nextToStart } from "../../src/core/decisions/admission.ts";
import { withTurn } from "../../src/core/decisions/budget.ts";
import { TOKEN_LIFE_MS } from "../../src/core/limits.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { Channel } from "../live-channel.ts";
import { findBotEndpoint } from "../replies/turn-pump.ts";
import { spentBeforeStart } from "../settings/budgets.ts";
import { startExposure } from "../settings/deliberate.ts";
import { closed } from "../turn/closing.ts";
import { buildQuestions } from "../turn/turn-texts.ts";
import { giveWay } from "../upkeep/compaction-plan.ts";
import { keptMs, nextRetention } from "../upkeep/retention.ts";

/** Time kept free for the last edits of a scene's messages and of its header. */
const SCENE_END_MS = 30_000;

/**
 * Gives a turn the lock, within the caller's transaction. Its question joins the transcript here, not while the turn
 * waits.
 */
export function claim(channel: Channel, turn: TurnRecord): TurnRecord {
  const { ports } = channel;
  const { store, clock, config, instance } = ports;
  const now = clock();
  const lock = giveWay(channel, store.lock());
  const { userId } = turn.request;
  const epoch = lock.epoch + 1;
  // A parked turn resumes: its question is already in the transcript, and its deadline was paused.
  const isResumed = turn.startedAt !== null;
  const deadlineAt = Math.min(now + (turn.approval?.leftMs ?? config.turnDeadlineMs), lastWordsBy(ports, turn.request));
  const followUps = lock.followUps?.userId === userId ? lock.followUps : null;
  const usage = isResumed ? lock.usage : withTurn(lock.usage, userId, now);
  const started = startExposure(ports, { turn, lock });
  const holder = { turnId: turn.id, instance, epoch, startedAt: now, deadlineAt, followUps };
  const retentionAt = nextRetention(ports, lock) ?? now + keptMs(ports);
  store.saveLock({ ...started.lock, ...holder, retentionAt, ...(usage && { usage }) });
  const events = withEvent(turn.events, { at: now, what: isResumed ? "went on" : "started" });
  if (!isResumed) for (const question of buildQuestions(store, turn)) store.addMessage(question);
  // The turn runs separately now, so it no longer waits to join a running turn.
  const begun = { steers: null, startedAt: turn.startedAt ?? now };
  return { ...started.turn, ...begun, state: "running", instance, epoch, deadlineAt, events };
}

/**
 * Returns the time by which a scene must end. If the bot can't post with its own token, the scene's words reach Discord only while the
 * interaction's token is valid, and no click can bring a new one.
 */
const lastWordsBy = (ports: Channel["ports"], request: TurnRequest): number =>
  request.scene && !findBotEndpoint(ports, request)
    ? request.receivedAt + TOKEN_LIFE_MS - SCENE_END_MS
    : Number.POSITIVE_INFINITY;

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
    store.saveTurn(closed(head, { kind: "budget_spent", ...spent }, 0, channel.ports.clock()));
  }
  return null;
}
