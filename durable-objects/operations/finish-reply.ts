// Makes the last edit of a turn that has ended, from what is stored: see README.md in durable-objects. It edits and never posts a
// message a second time.

import type { ChannelStore } from "../../src/channel/store.ts";
import { deletedText } from "../../src/core/copy/control-answers.ts";
import { endingNotice } from "../../src/core/copy/endings.ts";
import { filesLeftOut } from "../../src/core/copy/files.ts";
import { reminderLine, say, taskPaused } from "../../src/core/copy/notices.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import { keptAtEnd, withoutWords } from "../../src/core/state/forgotten.ts";
import { isChangeable } from "../../src/core/state/newest-answer.ts";
import { changesAnswer, offeredBelow } from "../../src/core/state/offer.ts";
import { pingsAsker } from "../../src/core/state/ping.ts";
import { type DeliveredPart, isAskedFor, type TurnRecord } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { ReplyView } from "../../src/turn/ports.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons, dropEveryButton, isOpenToBot } from "../replies/posted-reply.ts";
import { tellPrivately } from "../replies/side-messages.ts";
import { undeliveredBecause } from "../replies/voice-reply.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { isDeleted } from "../store/marks.ts";
import { findOtherAnswers, isNewest } from "../turn/newest-answer.ts";
import { saidText } from "../turn/turn-texts.ts";
import { rearm } from "./rearm.ts";
import { changedTask, storeOutcome } from "./recurring-tasks.ts";

/**
 * Sends a closing turn's final edit, detached, and returns its end. Sends nothing when an edit is already being sent, and then
 * returns at once.
 */
export function finishReply(channel: Channel, turn: TurnRecord): Promise<void> {
  if (channel.finishing.has(turn.id)) return Promise.resolve();
  channel.finishing.add(turn.id);
  const finished = sendFinalEdit(channel, turn).finally(() => channel.finishing.delete(turn.id));
  channel.ports.keepAlive(finished);
  return finished;
}

/** Does the same for every turn that has ended and still needs its final edit. */
export function finishReplies(channel: Channel): void {
  for (const turn of channel.ports.store.state().closing) void finishReply(channel, turn);
}

