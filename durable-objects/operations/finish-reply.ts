// Makes the last edit of a turn that has ended, from what is stored: see README.md in durable-objects. It edits, and never posts a
// message twice.

import type { ChannelStore } from "../../src/channel/store.ts";
import { deletedText } from "../../src/core/copy/control-answers.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import { keptAtEnd, withoutWords } from "../../src/core/decisions/forgotten.ts";
import { isChangeable } from "../../src/core/decisions/newest-answer.ts";
import { changesAnswer, type Offer, offeredBelow } from "../../src/core/decisions/offer.ts";
import { pingsAsker } from "../../src/core/decisions/ping.ts";
import { isRefusedAlone, shouldNotifyPrivately } from "../../src/core/decisions/private-refusal.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { changedTask, storeOutcome } from "../reminders/recurring-tasks.ts";
import { dropButtons, dropEveryButton } from "../replies/posted-reply.ts";
import { tellPrivately } from "../replies/side-messages.ts";
import { type Delivered, type TurnReply, undeliveredBecause } from "../replies/voice-reply.ts";
import { rearm } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { isDeleted } from "../store/marks.ts";
import { changeClosing } from "../turn/closing.ts";
import { findOtherAnswers, isNewest } from "../turn/newest-answer.ts";
import { saidText } from "../turn/turn-texts.ts";
import { isEndSaid, lastView } from "./last-words.ts";

/**
 * Sends a closing turn's final edit in the background. Returns a promise of its end; if an edit is already being sent, sends nothing and
 * returns a resolved promise.
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
  if (turn.threadSince !== undefined) {
    const stopped = await (await import("./open-thread.ts")).openThread(channel, turn);
    return stopped ? sendFinalEdit(channel, stopped) : undefined;
  }
  if (turn.removal) return finishRemoval(channel, turn, turn.removal);
  const { checkpoint } = turn;
  if (checkpoint.kind !== "send") return;
  const { ports, replies } = channel;
  const below = findButtons(ports.store, turn);
  if (turn.startedAt === null) replies.signs.stopWaiting(turn.request);
  const edit = await showEnd(channel, turn, checkpoint, below.own);
  // Nobody can tell yet how to reach its message: the next heartbeat asks again.
  if (edit === "later") return;
  const { delivered } = edit;
  await replies.finishScene(turn, delivered, below.offered);
  replies.drop(turn.id);
  const undelivered = undeliveredBecause(delivered);
  if (undelivered) ports.log.warn("the final edit was not delivered", { turnId: turn.id, reason: undelivered });
  if (!delivered.ok && delivered.reason === "superseded") return;
  // Somebody deleted one of its messages; the others may still have Stop.
  if (!delivered.ok && delivered.reason === "gone") {
    await dropEveryButton(ports, ports.store.turn(turn.id) ?? turn);
    // The deleted answer is still the newest of the conversation, so the one before it, or the one that it replaced, loses its buttons.
    const { replaces = "" } = turn.request;
    await dropOlderButtons(channel, below.others && (ports.store.turn(replaces) ?? below.others.older));
  }
  // If Discord refused a persona's words, they are in the scene's header.
  const isAbove = ports.store.turn(turn.id)?.unheard === true;
  const ping =
    delivered.ok || isAbove
      ? await followDelivery(channel, turn, checkpoint.ending, below, isAbove || undelivered === null)
      : null;
  const isNotifiedPrivately = shouldNotifyPrivately(turn) && !isDeleted(ports.marks, turn.id);
  if (isNotifiedPrivately) (await readRefusals()).notifyAsker(ports, replies.signs, turn);
  const isOurs = changeClosing(ports.store, turn.id, (current) => {
    storeOutcome(ports, current);
    const whole = isNotifiedPrivately ? timelineText.toldAlone : timelineText.delivered;
    const detail = undelivered ? timelineText.deliveredInPart(undelivered) : whole;
    const events = withEvent(current.events, { at: edit.at, what: "delivered", detail });
    const finished: TurnRecord = { ...current, state: "finished", events, ...(ping && { ping }) };
    const isTooLate = !delivered.ok && delivered.reason === "token_expired";
    // No click brings a scene a new token.
    if (isTooLate && !current.forgotten && !current.request.scene)
      return { ...finished, ...undeliveredReply(current, edit.reply.shownUpTo()) };
    return withoutUnneeded(channel, finished, below.offered.length > 0);
  });
  rearm(channel);
  // The refusal that everybody can read is deleted once its asker has been notified privately.
  if (isOurs && undelivered === null && isRefusedAlone(turn))
    ports.keepAlive(readRefusals().then((one) => one.withdrawRefusal(ports, turn)));
  // If a first part was delivered before, this was the rest, after a click, and the trace was sent then.
  if (!turn.events.some(({ what }) => what === "delivered")) sendTrace(channel, turn.id);
}

const readRefusals = () => import("../replies/private-refusal.ts");

/** The buttons below a turn's last words. */
interface Buttons {
  /** Below the reply, and in a scene below its header. */
  offered: Offer[];
  /** The part of `offered` that is below the turn's own words. */
  own: Offer[];
  /** The other answers of the conversation; null if the turn is not an answer that Regenerate and Delete apply to. */
  others: ReturnType<typeof findOtherAnswers> | null;
}

