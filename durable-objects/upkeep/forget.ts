// Forgets on request: a channel's conversation, or what is kept about one person in this channel.

import { answerOnce } from "../../src/channel/answer-once.ts";
import { personalSettingKeys } from "../../src/channel/deliberate.ts";
import { forgottenUsage } from "../../src/core/decisions/budget.ts";
import { withoutWords } from "../../src/core/decisions/forgotten.ts";
import { endOf, utcDay } from "../../src/core/money/lease.ts";
import type { DayUsage } from "../../src/core/state/day-usage.ts";
import type { Lock, TurnRecord } from "../../src/core/state/record.ts";
import type { Forgotten } from "../../src/core/state/rpc.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons } from "../replies/posted-reply.ts";
import { rearm } from "../schedule/rearm.ts";
import { askedLately } from "../settings/budgets.ts";
import { noteParent } from "../settings/effective-settings.ts";
import { findNewestAnswer } from "../turn/newest-answer.ts";
import { planErasure } from "./retention.ts";
import { dropCompaction, replanCompaction } from "./summary-on-demand.ts";

/**
 * Forgets the notes and the conversation of the turns that have ended. Returns the number of their messages. Turns that are not over stay.
 * Repeating an interaction forgets nothing more and returns the same number.
 */
export function resetConversation(channel: Channel, interactionId?: string): number {
  const { store, notes } = channel.ports;
  const newest: TurnRecord[] = [];
  const messages = answerOnce(store, interactionId, () => {
    const found = findNewestAnswer(store);
    if (found) newest.push(found);
    notes.write("");
    dropCompaction(channel);
    return forgetClosing(channel) + store.forgetTranscript();
  });
  rearm(channel);
  planErasure(channel);
  for (const turn of newest) dropDeadButtons(channel, turn);
  return messages;
}

/**
 * Deletes this person's messages with the answers to them, their turns, memories, reminders and personal settings, and their usage
 * of earlier days. The notes are deleted too, because nobody knows whose words are in them. A turn that is not over stays. If only its last edit
 * is on its way, its record stays, without words. May run twice.
 */
export function forgetPerson(channel: Channel, userId: string): Forgotten {
  const { store, memories, reminders, notes, marks, settingHistory, clock } = channel.ports;
  const newest = findNewestAnswer(store);
  // Deleting the memories is a transaction by itself.
  const forgottenMemories = memories.removeBy(userId);
  const forgotten = store.transaction(() => {
    notes.write("");
    settingHistory.forgetPerson(userId);
    marks.forgetPerson(userId);
    // A thread has a copy of its channel's settings.
    const parent = { ...store.parentSettings() };
    for (const key of personalSettingKeys(userId)) {
      store.putSetting(key, null);
      delete parent[key];
    }
    noteParent(channel.ports, parent);
    const lock = store.lock();
    const usage = forgottenUsage(lock.usage, userId, forgottenAsks(channel, userId), clock());
    const followUps = lock.followUps?.userId === userId ? null : lock.followUps;
    store.saveLock({ ...lock, followUps, ...(usage && { usage }), ...whenOver(usage, userId, clock()) });
    // A summary that is being made may contain their words.
    dropCompaction(channel);
    // Their due reminder that still waits in the queue must not begin: it is deleted with their finished turns.
    for (const turn of store.state().queue)
      if (turn.request.reminder && turn.request.userId === userId && turn.startedAt === null)
        store.saveTurn({ ...turn, state: "refused" });
    const forgottenMessages = forgetClosing(channel, userId) + store.forgetPerson(userId);
    // If a summary with their words was deleted, the others' words are summarized again.
    replanCompaction(channel.ports);
    return {
      messages: forgottenMessages,
      memories: forgottenMemories,
      reminders: reminders.removeBy(userId),
    };
  });
  rearm(channel);
  planErasure(channel);
  if (newest?.request.userId === userId) dropDeadButtons(channel, newest);
  return forgotten;
}

/** Plans the next deletion for the end of the day if some of today's figures are theirs, because those stay until then. */
function whenOver(usage: DayUsage | undefined, userId: string, now: number): Pick<Lock, "retentionAt"> {
  const isKept = usage?.day === utcDay(now) && Object.hasOwn({ ...usage.users, ...usage.asked }, userId);
  return isKept ? { retentionAt: endOf("day", now) } : {};
}

/** Returns when this person asked in the last minute, except for turns that are not over, because those stay. */
function forgottenAsks({ ports: { store, clock } }: Channel, userId: string): number[] {
  const state = store.state();
  const kept = unfinishedTurns(state).map(({ createdAt }) => createdAt);
  return askedLately({ store }, state.lock, userId, clock()).filter((at) => !kept.includes(at));
}

/** Removes an answer's buttons, because nothing is left to regenerate or delete. An answer whose last edit is on its way gets none anyway. */
function dropDeadButtons({ ports, replies }: Channel, turn: TurnRecord): void {
  if (!turn.undelivered) ports.keepAlive(dropButtons(ports, replies.withRoute(turn)));
}

/** A last edit that takes longer than this may take days, for example while Discord does not accept the bot's token. */
const LATE_MS = 60_000;

/**
 * Forgets turns (all, or this person's) that have ended but whose last edit is on its way. Their words are kept only for that edit and deleted
 * with it. If the edit is late and Discord shows nothing of the answer, they are deleted at once; reminders are not when a conversation is reset.
 * Returns the number of their messages.
 */
function forgetClosing({ ports: { store, clock }, replies }: Channel, userId?: string): number {
  let messages = 0;
  for (const turn of store.state().closing) {
    // A turn that waits for its thread has not begun.
    const isMeant = turn.threadSince === undefined && (userId === undefined || turn.request.userId === userId);
    if (!isMeant || turn.forgotten) continue;
    messages += store.messagesInTurn(turn.id).length;
    // A scene's header is already shown, and needs its last edit to lose Stop. A reset conversation keeps its reminders.
    const comes = turn.request.scene ?? (userId === undefined && turn.request.reminder);
    const isUnshown = !comes && turn.parts.length === 0 && clock() - (turn.endedAt ?? clock()) > LATE_MS;
    if (isUnshown) {
      replies.abandon(turn.id);
      store.forgetTurn(turn.id);
    }
    store.saveTurn(isUnshown ? withoutWords({ ...turn, state: "finished" }) : { ...turn, forgotten: true });
  }
  return messages;
}
