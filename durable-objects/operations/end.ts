// Ends or parks a turn: one transaction stores the end, frees the lock and gives it to the next turn. The reply's final
// edit follows separately.
import type { ChannelStore } from "../../src/channel/store.ts";
import { followUpsAfter } from "../../src/core/decisions/admission.ts";
import { withTokens } from "../../src/core/decisions/budget.ts";
import { withoutAnswer } from "../../src/core/decisions/forgotten.ts";
import { cutCall, withCutCall } from "../../src/core/decisions/recovery.ts";
import { withStep } from "../../src/core/money/usage.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { Lock, StopFlag, TurnRecord } from "../../src/core/state/record.ts";
import { type TurnEvent, withEvent } from "../../src/core/state/turn-events.ts";
import { type EndedTurn, endedWith, statusFrom } from "../../src/turn/build-result.ts";
import { finalOfStop, type ParkedTurn, type TurnResult } from "../../src/turn/generation-turn.ts";
import { describeAnswer } from "../../src/turn/timeline.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { noteUsage, sendReports } from "../scope-calls/usage-reports.ts";
import { withNearBudget } from "../settings/budgets.ts";
import { retainExposure } from "../settings/deliberate.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { RowTooLarge } from "../store/row-size.ts";
import { closed } from "../turn/closing.ts";
import { keepAnswerFiles } from "../turn/kept-files.ts";
import { heldTurn } from "../turn/turn-fence.ts";
import { saidText, unstoredText } from "../turn/turn-texts.ts";
import { planCompaction } from "../upkeep/compaction-plan.ts";
import { planHousekeeping } from "../upkeep/housekeeping.ts";
import { claimNext } from "./claim.ts";
import { finishReplies, finishReply } from "./finish-reply.ts";
import { showRequest, storeParked } from "./parking.ts";

/**
 * Stores the end, frees the lock and gives it to the next turn. Returns that turn, for the caller to launch. Changes nothing that is
 * stored if another life owns the turn by now. `unwritten` are the timeline entries that are not stored yet.
 */
export function endTurn(
  channel: Channel,
  turn: TurnRecord,
  result: TurnResult,
  unwritten: readonly TurnEvent[] = [],
): TurnRecord | null {
  const { ports, replies } = channel;
  if (channel.live?.turnId === turn.id && channel.live.epoch === turn.epoch) channel.live = null;
  if (result.kind === "superseded") return null;
  const stored = storeWithin(channel, turn, result, unwritten);
  if (!stored) return null;
  const { released, next } = stored;
  rearm(channel);
  const { checkpoint, startedAt, status, events } = released;
  ports.log.info("turn released the lock", {
    turnId: turn.id,
    state: released.state,
    status,
    ...(checkpoint.kind === "send" && { ending: checkpoint.ending.kind }),
    ...(startedAt !== null && { ms: ports.clock() - startedAt }),
  });
  if (checkpoint.kind === "send" && FAILED.has(checkpoint.ending.kind))
    ports.log.error("a turn failed", { turnId: turn.id, ending: checkpoint.ending });
  if (status !== "completed" || events.some(({ call }) => call?.reason !== undefined))
    ports.keepAlive(import("../scope-calls/tell-owners.ts").then(({ tellOwners }) => tellOwners(channel, released)));
  if (released.state === "parked") showRequest(channel, released);
  if (result.kind === "ended") ports.keepAlive(thinkAloud(channel, released, result));
  finishReplies(channel);
  sendReports(channel);
  replies.showQueuePositions(ports.store.state());
  return next;
}

/** Stores the end in one transaction. An end too large for a row is stored as a crash, so that the lock is freed all the same. */
function storeWithin(
  channel: Channel,
  turn: TurnRecord,
  result: EndedTurn | ParkedTurn,
  unwritten: readonly TurnEvent[],
): ReturnType<typeof storeResult> {
  const { store, log } = channel.ports;
  try {
    return store.transaction(() => storeResult(channel, turn, result, unwritten));
  } catch (error) {
    if (!(error instanceof RowTooLarge)) throw error;
    log.error("the end of a turn was too large to store", { turnId: turn.id, error: error.message });
    const crashed = endedWith({ kind: "crashed" }, saidText(store.messagesInTurn(turn.id)));
    return store.transaction(() => storeResult(channel, turn, crashed, []));
  }
}

/** Endings that someone should look into. */
const FAILED: ReadonlySet<Ending["kind"]> = new Set([
  "model_failed",
  "model_silent",
  "turn_deadline",
  "tool_errors",
  "call_loop",
  "empty",
  "interrupted",
  "crashed",
]);

/** Posts the thoughts to their channel, if there is one. Waits until Discord has the answer: only then is it known whether others may see it. */
async function thinkAloud(channel: Channel, turn: TurnRecord, result: EndedTurn): Promise<void> {
  await finishReply(channel, turn);
  const { ports } = channel;
  if (effectiveSettings(ports).thought_log_channel === null) return;
  const { postThoughts } = await import("./thought-log.ts");
  await postThoughts(channel, ports.store.turn(turn.id) ?? turn, result);
}

