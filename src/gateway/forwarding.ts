// Forwards events to their channels, each at least once. An event that its channel doesn't accept goes to the outbox. Until then only Discord
// could replay it, so the number that is stored as received stays below the event's own. Events about one message go one after the
// other, all others at the same time.

import type { AnswerTo } from "../core/state/answer-to.ts";
import { channelOf, type ForwardedEvent, guildOf, keyOf, messageOf } from "./forwarded-event.ts";
import type { Forward } from "./gateway-state.ts";
import { type RememberedQuestion, rememberChannel, rememberQuestion } from "./recollection.ts";
import { act, log, type Step, setLive } from "./step.ts";
import { FORWARD_LIMIT_MS, FORWARD_PATIENCE_MS, MAX_RETRY_MS, QUESTION_LIFE_MS, RETRY_MS } from "./timings.ts";

/** Begins to forward an event. `seq`: its number; null outside a session, in which case it is stored at once. */
export function forward(step: Step, event: ForwardedEvent, seq: number | null, isUnsure = false): void {
  const key = keyOf(event);
  if (step.live.forwards[key]) return;
  const messageId = messageOf(event);
  // The channel doesn't need an edit that is older than this one, or anything about a message that is deleted by now.
  for (const before of about(step, messageId))
    if (before.stage !== "flying" && isNeedless(before.event, event)) remove(step, before);
  const isBehind = about(step, messageId).length > 0;
  const one: Forward = {
    ...{ key, event, at: step.now, isUnsure, seq, isStored: false, failures: 0 },
    ...{ stage: isBehind ? "behind" : "flying", since: step.now },
  };
  put(step, one);
  if (seq === null) store(step, one);
  if (!isBehind) launch(step, key);
}

/** Notes that the channel has the event. */
export function confirm(step: Step, key: string, answerTo: AnswerTo | null): void {
  const one = step.live.forwards[key];
  if (!one) return;
  remove(step, one);
  rememberEvent(step, one.event);
  const channel = step.known.channels[channelOf(one.event)];
  if (channel && answerTo !== null) noteChannel(step, channelOf(one.event), { ...channel, answerTo, at: step.now });
  launchNext(step, messageOf(one.event));
}

/** Notes that the channel doesn't have the event, or may not have it. The first retry comes at once, later ones from the outbox. */
export function fail(step: Step, key: string): void {
  const one = step.live.forwards[key];
  if (one?.stage !== "flying") return;
  const failures = one.failures + 1;
  const others = about(step, messageOf(one.event)).filter((other) => other.key !== key);
  if (others.some(({ event }) => isNeedless(one.event, event))) {
    remove(step, one);
    launchNext(step, messageOf(one.event));
  } else if (failures === 1) {
    put(step, { ...one, failures });
    launch(step, key);
  } else {
    const wait = Math.min(RETRY_MS * 2 ** (failures - 2), MAX_RETRY_MS);
    const waiting: Forward = { ...one, failures, stage: "waiting", since: step.now + wait };
    put(step, waiting);
    store(step, waiting);
  }
}

/**
 * Drops an event whose author may not use the bot, or which is not a question after all. Nothing is remembered, because the author's next message
 * is judged anew: a stranger leaves no rows, and a channel in which nothing else was asked is not read after a gap.
 */
export function dismiss(step: Step, key: string): void {
  const one = step.live.forwards[key];
  if (!one) return;
  for (const other of about(step, messageOf(one.event))) remove(step, other);
  const channelId = channelOf(one.event);
  const channel = step.known.channels[channelId];
  const isAwaited = Object.values(step.live.forwards).some(({ event }) => channelOf(event) === channelId);
  if (channel?.answerTo !== null || channel.isOurs || isAwaited) return;
  const { [channelId]: _, ...channels } = step.known.channels;
  step.known = { ...step.known, channels };
  act(step, { kind: "forget", questions: [], channels: [channelId] });
}

/** Decides about the events that waited for the server's managed role: those that mention it are questions, the others are dropped. */
export function resolveRole(step: Step, guildId: string, isQuestion: (event: ForwardedEvent) => boolean): void {
  for (const one of unsureIn(step, guildId)) {
    if (isQuestion(one.event)) {
      put(step, { ...one, isUnsure: false });
      if (one.stage !== "behind") launch(step, one.key);
    } else dismiss(step, one.key);
  }
}

/**
 * Handles that the server's managed role could not be read. Everything that waited for it is retried with one request. `launch` makes none while
 * another event waits for one, so all of them are set aside before the first is retried.
 */
export function failRole(step: Step, guildId: string): void {
  const asked = unsureIn(step, guildId).filter(({ stage }) => stage === "flying");
  for (const one of asked) put(step, { ...one, stage: "waiting" });
  for (const one of asked) {
    put(step, one);
    fail(step, one.key);
  }
}