async function sendFinalEdit(channel: Channel, turn: TurnRecord): Promise<void> {
  const { store, log, clock } = channel.ports;
  if (turn.threadSince !== undefined) return (await import("./open-thread.ts")).openThread(channel, turn);
  if (turn.removal) return finishRemoval(channel, turn, turn.removal);
  if (turn.checkpoint.kind !== "send") return;
  const { ending, chars } = turn.checkpoint;
  const isSilent = ending.kind === "completed" && ending.silent === true;
  const text = isSilent ? "" : saidText(store.messagesInTurn(turn.id)).slice(0, chars);
  const reply = channel.replies.of(turn);
  const isCatchUp = turn.request.catchUp !== undefined;
  const others = isChangeable(turn) ? findOtherAnswers(store, turn) : null;
  const offered = offeredBelow(turn, others?.isNewest !== false && !turn.forgotten);
  const buttons = turn.request.scene ? offered.filter(changesAnswer) : offered;
  const isSaid = isEndSaid(channel, turn, ending, text);
  if (turn.startedAt === null) channel.replies.signs.waitsNoMore(turn.request);
  const pauses = changedTask(channel.ports, turn)?.task.isPaused === true;
  const view = { text, ...lastView(store, turn, ending, pauses, text !== "") };
  const first = isSaid ? await reply.finish(view, buttons) : ({ ok: true } as const);
  const again = !first.ok && first.reason === "token_expired" ? await reopened(channel, turn.id) : null;
  const delivered = again ? await again.finish(view, buttons) : first;
  const at = clock();
  await channel.replies.finishScene(turn, delivered, offered);
  channel.replies.drop(turn.id);
  const undelivered = undeliveredBecause(delivered);
  if (undelivered) log.warn("the final edit was not delivered", { turnId: turn.id, reason: undelivered });
  if (!delivered.ok && delivered.reason === "superseded") return;
  // Somebody deleted a message of it; those that are left may still have Stop.
  if (!delivered.ok && delivered.reason === "gone") await dropEveryButton(channel.ports, store.turn(turn.id) ?? turn);
  // One without words has no buttons, and may take the place of one that has.
  const isAnswer = others !== null || (ending.kind === "completed" && turn.request.replaces !== undefined);
  if (delivered.ok && isAnswer) await removeOlder(channel, turn, others?.older ?? null);
  const ping = delivered.ok ? await pingIfDue(channel, turn, undelivered === null) : null;
  // As long as this one is closing, a newer one leaves its buttons to it, and so does who resets the conversation.
  const own = store.turn(turn.id) ?? turn;
  const isOver = own.forgotten === true || !isNewest(store, own);
  if (delivered.ok && others && buttons.length > 0 && isOver) await dropButtons(channel.ports, own);
  store.transaction(() => {
    const current = store.turn(turn.id);
    if (current?.state !== "closing") return;
    storeOutcome(channel.ports, current);
    const detail = undelivered ? timelineText.deliveredInPart(undelivered) : timelineText.delivered;
    // No click brings a scene another token.
    const mayWait = !current.forgotten && !current.request.scene;
    const isWaiting = !delivered.ok && delivered.reason === "token_expired" && mayWait;
    const events = withEvent(current.events, { at, what: "delivered", detail });
    const finished: TurnRecord = { ...current, state: "finished", events, ...(ping && { ping }) };
    if (isWaiting) return store.saveTurn({ ...finished, ...undeliveredReply(current, (again ?? reply).shownUpTo()) });
    // What others said is in a catch-up's answer: no word of it stays once it is shown.
    if (isCatchUp || current.forgotten) {
      if (current.forgotten) store.forgetTurn(turn.id);
      else store.dropAnswers(turn.id);
      return store.saveTurn(withoutWords(finished));
    }
    // The buttons may have to go, which only this token can do where the bot is not a member.
    if (offered.length > 0) channel.replies.keepRoute(current);
    store.saveTurn(keptAtEnd(finished));
    store.dropFiles(turn.id);
  });
  rearm(channel);
  // Words that waited for a click are no second turn.
  if (!turn.events.some(({ what }) => what === "delivered")) sendTrace(channel, turn.id);
}

/** Pings the asker if the setting says so. Returns the message, for the write that finishes the turn. */
async function pingIfDue({ ports }: Channel, turn: TurnRecord, isShown: boolean): Promise<DeliveredPart | null> {
  if (!pingsAsker(ports.store.turn(turn.id) ?? turn, effectiveSettings(ports).ping_when_done)) return null;
  const { pingAsker } = await import("../replies/asker-ping.ts");
  return pingAsker(ports, turn.id, isShown);
}

/** The reply by the bot's own token, if that reaches it now; null: it does not, or the turn is one of a scene. */
async function reopened({ ports, replies }: Channel, id: string) {
  const { store, log } = ports;
  const turn = store.turn(id);
  if (!turn || turn.request.scene || !(await isOpenToBot(ports, turn))) return null;
  const found = store.transaction(() => {
    const current = store.turn(id);
    const open: TurnRecord | null = current && { ...current, renewal: "bot" };
    if (open) store.saveTurn(open);
    return open;
  });
  log.warn("the final edit goes out by the bot's own token", { turnId: id, reason: "token_expired" });
  replies.abandon(id);
  return found && replies.of(found);
}

/** After the reply, beside everything else. */
export function sendTrace({ ports }: Channel, turnId: string): void {
  const { traces } = ports.config;
  if (traces)
    ports.keepAlive(import("../inspect/export-trace.ts").then((one) => one.exportTrace(ports, turnId, traces)));
}

/** The answer whose place this one takes goes; another older one loses its buttons. */
async function removeOlder({ ports, replies }: Channel, turn: TurnRecord, older: TurnRecord | null): Promise<void> {
  const { replaces } = turn.request;
  const replaced = replaces === undefined ? null : ports.store.turn(replaces);
  const reached = replaced && replies.withRoute(replaced);
  if (reached && (await removed(ports, reached)) > 0) await dropButtons(ports, reached);
  // What is older than the replaced answer has lost its buttons to that one.
  const isBare = older === null || (replaced?.endedAt ?? 0) > (older.endedAt ?? 0);
  const found = isBare ? null : ports.store.turn(older.id);
  // One whose last edit is still on its way looks after its own buttons, and one that waits for Continue can be shown by that alone.
  if (found?.state === "finished" && !found.undelivered) await dropButtons(ports, replies.withRoute(found));
}