/** Returns the turn that gave up the lock and the one that got it; null if another life owns the turn by now. */
function storeResult(
  channel: Channel,
  turn: TurnRecord,
  result: EndedTurn | ParkedTurn,
  unwritten: readonly TurnEvent[],
): { released: TurnRecord; next: TurnRecord | null } | null {
  const { store, instance, clock } = channel.ports;
  const held = heldTurn(store, { turnId: turn.id, instance, epoch: turn.epoch });
  if (!held) return null;
  // The crash may have come between a model's answer and the write that counts it.
  const isCrash = result.kind === "ended" && result.ending.kind === "crashed";
  const running = isCrash ? withCutCall(held) : held;
  const cut = isCrash ? unlistedCutCall(held, unwritten, clock()) : {};
  const retained = retainExposure(channel.ports, { turn: running, lock: store.lock() });
  const atEnd = { ...retained.turn, events: unwritten.reduce(withEvent, running.events) };
  // A stop that arrived just before parking wins.
  const outcome = result.kind === "parked" && running.stop ? stoppedResult(store, running, running.stop) : result;
  const { released, lock } =
    outcome.kind === "ended"
      ? storeEnd(channel, atEnd, outcome, cut)
      : { released: storeParked(channel, atEnd, outcome), lock: {} };
  store.saveLock({ ...retained.lock, turnId: null, instance: null, startedAt: null, deadlineAt: null, ...lock });
  return { released, next: claimNext(channel) };
}

/** Returns the call that the crash cut off, unless the call had already failed: then an entry has it. */
function unlistedCutCall(held: TurnRecord, unwritten: readonly TurnEvent[], now: number): Pick<TurnEvent, "call"> {
  const cut = cutCall(held, now);
  return unwritten.some(({ call }) => call && call.at === cut.call?.at) ? {} : cut;
}

function stoppedResult(store: ChannelStore, { id, thoughts }: TurnRecord, flag: StopFlag): EndedTurn {
  const said = saidText(store.messagesInTurn(id));
  const { ending, text } = finalOfStop(flag, said, said);
  return endedWith(ending, text, thoughts);
}

/** Stores the ended turn and returns how its end changes the lock. `cut` is the model call that was cut off, if no entry has it. */
function storeEnd(
  channel: Channel,
  running: TurnRecord,
  { ending: given, text, answer, unstoredUsage, thoughtLog }: EndedTurn,
  cut: Pick<TurnEvent, "call">,
): { released: TurnRecord; lock: Partial<Lock> } {
  const { ports } = channel;
  const { store, clock } = ports;
  keepAnswerFiles(store, running.id, answer?.files);
  const ending = withPictures(store, running.id, given);
  const unstored = unstoredText(text, saidText(store.messagesInTurn(running.id)));
  const { details = "", native = null, call } = answer ?? {};
  const isStored = unstored.trim() !== "" || answer?.files !== undefined;
  // The answer to a /catch-up is deleted as soon as it is shown, so its call is kept in the timeline.
  const isNoted = !isStored || running.request.catchUp !== undefined;
  if (isStored)
    store.addMessage({
      turnId: running.id,
      role: "assistant",
      text: unstored,
      details,
      calls: [],
      native,
      ...(call && !isNoted && { call }),
    });
  const now = clock();
  const answered: TurnEvent[] = answer
    ? [{ at: now, what: "model", detail: describeAnswer(answer), ...(call && isNoted && { call }) }]
    : [];
  const news = [...answered, { at: now, what: "ended", detail: ending.kind, ...cut }];
  const events = news.reduce(withEvent, running.events);
  const isCounted = !answer && !unstoredUsage;
  const usage = isCounted ? running.usage : withStep(running.usage, answer?.usage ?? unstoredUsage);
  const ended = { ...running, events, usage, currentToolCall: null, ...(thoughtLog && { thoughts: thoughtLog }) };
  const lock = store.lock();
  const dayUsage = lock.usage && withTokens(lock.usage, ended);
  const released = closed(ended, withNearBudget(ports, dayUsage, ended, ending), text.length, now);
  store.saveTurn(released);
  settleReplaced(store, released, ending);
  noteUsage(channel, released);
  const followUps = followUpsAfter(lock, running.request.userId, statusFrom(ending));
  const housekeepingAt = planHousekeeping(store, now);
  const compaction = planCompaction(ports, running.request, lock.compaction);
  return { released, lock: { followUps, housekeepingAt, ...compaction, ...(dayUsage && { usage: dayUsage }) } };
}

/** A picture that a tool drew is an answer, even without words, as one that the model drew. */
function withPictures(store: ChannelStore, turnId: string, given: Ending): Ending {
  if (given.kind !== "completed" || !given.wordless || store.fileNotes(turnId).every((one) => one.leftOut))
    return given;
  const { wordless: _none, ...ending } = given;
  return ending;
}

/**
 * Replaces the old answer in the conversation with the new one. Without a new answer the old one stays as it is; it also stays if Discord
 * shows the new one to one person alone.
 */
function settleReplaced(store: ChannelStore, { request: { replaces, privateTo } }: TurnRecord, { kind }: Ending): void {
  const replaced = replaces === undefined || kind !== "completed" ? null : store.turn(replaces);
  if (replaced?.state !== "finished" || replaced.request.privateTo !== privateTo) return;
  store.forgetTurn(replaced.id);
  store.saveTurn({ ...withoutAnswer(replaced), askedAgain: true });
}
