// The life of a turn inside the object: claimed with the lock, run detached, ended with the lock's release and the start of
// the next one. Each change of state is one transaction that also sets the alarm, so unfinished work always has one.
import { followUpsAfter, nextToStart } from "../src/core/admission.ts";
import { emptyCalendar, nextWake } from "../src/core/agenda.ts";
import type { Ending } from "../src/core/failure.ts";
import { endingNotice, say } from "../src/core/outcome.ts";
import { type TurnRecord, withEvent } from "../src/core/record.ts";
import { recover, takenOver } from "../src/core/recovery.ts";
import { createToolRuntime } from "../src/toolkit/runtime.ts";
import { finalOfStop, finishTurn, runGenerationTurn, statusOf, type TurnResult } from "../src/turn/generation-turn.ts";
import type { Reply, ReplyView, TurnAbort } from "../src/turn/ports.ts";
import type { TurnParams } from "../src/turn/turn-params.ts";
import type { Channel } from "./parts.ts";
import { createTurnStore, heldTurn, saidText } from "./turn-store.ts";
import { TurnTimers } from "./turn-timers.ts";

/** Sets the alarm to the channel's next deadline. Call it in the tick of every write that changes what is planned. */
export function rearm({ parts }: Channel): void {
  parts.alarm.arm(nextWake(parts.store.state(), emptyCalendar, parts.clock()));
}

/** Gives a turn the lock, within the caller's transaction. Its question joins the transcript here, not while it waits. */
export function claim({ parts }: Channel, turn: TurnRecord): TurnRecord {
  const { store, clock, config, instance } = parts;
  const now = clock();
  const lock = store.lock();
  const { userId, userName, text } = turn.trigger;
  const epoch = lock.epoch + 1;
  const deadlineAt = now + config.turnDeadlineMs;
  const followUps = lock.followUps?.userId === userId ? lock.followUps : null;
  store.saveLock({ turnId: turn.id, instance, epoch, startedAt: now, deadlineAt, followUps });
  const events = withEvent(turn.events, { at: now, what: "started" });
  const running: TurnRecord = { ...turn, state: "running", instance, epoch, startedAt: now, deadlineAt, events };
  store.addMessage({ turnId: turn.id, role: "user", text: `${userName}: ${text}`, calls: [] });
  return running;
}

/** Runs a claimed turn detached. `decided`: only its ending is still to be shown. */
export function launch(
  channel: Channel,
  turn: TurnRecord,
  options: { resumed?: boolean; decided?: Ending } = {},
): void {
  const { parts, replies } = channel;
  const fence = { turnId: turn.id, instance: parts.instance, epoch: turn.epoch };
  const controller = new AbortController();
  const timers = new TurnTimers(parts.clock, parts.timers);
  const { reply, addStandingLine } = withStandingLines(replies.of(turn));
  channel.live = { turnId: turn.id, epoch: turn.epoch, controller, timers, addStandingLine };
  if (options.resumed) addStandingLine(say.resumed);
  const store = createTurnStore(parts.store, fence, parts.clock);
  const work = async () => {
    // The receipt goes out first: the person's acknowledgement never waits for a prompt to be built.
    await new Promise<void>((resolve) => parts.timers.after(0, resolve));
    const result = options.decided
      ? await finishTurn({ store, reply }, options.decided, saidText(parts.store.messagesOf(turn.id)))
      : await runGenerationTurn(paramsOf(channel, turn, { store, reply, timers, signal: controller.signal }));
    endTurn(channel, turn, result);
  };
  parts.keepAlive(work());
}

type PerTurn = Pick<TurnParams, "store" | "reply" | "timers" | "signal">;

function paramsOf(channel: Channel, turn: TurnRecord, perTurn: PerTurn): TurnParams {
  const { parts } = channel;
  return {
    ...perTurn,
    turnId: turn.id,
    trigger: turn.trigger,
    systemPrompt: parts.config.systemPrompt,
    model: parts.model,
    registry: parts.registry,
    runtime: createToolRuntime(parts.registry, perTurn.timers),
    limits: parts.config,
    clock: parts.clock,
    random: parts.random,
    log: parts.log,
    onDue: () => warnIfSlow(channel),
  };
}