/** Deletes the messages of a reply. Returns how many stay. */
const removed = async (ports: ChannelPorts, turn: TurnRecord): Promise<number> =>
  (await import("../replies/removal.ts")).removeReply(ports, turn);

/** Deletes the messages of an answer that was deleted, and says to whoever clicked what became of them. */
async function finishRemoval(
  channel: Channel,
  turn: TurnRecord,
  { messageId: _message, at: _since, ...press }: NonNullable<TurnRecord["removal"]>,
): Promise<void> {
  const { ports, replies } = channel;
  const { store, keepAlive } = ports;
  const left = await removed(ports, replies.withRoute(turn));
  const isOurs = store.transaction(() => {
    const current = store.turn(turn.id);
    if (current?.state !== "closing") return false;
    const { removal: _done, ...rest } = current;
    store.saveTurn({ ...withoutWords(rest), state: "finished" });
    return true;
  });
  rearm(channel);
  if (isOurs) keepAlive(tellPrivately(ports, press, deletedText(left)));
}

/**
 * A reminder of someone who may not use the bot any more is not said at all, unless a part of it is; where only its limit could not be
 * checked, it is. Nor is the end of a question by message that has no reply, where its asker has deleted or replaced it.
 */
function isEndSaid({ ports }: Channel, turn: TurnRecord, ending: Ending, text: string): boolean {
  const { kind } = ending;
  const isUnchecked = kind === "access_refused" && ending.refusal.reason === "limit_unchecked";
  if (kind === "access_refused" && !isUnchecked) return isAskedFor(turn) || turn.parts.length > 0;
  // What it posted on the way, to ask for an approval, gets its end all the same.
  if (ending.kind === "completed" && ending.silent) return turn.parts.length > 0;
  const { messageId } = turn.request;
  if (turn.parts.length > 0 || text !== "") return true;
  // In a thread of its own the turn still has the id of the message that asked.
  if (isDeleted(ports.marks, messageId ?? turn.id)) return false;
  return messageId === undefined || kind !== "superseded";
}

/** What goes with the last words: a line, the files that were made, and the names of those that were left out. */
function lastView(
  store: ChannelStore,
  turn: TurnRecord,
  ending: Ending,
  isPaused: boolean,
  hasWords: boolean,
): Pick<ReplyView, "line" | "files"> {
  const leftOut = store.fileNotes(turn.id).filter((note) => note.leftOut);
  const lines = [lastLine(turn, ending, isPaused, hasWords), filesLeftOut(leftOut.map(({ name }) => name))];
  const files = store.files(turn.id);
  return { line: lines.filter((line) => line !== null).join("\n") || null, ...(files.length > 0 && { files }) };
}

/** A reminder keeps its line to the end and mentions no failure of its turn: the person is reminded all the same. A task says that it pauses. */
function lastLine(
  { request: { reminder, userId, noThread } }: TurnRecord,
  ending: Ending,
  isPaused: boolean,
  hasWords: boolean,
): string | null {
  if (noThread !== undefined) return [say.noThread(noThread), endingNotice(ending) ?? ""].join("\n").trimEnd();
  if (!reminder) return endingNotice(ending, hasWords);
  const isWordless = ending.kind === "completed" && ending.wordless === true;
  const notice = isWordless ? null : endingNotice({ ...ending, quiet: true });
  const paused = isPaused && reminder.task ? [taskPaused(reminder.task.number)] : [];
  return [reminderLine(reminder, userId), ...(notice === null ? [] : [notice]), ...paused].join("\n");
}

/** Stores how much of the answer each message shows, for a life that later delivers the rest. */
function undeliveredReply({ parts }: TurnRecord, shownUpTo: number[]): Pick<TurnRecord, "undelivered" | "parts"> {
  return { undelivered: true, parts: parts.map((part, index) => ({ ...part, endsAt: shownUpTo[index] ?? 0 })) };
}
