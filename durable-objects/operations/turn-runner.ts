// Starts a turn inside the object and ends it. Each change of state is one transaction that also sets the alarm, so
// unfinished work always has one. The lock is free as soon as the ending is stored; the last words follow by themselves.
import type { ChannelStore } from "../../src/channel/store.ts";
import { listSecrets } from "../../src/config.ts";
import { reminderLine, say } from "../../src/core/copy/outcome.ts";
import { KEPT_MESSAGES, KEPT_TURNS, PRUNING_DELAY_MS, PRUNING_SLACK } from "../../src/core/limits.ts";
import { followUpsAfter, nextToStart } from "../../src/core/state/admission.ts";
import { withTokens, withTurn } from "../../src/core/state/budget.ts";
import { isAskedFor, type Lock, type StopFlag, type TurnRecord } from "../../src/core/state/record.ts";
import { personaPrompt } from "../../src/core/state/scene.ts";
import { type TurnEvent, withEvent } from "../../src/core/state/turn-events.ts";
import { withNotes } from "../../src/core/transcript/notes.ts";
import type { ToolRegistry } from "../../src/toolkit/define/registry.ts";
import { createToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { buildResult, statusFrom } from "../../src/turn/build-result.ts";
import { deliberateGate } from "../../src/turn/deliberate-gate.ts";
import { finalOfStop, runGenerationTurn, type TurnResult } from "../../src/turn/generation-turn.ts";
import { describeAnswer } from "../../src/turn/timeline.ts";
import type { TurnParams } from "../../src/turn/turn-params.ts";
import type { Channel } from "../parts.ts";
import { withStandingLines } from "../replies/status-lines.ts";
import { rearm } from "../schedule/alarm.ts";
import { spentBeforeCall, spentBeforeStart, withNearBudget } from "../settings/budgets.ts";
import { retainExposure, startExposure } from "../settings/deliberate.ts";
import { modelsHere, settingsHere } from "../settings/settings-here.ts";
import {
  buildQuestion,
  closed,
  createTurnStore,
  heldTurn,
  saidText,
  unstoredText,
  withUsage,
} from "../turn/turn-store.ts";
import { showRequest, storeParked } from "./parking.ts";
import { settle, settleAll } from "./settle.ts";
import { postThoughts } from "./thought-log.ts";
import { createToolServices, readAvailability } from "./tool-services.ts";

/** Gives a turn the lock, within the caller's transaction. Its question joins the transcript here, not while it waits. */
export function claim({ parts }: Channel, turn: TurnRecord): TurnRecord {
  const { store, clock, config, instance } = parts;
  const now = clock();
  const lock = store.lock();
  const { userId } = turn.trigger;
  const epoch = lock.epoch + 1;
  // What was parked goes on: its question stands in the transcript, and its time stood still.
  const goesOn = turn.startedAt !== null;
  const deadlineAt = now + (turn.approval?.leftMs ?? config.turnDeadlineMs);
  const followUps = lock.followUps?.userId === userId ? lock.followUps : null;
  const usage = goesOn ? lock.usage : withTurn(lock.usage, userId, now);
  const started = startExposure(parts, { turn, lock });
  const held = { turnId: turn.id, instance, epoch, startedAt: now, deadlineAt, followUps };
  store.saveLock({ ...started.lock, ...held, ...(usage && { usage }) });
  const events = withEvent(turn.events, { at: now, what: goesOn ? "went on" : "started" });
  if (!goesOn) store.addMessage(buildQuestion(turn, turn.id));
  return { ...started.turn, state: "running", instance, epoch, startedAt: turn.startedAt ?? now, deadlineAt, events };
}

/**
 * Claims the head of the queue when nothing runs, within the caller's transaction. A head whose budget was spent while it waited is
 * closed instead, and the caller lets the closing ones have their last words. What was parked has begun, and goes on.
 */
export function claimNext(channel: Channel): TurnRecord | null {
  const { store } = channel.parts;
  for (let head = nextToStart(store.state()); head; head = nextToStart(store.state())) {
    const goesOn = head.startedAt !== null;
    const spent = goesOn ? null : spentBeforeStart(channel.parts, head);
    if (!spent) {
      const claimed = claim(channel, goesOn ? head : { ...head, waited: true });
      store.saveTurn(claimed);
      return claimed;
    }
    store.saveTurn(closed(head, { kind: "budget_spent", ...spent }, 0));
  }
  return null;
}

/** Starts whoever is next, when nothing runs. */
export function startNext(channel: Channel): void {
  const turn = channel.parts.store.transaction(() => claimNext(channel));
  settleAll(channel);
  if (turn) launch(channel, turn);
}

/** Runs a claimed turn detached. */
export function launch(channel: Channel, turn: TurnRecord, resumed = false): void {
  const { parts, replies } = channel;
  const controller = new AbortController();
  const { reply, addStandingLine } = withStandingLines(replies.of(turn), settingsHere(parts).notices);
  channel.live = { turnId: turn.id, epoch: turn.epoch, controller, addStandingLine };
  const { reminder, userId } = turn.trigger;
  if (reminder) addStandingLine(reminderLine(reminder, userId));
  if (resumed && isAskedFor(turn)) addStandingLine(say.resumed);
  if (turn.warnedAt !== null) addStandingLine(say.stillWorking);
  const work = async () => {
    // Whoever called gives the receipt first; what a turn sends waits for its transaction in any case (output gate).
    await Promise.resolve();
    const { signal } = controller;
    const registry = await parts.turnRegistry(signal);
    const store = openTurnStore(channel, turn);
    const result = await runGenerationTurn(buildTurnParams(channel, turn, registry, { store, reply, signal }));
    endTurn(channel, turn, result, store.unwritten());
  };
  parts.keepAlive(work());
}

function openTurnStore(channel: Channel, { id: turnId, epoch }: TurnRecord) {
  const { store, instance, clock } = channel.parts;
  return createTurnStore(store, { turnId, instance, epoch }, clock, (closing) => settle(channel, closing));
}

function buildTurnParams(
  channel: Channel,
  turn: TurnRecord,
  registry: ToolRegistry,
  { store, reply, signal }: Pick<TurnParams, "store" | "reply" | "signal">,
): TurnParams {
  const { parts } = channel;
  const { config, stash, clock, timers, random, log } = parts;
  const runtime = createToolRuntime(registry, {
    after: (ms, callback) => timers.after(ms, callback),
    clock,
    random,
    cache: parts.cache,
    ledger: store.ledger,
    approvals: store.approvals,
    secrets: listSecrets(config),
    services: createToolServices(channel, turn),
    availability: readAvailability(channel, turn),
  });
  return {
    turnId: turn.id,
    trigger: turn.trigger,
    systemPrompt: `${withNotes(settingsHere(parts).system_prompt ?? config.systemPrompt, parts.notes.read())}${personaPrompt(turn.trigger)}`,
    models: modelsHere(parts),
    store,
    reply,
    runtime,
    gate: deliberateGate(turn.exposure, () => runtime.schemas().map(({ name }) => name)),
    stash,
    attachments: parts.attachments,
    shouldSurfaceUserErrors: isAskedFor(turn) && turn.trigger.impersonatedUserId === undefined,
    limits: config,
    signal,
    clock,
    timers,
    random,
    log,
    spentBudget: () => spentBeforeCall(parts, turn),
    onDue: () => warnIfSlow(channel),
  };
}

/**
 * Stores the end, frees the lock and starts who is next. Nothing happens when another life owns the turn by now. `unwritten` are
 * the lines of the timeline that no write has carried yet.
 */
export function endTurn(
  channel: Channel,
  turn: TurnRecord,
  result: TurnResult,
  unwritten: readonly TurnEvent[] = [],
): void {
  const { parts, replies } = channel;
  if (channel.live?.turnId === turn.id && channel.live.epoch === turn.epoch) channel.live = null;
  if (result.kind === "superseded") return;
  const stored = parts.store.transaction(() => storeResult(channel, turn, result, unwritten));
  if (!stored) return;
  const { over, next } = stored;
  rearm(channel);
  parts.log.info("turn left the lock", { turnId: turn.id, state: over.state, status: over.status });
  if (over.state === "parked") showRequest(channel, over);
  if (result.kind === "ended") postThoughts(channel, over, result);
  settleAll(channel);
  if (next) launch(channel, next);
  replies.showPlaces(parts.store.state());
}

/** The turn as it leaves the lock, and the one that takes it; null when another life owns the turn by now. */
function storeResult(
  channel: Channel,
  turn: TurnRecord,
  result: Ended | Parked,
  unwritten: readonly TurnEvent[],
): { over: TurnRecord; next: TurnRecord | null } | null {
  const { store, instance } = channel.parts;
  const held = heldTurn(store, { turnId: turn.id, instance, epoch: turn.epoch });
  if (!held) return null;
  const retained = retainExposure(channel.parts, { turn: held, lock: store.lock() });
  const turnAtEnd = { ...retained.turn, events: unwritten.reduce(withEvent, held.events) };
  // A stop that came while the turn was about to be parked beats the wait.
  const told = result.kind === "parked" && held.stop ? stoppedResult(store, held, held.stop) : result;
  const { over, lock } =
    told.kind === "ended"
      ? storeEnd(channel, turnAtEnd, told)
      : { over: storeParked(channel, turnAtEnd, told), lock: {} };
  store.saveLock({ ...retained.lock, turnId: null, instance: null, startedAt: null, deadlineAt: null, ...lock });
  return { over, next: claimNext(channel) };
}

type Ended = Extract<TurnResult, { kind: "ended" }>;
type Parked = Extract<TurnResult, { kind: "parked" }>;

function stoppedResult(store: ChannelStore, { id }: TurnRecord, flag: StopFlag): Ended {
  const said = saidText(store.messagesInTurn(id));
  const { ending, text } = finalOfStop(flag, said, said);
  return { kind: "ended", ...buildResult(ending, { text }, null) };
}

/** The ended turn, and what its end changes in the lock. */
function storeEnd(
  { parts }: Channel,
  held: TurnRecord,
  { ending, text, answer }: Ended,
): { over: TurnRecord; lock: Partial<Lock> } {
  const { store, clock } = parts;
  const unstored = unstoredText(text, saidText(store.messagesInTurn(held.id)));
  const { details = "", native = null } = answer ?? {};
  if (unstored.trim() !== "")
    store.addMessage({ turnId: held.id, role: "assistant", text: unstored, details, calls: [], native });
  const now = clock();
  const answered: TurnEvent[] = answer ? [{ at: now, what: "model", detail: describeAnswer(answer) }] : [];
  const news = [...answered, { at: now, what: "ended", detail: ending.kind }];
  const events = news.reduce(withEvent, held.events);
  const usage = answer ? withUsage(held.usage, answer.usage) : held.usage;
  const told = { ...held, events, usage, endedAt: now, currentToolCall: null };
  const lock = store.lock();
  const dayUsage = lock.usage && withTokens(lock.usage, told);
  const over = closed(told, withNearBudget(parts, dayUsage, told, ending), text.length);
  store.saveTurn(over);
  const followUps = followUpsAfter(lock, held.trigger.userId, statusFrom(ending));
  const sizes = store.sizes();
  const isFull = sizes.turns > KEPT_TURNS + PRUNING_SLACK || sizes.messages > KEPT_MESSAGES + PRUNING_SLACK;
  const housekeepingAt = lock.housekeepingAt ?? (isFull ? now + PRUNING_DELAY_MS : null);
  return { over, lock: { followUps, housekeepingAt, ...(dayUsage && { usage: dayUsage }) } };
}

/** Posts the soft warning once: the mark is written before anybody can read the line. */
export function warnIfSlow(channel: Channel): void {
  const { store, clock } = channel.parts;
  const due = store.transaction(() => {
    const { running } = store.state();
    if (!running || running.softWarnAt === null || running.warnedAt !== null) return false;
    store.saveTurn({ ...running, warnedAt: clock() });
    return true;
  });
  if (due) channel.live?.addStandingLine(say.stillWorking);
}