function findButtons(store: ChannelStore, turn: TurnRecord): Buttons {
  const others = isChangeable(turn) ? findOtherAnswers(store, turn) : null;
  const offered = offeredBelow(turn, others?.isNewest !== false && !turn.forgotten);
  return { offered, own: turn.request.scene ? offered.filter(changesAnswer) : offered, others };
}

/**
 * Shows the end, with the bot's own token if the reply's has expired. Returns the result, its time, and the reply that has it; `later` while
 * Discord can't be reached to find out whether the bot's token works there.
 */
async function showEnd(
  channel: Channel,
  turn: TurnRecord,
  { ending, chars }: Extract<TurnRecord["checkpoint"], { kind: "send" }>,
  buttons: readonly Offer[],
): Promise<{ delivered: Delivered; at: number; reply: TurnReply } | "later"> {
  const { ports } = channel;
  const isSilent = ending.kind === "completed" && ending.silent;
  const text = isSilent ? "" : saidText(ports.store.messagesInTurn(turn.id)).slice(0, chars);
  const isPaused = changedTask(ports, turn)?.task.isPaused === true;
  const view = { text, ...lastView(ports.store, turn, ending, { isPaused, hasWords: text !== "" }) };
  let reply = channel.replies.of(turn);
  let delivered: Delivered = { ok: true };
  if (isEndSaid(channel, turn, ending, text)) delivered = await reply.finish(view, buttons);
  const again =
    !delivered.ok && delivered.reason === "token_expired"
      ? await (await import("./reopen.ts")).reopened(channel, turn.id)
      : null;
  if (again === "later") return again;
  if (again) {
    reply = again;
    delivered = await reply.finish(view, buttons);
  }
  return { delivered, at: ports.clock(), reply };
}

/** Does what follows once Discord has the reply: older answers give way to it, and its asker is pinged. Returns the ping. */
async function followDelivery(
  channel: Channel,
  turn: TurnRecord,
  ending: Ending,
  { others, own }: Buttons,
  isWhole: boolean,
): Promise<DeliveredPart | null> {
  const { ports } = channel;
  // An answer without words has no buttons, but may replace one that has them.
  const isAnswer = others !== null || (ending.kind === "completed" && turn.request.replaces !== undefined);
  if (isAnswer) await removeOlder(channel, turn, others?.older ?? null);
  const ping = await pingIfDue(channel, turn, isWhole);
  if (!others || own.length === 0) return ping;
  // While this turn was closing, a newer answer or a reset of the conversation left its buttons to it.
  const current = ports.store.turn(turn.id) ?? turn;
  if (current.forgotten || !isNewest(ports.store, current)) await dropButtons(ports, current);
  return ping;
}