/** Stores the end, frees the lock and starts who is next. Nothing happens when another life owns the turn by now. */
function endTurn(channel: Channel, turn: TurnRecord, result: TurnResult): void {
  const { parts, replies } = channel;
  const { store, clock } = parts;
  if (channel.live?.turnId === turn.id && channel.live.epoch === turn.epoch) channel.live = null;
  replies.drop(turn.id);
  const { status } = result;
  if (status === null) return;
  const next = store.transaction(() => {
    const held = heldTurn(store, { turnId: turn.id, instance: parts.instance, epoch: turn.epoch });
    if (!held) return null;
    const now = clock();
    const events = withEvent(held.events, { at: now, what: "ended", detail: result.ending.kind });
    store.saveTurn({ ...held, state: "finished", status, endedAt: now, currentToolCall: null, events });
    const followUps = followUpsAfter(store.lock(), turn.trigger.userId, status);
    const lock = { ...store.lock(), turnId: null, instance: null, startedAt: null, deadlineAt: null, followUps };
    const waiting = nextToStart({ ...store.state(), lock, running: null });
    if (!waiting) {
      store.saveLock(lock);
      return null;
    }
    store.saveLock(lock);
    const claimed = claim(channel, waiting);
    store.saveTurn(claimed);
    return claimed;
  });
  rearm(channel);
  parts.log.info("turn ended", { turnId: turn.id, status, delivered: result.delivered.ok });
  if (next) launch(channel, next);
  replies.showPlaces(store.state());
}

/** Takes over a turn that an earlier life left behind: the attempt is counted before anything is done. */
export function takeOver(channel: Channel): void {
  const { parts } = channel;
  const { store, instance, clock } = parts;
  channel.live?.controller.abort({ kind: "superseded" } satisfies TurnAbort);
  const turn = store.transaction(() => {
    const { lock, running } = store.state();
    if (!running) return null;
    const epoch = lock.epoch + 1;
    store.saveLock({ ...lock, instance, epoch });
    const events = withEvent(running.events, { at: clock(), what: "resumed", detail: running.step.kind });
    const taken = { ...takenOver(running, instance, epoch), events };
    store.saveTurn(taken);
    return taken;
  });
  if (!turn) return;
  channel.replies.drop(turn.id);
  parts.log.warn("took over a turn", { turnId: turn.id, step: turn.step.kind, attempt: turn.attempt });
  const decided = decidedEnding(turn, clock());
  launch(channel, turn, decided ? { decided } : { resumed: true });
}

/** How a taken-over turn ends without another model call, or null when it goes on. */
function decidedEnding(turn: TurnRecord, now: number): Ending | null {
  if (turn.step.kind === "send") return turn.step.ending;
  const recovery = recover(turn, now);
  if (recovery.kind === "resume") return null;
  if (recovery.as === "stopped" && turn.stop) return finalOfStop(turn.stop, "", "").ending;
  return { kind: recovery.as === "deadline" ? "turn_deadline" : "interrupted" };
}

/** Ends a turn that never ran, within the caller's transaction; its reply is settled by `settle`. */
export function close({ parts }: Channel, turn: TurnRecord, ending: Ending): TurnRecord {
  const closing: TurnRecord = { ...turn, state: "closing", step: { kind: "send", ending }, status: statusOf(ending) };
  parts.store.saveTurn(closing);
  return closing;
}

/** Tells the person that their waiting turn ended. May run again after a crash: it edits, it never posts anew. */
export async function settle(channel: Channel, turn: TurnRecord): Promise<void> {
  const { parts, replies } = channel;
  if (turn.step.kind !== "send") return;
  await replies.of(turn).finish({ text: "", line: endingNotice(turn.step.ending) });
  replies.drop(turn.id);
  parts.store.transaction(() => {
    const held = parts.store.turn(turn.id);
    if (held?.state === "closing") parts.store.saveTurn({ ...held, state: "finished", endedAt: parts.clock() });
  });
  rearm(channel);
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

/** A reply whose views carry some lines more, until the last one. */
function withStandingLines(reply: Reply): { reply: Reply; addStandingLine: (line: string) => void } {
  const standing: string[] = [];
  let last: ReplyView = { text: "", line: null };
  const show = (view: ReplyView) => {
    last = view;
    const lines = [...standing, ...(view.line === null ? [] : [view.line])];
    reply.show({ ...view, line: lines.length > 0 ? lines.join("\n") : null });
  };
  return {
    reply: {
      show,
      finish: (view) => reply.finish(view),
      postedText: () => reply.postedText(),
      abandon: () => reply.abandon(),
    },
    addStandingLine: (line) => {
      standing.push(line);
      show(last);
    },
  };
}