/** Does what is due: stores events that take long, gives up those that take too long, retries those that wait. */
export function tickForwards(step: Step): void {
  const { now } = step;
  for (const { key } of Object.values(step.live.forwards)) {
    const one = step.live.forwards[key];
    if (!one) continue;
    if (now - one.at >= QUESTION_LIFE_MS) giveUp(step, one);
    else if (one.stage === "waiting" && one.since <= now) launch(step, key);
    else if (one.stage === "flying" && now - one.since >= FORWARD_LIMIT_MS) fail(step, key);
    else if (one.stage !== "waiting" && now - one.at >= FORWARD_PATIENCE_MS) store(step, one);
  }
}

/** Makes every waiting event due, because the clock was set back. */
export function rebaseForwards(step: Step): void {
  for (const one of Object.values(step.live.forwards))
    put(step, { ...one, at: Math.min(one.at, step.now), since: Math.min(one.since, step.now) });
}

/** Returns when `tickForwards` has something to do. `stored`: for the events in the outbox, or for the others. */
export function forwardsDue({ live }: Step, stored: boolean): number[] {
  return Object.values(live.forwards)
    .filter(({ isStored }) => isStored === stored)
    .map(({ stage, since, at, isStored }) => {
      const next = stage === "waiting" ? since : stage === "behind" ? at + QUESTION_LIFE_MS : since + FORWARD_LIMIT_MS;
      return Math.min(at + (isStored ? QUESTION_LIFE_MS : FORWARD_PATIENCE_MS), next);
    });
}

/** Stores every event, because the session is lost, and the chance of a replay with it. */
export function storeForwards(step: Step): void {
  for (const one of Object.values(step.live.forwards)) store(step, one);
}

/** Returns the highest number up to which nothing depends on a replay. */
export function receivedSeq({ live }: Step): number | null {
  const open = Object.values(live.forwards).flatMap(({ seq, isStored }) => (seq === null || isStored ? [] : [seq]));
  if (open.length === 0) return live.seq;
  return Math.min(...open) - 1;
}

/** Remembers a channel; for a question, already before the channel has confirmed it. */
export function noteChannel(step: Step, id: string, channel: Parameters<typeof rememberChannel>[2]): void {
  const { known, isWritten, forgotten } = rememberChannel(step.known, id, channel);
  step.known = known;
  if (isWritten) act(step, { kind: "remember_channel", id, channel });
  if (forgotten.length > 0) act(step, { kind: "forget", questions: [], channels: forgotten });
}

/** Remembers the event, so that neither a replay nor a page of messages forwards it again. */
function rememberEvent(step: Step, event: ForwardedEvent): void {
  const [id, channelId] = [messageOf(event), channelOf(event)];
  const before: RememberedQuestion = step.known.questions[id] ?? { channelId, at: step.now };
  const question: RememberedQuestion = {
    ...before,
    ...(event.kind === "edited" && { editedAt: event.edit.editedAt }),
    ...(event.kind === "deleted" && { deleted: true }),
  };
  const { known, forgotten } = rememberQuestion(step.known, id, question, step.now);
  step.known = known;
  act(step, { kind: "remember_question", id, question });
  if (forgotten.length > 0) act(step, { kind: "forget", questions: forgotten, channels: [] });
}

function launch(step: Step, key: string): void {
  const one = step.live.forwards[key];
  if (!one) return;
  put(step, { ...one, stage: "flying", since: step.now });
  if (!one.isUnsure) {
    act(step, { kind: "forward", key, event: one.event });
    return;
  }
  const guildId = guildOf(one.event);
  const isAsked = unsureIn(step, guildId).some((other) => other.key !== key && other.stage === "flying");
  if (!isAsked) act(step, { kind: "find_role", guildId });
}

function launchNext(step: Step, messageId: string): void {
  const [next] = about(step, messageId);
  if (next?.stage === "behind") launch(step, next.key);
}

/** Gives up an event, and edits of its message. A deletion is still sent, because the channel may have the question after all. */
function giveUp(step: Step, one: Forward): void {
  log(step, "error", "a message could not be forwarded", { key: one.key });
  remove(step, one);
  for (const other of about(step, messageOf(one.event))) if (other.event.kind === "edited") remove(step, other);
  launchNext(step, messageOf(one.event));
}

/** Whether a later event about the same message makes this one unnecessary. */
function isNeedless(event: ForwardedEvent, later: ForwardedEvent): boolean {
  return later.kind === "deleted" ? event.kind !== "deleted" : later.kind === "edited" && event.kind === "edited";
}

function store(step: Step, one: Forward): void {
  if (one.isStored) return;
  const { key, event, at, isUnsure } = one;
  put(step, { ...one, isStored: true });
  act(step, { kind: "outbox_put", row: { key, event, at, isUnsure } });
}

function remove(step: Step, { key, isStored }: Forward): void {
  const { [key]: _, ...forwards } = step.live.forwards;
  setLive(step, { forwards });
  if (isStored) act(step, { kind: "outbox_drop", key });
}

const put = (step: Step, one: Forward): void => setLive(step, { forwards: { ...step.live.forwards, [one.key]: one } });

const about = ({ live }: Step, messageId: string): Forward[] =>
  Object.values(live.forwards).filter(({ event }) => messageOf(event) === messageId);

const unsureIn = ({ live }: Step, guildId: string): Forward[] =>
  Object.values(live.forwards).filter(({ isUnsure, event }) => isUnsure && guildOf(event) === guildId);
