// Takes over a turn that an earlier life of the object left behind.

import { timelineText } from "../../src/core/copy/timeline.ts";
import { cutCall, recover, takenOver, withCutCall, withCutSounds } from "../../src/core/decisions/recovery.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import type { Checkpoint, TurnRecord } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import { nameMentions } from "../../src/core/transcript/names.ts";
import { endedWith } from "../../src/turn/build-result.ts";
import { finalOfStop } from "../../src/turn/generation-turn.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { readBack } from "../replies/posted-reply.ts";
import { knownPeople, mentionNames } from "../turn/known-people.ts";
import { saidText } from "../turn/turn-texts.ts";
import { endTurn } from "./end.ts";
import { finishReplies } from "./finish-reply.ts";
import { launch } from "./launch.ts";

/** Takes over the running turn: first stores the new owner and the takeover, then resumes the turn or ends it. */
export function takeOver(channel: Channel): void {
  const { ports, replies } = channel;
  const { store, instance, clock, log } = ports;
  const turn = seize(channel, (running, epoch) => {
    const at = clock();
    const detail = stepText(running.checkpoint);
    const events = withEvent(running.events, { at, what: "resumed", detail, ...cutCall(running, at) });
    const answers = store.messagesInTurn(running.id).filter(({ role }) => role === "assistant");
    const progress = answers.length + store.settledCalls(running.id);
    return { ...takenOver(running, instance, epoch, progress), events };
  });
  if (!turn) return;
  // A speaker of a scene waits for the last words of the previous one, so this life must already be sending those.
  finishReplies(channel);
  replies.abandon(turn.id);
  // The earlier life may have ended before the sign of waiting was removed from the question.
  if (turn.waited) replies.signs.stopWaiting(turn.request);
  showAgain(channel);
  log.warn("took over a turn", { turnId: turn.id, step: turn.events.at(-1)?.detail, takeovers: turn.takeovers });
  const ending = decidedEnding(turn, clock());
  if (ending) {
    // Marks the turn as running, so that the next heartbeat doesn't take it over again.
    const { id: turnId, epoch } = turn;
    channel.live = { turnId, epoch, controller: new AbortController(), addStatusLine: null };
    ports.keepAlive(finish(channel, turn, ending));
  } else launch(channel, turn, true);
}

/**
 * Ends a turn that still runs in this life although its deadline passed seconds ago: takes the lock away from its run and stores its end. From
 * then on that run changes nothing and sends nothing.
 */
export function takeAway(channel: Channel): void {
  const { ports, replies } = channel;
  const { store, instance, clock, log } = ports;
  const turn = seize(channel, (running, epoch) => {
    const at = clock();
    const detail = running.phase;
    const events = withEvent(running.events, { at, what: "taken away", detail, ...cutCall(running, at) });
    return { ...running, instance, epoch, events };
  });
  if (!turn) return;
  const { phase, currentToolCall } = turn;
  log.error("took away a turn that did not end", { turnId: turn.id, phase, tool: currentToolCall?.name });
  const stored = saidText(store.messagesInTurn(turn.id));
  const posted = replies.of(turn).postedText();
  replies.abandon(turn.id);
  const text = posted.startsWith(stored) ? posted : stored;
  const ending: Ending = turn.stop ? finalOfStop(turn.stop, text, posted).ending : { kind: "turn_deadline" };
  const next = endTurn(channel, turn, endedWith(ending, text, turn.thoughts));
  if (next) launch(channel, next);
}

/**
 * Aborts whoever runs the turn and makes this life its owner, under the next epoch: from here on nobody else's write counts. Stores
 * the turn as `taken` returns it, and counts the model call or the listening that was cut off. Returns null when no turn runs.
 */
function seize(channel: Channel, taken: (running: TurnRecord, epoch: number) => TurnRecord): TurnRecord | null {
  const { store, instance, clock, config } = channel.ports;
  channel.live?.controller.abort({ kind: "superseded" } satisfies TurnAbort);
  channel.live = null;
  return store.transaction(() => {
    const { lock, running } = store.state();
    if (!running) return null;
    const epoch = lock.epoch + 1;
    const turn = withCutCall(withCutSounds(taken(running, epoch), config.transcribeModel?.unitPrice ?? 0));
    store.saveLock({ ...lock, instance, epoch, startedAt: clock() });
    store.saveTurn(turn);
    return turn;
  });
}

const stepText = (step: Checkpoint): string =>
  step.kind === "model" && step.ifCut ? timelineText.modelCut(step.ifCut) : step.kind;

/** Returns how a taken-over turn ends without another model call, or null if it continues. */
function decidedEnding(turn: TurnRecord, now: number): Ending | null {
  const recovery = recover(turn, now);
  if (recovery.kind === "resume") return null;
  if (recovery.as === "stopped" && turn.stop) return finalOfStop(turn.stop, "", "").ending;
  return { kind: recovery.as === "deadline" ? "turn_deadline" : "interrupted" };
}

/** Shows again what the earlier life may not have shown: a request for a click, places in the queue. Replies that show it already stay. */
function showAgain({ ports, replies }: Channel): void {
  const state = ports.store.state();
  const { running, queue } = state;
  for (const turn of running ? [running, ...queue] : queue)
    if (turn.renewal === "asked") replies.of(turn).show({ text: "", line: null });
  replies.showQueuePositions(state, true);
}

/** Ends the turn. Text that was streamed but not stored exists only in Discord, so it is read back: the last edit must not erase it. */
async function finish(channel: Channel, turn: TurnRecord, ending: Ending): Promise<void> {
  const stored = saidText(channel.ports.store.messagesInTurn(turn.id));
  const posted = await readBack(channel.ports, turn);
  const text = posted === null ? stored : (continued(channel, turn, stored, posted) ?? stored);
  const next = endTurn(channel, turn, endedWith(ending, text, turn.thoughts));
  if (next) launch(channel, next);
}

/** Anything but white space and ASCII punctuation, which Markdown is written with. */
const LETTER = /[^\s!-/:-@[-`{-~]/g;

/**
 * Returns the stored words and what Discord shows after them; null if Discord does not show the stored words. Mentions in Discord were names
 * when they were written, and tables and long lines are not shown as they were written: only their letters are the same.
 */
function continued({ ports }: Channel, turn: TurnRecord, stored: string, posted: string): string | null {
  const names = mentionNames(knownPeople(ports.store, turn.id));
  const [before, all] = [nameMentions(stored, names), nameMentions(posted, names)];
  if (all.startsWith(before)) return stored + all.slice(before.length);
  let end = 0;
  for (const [letter] of before.matchAll(LETTER)) {
    end = all.indexOf(letter, end) + 1;
    if (end === 0) return null;
  }
  const next = all.indexOf("\n\n", end);
  return next < 0 ? null : stored + all.slice(next);
}