/** Returns a finished turn without what nobody needs once it is shown, and deletes its stored rows, within the caller's transaction. */
function withoutUnneeded({ ports, replies }: Channel, finished: TurnRecord, hasButtons: boolean): TurnRecord {
  const { store } = ports;
  // A catch-up's answer contains what others said, so none of it is kept once it is shown.
  if (finished.forgotten || finished.request.catchUp) {
    if (finished.forgotten) store.forgetTurn(finished.id);
    else store.dropAnswers(finished.id);
    return withoutWords(finished);
  }
  // The buttons may have to be removed later, and only this token can do that if the bot is not a member.
  if (hasButtons) replies.keepRoute(finished);
  store.dropFiles(finished.id);
  return keptAtEnd(finished);
}

/** Pings the asker if the setting says so. Returns the message, for the write that finishes the turn. */
async function pingIfDue({ ports }: Channel, turn: TurnRecord, isShown: boolean): Promise<DeliveredPart | null> {
  if (!pingsAsker(ports.store.turn(turn.id) ?? turn, effectiveSettings(ports).ping_when_done)) return null;
  const { pingAsker } = await import("../replies/asker-ping.ts");
  return pingAsker(ports, turn.id, isShown);
}

/** Exports a turn's trace in the background, if the configuration wants it. */
export function sendTrace({ ports }: Channel, turnId: string): void {
  const { traces } = ports.config;
  if (traces)
    ports.keepAlive(import("../inspect/export-trace.ts").then((one) => one.exportTrace(ports, turnId, traces)));
}

/** Deletes the answer that this one replaces, and takes the buttons off another older one. */
async function removeOlder(channel: Channel, turn: TurnRecord, older: TurnRecord | null): Promise<void> {
  const { ports, replies } = channel;
  const { replaces } = turn.request;
  const replaced = replaces === undefined ? null : ports.store.turn(replaces);
  // If Discord shows the new answer to one person alone, everyone else keeps the old one.
  const isForSame = replaced?.request.privateTo === ports.store.turn(turn.id)?.request.privateTo;
  const reached = replaced && replies.withRoute(replaced);
  if (reached && isForSame && (await removed(ports, reached)) > 0) await dropButtons(ports, reached);
  // An answer older than the replaced one has already lost its buttons to that one.
  const isBare = (replaced?.endedAt ?? 0) > (older?.endedAt ?? 0);
  await dropOlderButtons(channel, isBare ? null : older);
}

/** Takes the buttons off an older answer. */
async function dropOlderButtons({ ports, replies }: Channel, older: TurnRecord | null): Promise<void> {
  const found = older && ports.store.turn(older.id);
  // An answer whose last edit is still on its way takes care of its own buttons, and one that waits for Continue needs that button.
  if (found?.state === "finished" && !found.undelivered) await dropButtons(ports, replies.withRoute(found));
}

/** Deletes the messages of a reply. Returns how many are left. */
const removed = async (ports: ChannelPorts, turn: TurnRecord): Promise<number> =>
  (await import("../replies/removal.ts")).removeReply(ports, turn);

/** Deletes the messages of an answer that was deleted, and informs whoever clicked of the result. */
async function finishRemoval(
  channel: Channel,
  turn: TurnRecord,
  { messageId: _message, at: _since, ...press }: NonNullable<TurnRecord["removal"]>,
): Promise<void> {
  const { ports, replies } = channel;
  const left = await removed(ports, replies.withRoute(turn));
  const isOurs = changeClosing(ports.store, turn.id, ({ removal: _done, ...rest }) => ({
    ...withoutWords(rest),
    state: "finished",
  }));
  rearm(channel);
  const { guildId, privateTo } = turn.request;
  if (isOurs) ports.keepAlive(tellPrivately(ports, press, deletedText(left, guildId !== null && !privateTo)));
}

/** Stores how much of the answer each message shows, for a life that later delivers the rest. */
function undeliveredReply({ parts }: TurnRecord, shownUpTo: number[]): Pick<TurnRecord, "undelivered" | "parts"> {
  return { undelivered: true, parts: parts.map((part, index) => ({ ...part, endsAt: shownUpTo[index] ?? 0 })) };
}
