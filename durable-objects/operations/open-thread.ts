// Opens the thread for a question that gets one, and hands the question to the thread's own object. Any life may repeat each step:
// a message has at most one thread, and the thread's object recognizes the turn by its id.
import { say } from "../../src/core/copy/notices.ts";
import { refusalText } from "../../src/core/copy/refusals.ts";
import { newQueuePosition } from "../../src/core/decisions/admission.ts";
import { withoutWords } from "../../src/core/decisions/forgotten.ts";
import { requestInThread } from "../../src/core/decisions/thread-turn.ts";
import { describeError } from "../../src/core/describe-error.ts";
import { ACKNOWLEDGEMENT_RACE_MS, FIRST_EDIT_GRACE_MS } from "../../src/core/limits.ts";
import { codePoints, unitsAtPoints } from "../../src/core/markdown/code-points.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import type { Receipt, Refusal, Submission } from "../../src/core/state/rpc.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import { withNames } from "../../src/core/transcript/names.ts";
import { hasThread, isForbidden, REFUSED } from "../../src/discord/rest/bot-request.ts";
import { ORIGINAL } from "../../src/discord/rest/rest.ts";
import { decideSendFailure, mayPass } from "../../src/discord/rest/send-failure.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import { FACTS_LIFE_MS } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";
import { tellRefusal } from "../replies/asker-notices.ts";
import { shownQuestion } from "../replies/voice.ts";
import { rearm } from "../schedule/rearm.ts";
import { isDeleted } from "../store/marks.ts";
import { changeClosing } from "../turn/closing.ts";

/** A thread that can't be opened within this time is given up, and the answer comes in the channel. */
const OPENING_LIMIT_MS = 60_000;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;
const REQUEST_LIMIT_MS = 10_000;
const NAME_CODE_POINTS = 80;
const ARCHIVE_MINUTES = 1440;

/** A value, a temporary failure, or a permanent one with its reason in words. `isRace`: Discord will know the token in a moment. */
type Step<Value> =
  | { ok: true; value: Value }
  | { ok: false; again: true; isRace?: boolean }
  | { ok: false; again: false; why: string };

/**
 * Opens the thread and hands the turn over. If that fails, the turn waits for its start in this channel. If the turn was stopped meanwhile,
 * returns it, so that its reply says so.
 */
export async function openThread(channel: Channel, turn: TurnRecord): Promise<TurnRecord | null> {
  const until = (turn.threadSince ?? 0) + OPENING_LIMIT_MS;
  // Discord knows a token only once it has our answer to the interaction.
  await channel.ports.timers.wait(FIRST_EDIT_GRACE_MS);
  const threadId = turn.threadId ?? (await findThread(channel, turn, until));
  if (threadId === null) {
    const after = channel.ports.store.turn(turn.id);
    return after?.state === "closing" && after.threadSince === undefined ? after : null;
  }
  // If the thread's object can't be reached, it may have taken the turn all the same, so the turn does not return to this channel.
  const taken = await withRetries(channel, turn, until, () => handOver(channel, turn, threadId));
  const receipt: Receipt = taken.ok ? taken.value : { kind: "refused", refusal: { reason: "unavailable" } };
  const text = receipt.kind === "accepted" ? say.answersInThread(threadId) : refusalText(receipt.refusal);
  if (turn.request.token !== null) await channel.replies.of(turn).finish({ text, line: null });
  else if (receipt.kind === "refused" && !isTakenBack(channel, turn, taken.ok ? receipt.refusal : null))
    tellRefusal(channel.ports, channel.replies.signs, turn.request, text);
  channel.replies.drop(turn.id);
  end(channel, turn);
  return null;
}

/** Whether the question was deleted, as far as this object or the thread's knows; the thread's then refuses it as unavailable. */
const isTakenBack = ({ ports: { marks } }: Channel, { id }: TurnRecord, refusal: Refusal | null): boolean =>
  isDeleted(marks, id) || refusal?.reason === "unavailable";

/** Returns the id of the turn's thread, stored before anyone else has the turn. Null if there is none: the turn then stays here, or is over. */
async function findThread(channel: Channel, turn: TurnRecord, until: number): Promise<string | null> {
  const { store } = channel.ports;
  const message = await withRetries(channel, turn, until, () => findMessage(channel, turn));
  const thread = message.ok
    ? await withRetries(channel, turn, until, () => createThread(channel, turn, message.value))
    : message;
  if (!thread.ok) {
    if (isDeleted(channel.ports.marks, turn.id)) end(channel, turn);
    else if (isOpening(channel, turn)) stayHere(channel, turn, thread.why);
    return null;
  }
  const threadId = thread.value;
  // The reply's message has the same id as the thread. Once it is stored, the bot's own token can reach the reply after the interaction's expires.
  const parts = turn.request.token === null ? [] : [{ state: "sent", id: threadId } as const];
  const isNoted = changeClosing(store, turn.id, (current) =>
    current.threadSince === undefined ? null : { ...current, threadId, parts },
  );
  return isNoted ? threadId : null;
}

/** Whether the thread is still to be opened. False once somebody has stopped the turn. */
const isOpening = ({ ports: { store } }: Channel, { id }: TurnRecord): boolean =>
  store.turn(id)?.threadSince !== undefined;

/** Repeats a step after longer and longer waits, with jitter. Starts nothing for a question that was deleted or stopped: `why` is then empty. */
async function withRetries<Value>(
  channel: Channel,
  turn: TurnRecord,
  until: number,
  step: () => Promise<Step<Value>>,
): Promise<{ ok: true; value: Value } | { ok: false; why: string }> {
  const { clock, timers, random, log, marks } = channel.ports;
  for (let mostMs = RETRY_MS; ; ) {
    if (isDeleted(marks, turn.id) || !isOpening(channel, turn)) return { ok: false, why: "" };
    const result: Step<Value> = await step().catch((error: unknown) => {
      log.error("a thread was not opened", { error: describeError(error) });
      return { ok: false, again: true } as const;
    });
    if (result.ok || !result.again) return result;
    if (clock() >= until) {
      log.error("a thread was not opened in time", {});
      return { ok: false, why: say.noThreadBecause.unreachable };
    }
    const waitMs = result.isRace ? RETRY_MS : mostMs * (0.5 + random() / 2);
    if (!result.isRace) mostMs = Math.min(MAX_RETRY_MS, 2 * mostMs);
    await timers.wait(Math.min(waitMs, until - clock()));
  }
}

/** Finds the message on which to open the thread: the one that asked, or the reply, after an edit that shows the question in it. */
async function findMessage({ ports }: Channel, { request, createdAt }: TurnRecord): Promise<Step<string>> {
  const { messageId, applicationId, token } = request;
  if (messageId !== undefined) return { ok: true, value: messageId };
  const mayRace = ports.clock() < createdAt + ACKNOWLEDGEMENT_RACE_MS;
  const edit = (content: string) => ports.rest.edit({ applicationId, token: token ?? "" }, ORIGINAL, { content });
  const first = await edit(shownQuestion(request) + say.openingThread);
  // A filter of the server may have blocked the words of the question.
  const isBlocked = !first.ok && decideSendFailure(first) === "blocked";
  const edited = isBlocked ? await edit(say.openingThread) : first;
  if (edited.ok)
    return edited.message.ephemeral
      ? { ok: false, again: false, why: say.noThreadBecause.no_bot }
      : { ok: true, value: edited.message.id };
  const failure = decideSendFailure(edited);
  const isRace = mayRace && failure === "webhook_unknown";
  if (isRace || mayPass(failure)) return { ok: false, again: true, isRace };
  return { ok: false, again: false, why: say.noThreadBecause.unreachable };
}

async function createThread(
  { ports, hearing }: Channel,
  { request }: TurnRecord,
  messageId: string,
): Promise<Step<string>> {
  const { discord, clock, timers, log, config } = ports;
  const limit = new AbortController();
  const cancel = timers.after(REQUEST_LIMIT_MS, () => limit.abort());
  const { createChannelActions } = await import("../../src/discord/rest/bot-actions.ts");
  const actions = createChannelActions(discord, request.channelId, config.discord.userId);
  const open = (name: string) => {
    const wanted = { name, messageId, archiveAfterMinutes: ARCHIVE_MINUTES };
    return actions.createThread(wanted, `asked by user ${request.userId}`, limit.signal);
  };
  // Discord may refuse the words of the name: the server's filter does, or Discord's own for servers that everyone can find.
  const opened = await open(nameOf(request))
    .then((first) => (isRefused(first) ? open(say.threadName) : first))
    .finally(cancel);
  if (opened.ok) return opened;
  // The thread of a message has the message's id (Discord).
  if (hasThread(opened)) return { ok: true, value: messageId };
  if (limit.signal.aborted) log.error("a thread was not opened in time", {});
  // The thread may exist although Discord's answer did not arrive or can't be read.
  if (limit.signal.aborted || opened.retryable || opened.isFault) return { ok: false, again: true };
  // An interaction says whether the bot may open threads; for a message the only way to know is to try.
  if (isForbidden(opened)) hearing.threadsRetryAt = clock() + FACTS_LIFE_MS;
  if (!isRefused(opened)) return { ok: false, again: false, why: opened.error };
  log.error("Discord refused a thread", { error: opened.error });
  return { ok: false, again: false, why: say.noThreadBecause.refused };
}

/** Whether Discord refused the thread without a reason that can be shown to people. */
const isRefused = (opened: { ok: true } | { ok: false; error: string }): boolean =>
  !opened.ok && opened.error.startsWith(REFUSED);

async function handOver({ ports }: Channel, turn: TurnRecord, threadId: string): Promise<Step<Receipt>> {
  const { store, submitTo, timers } = ports;
  // The question may have been edited meanwhile.
  const { request } = store.turn(turn.id) ?? turn;
  const { roles = [], persona } = request;
  const scope = store.scopeNote();
  const submission: Submission = {
    trigger: requestInThread(request, threadId),
    roles,
    // What is set here also applies in the thread, which belongs to this channel.
    parentSettings: { ...store.parentSettings(), ...store.settings() },
    ...(scope && { scope }),
    ...(persona && { speakers: { persona: persona.name } }),
  };
  const receipt = await withinLimit(timers, REQUEST_LIMIT_MS, null, () => submitTo(threadId, submission));
  return { ok: true, value: receipt };
}

/** Puts the turn into this channel's queue; the alarm starts it. */
function stayHere(channel: Channel, turn: TurnRecord, why: string): void {
  const { store, clock, log } = channel.ports;
  log.warn("the answer gets no thread", { turnId: turn.id, why });
  changeClosing(store, turn.id, ({ threadSince, ...rest }) => {
    if (threadSince === undefined) return null;
    const events = withEvent(rest.events, { at: clock(), what: "no thread", detail: why });
    const queuePosition = newQueuePosition(store.state().queue, "back");
    const { webhookChannelId, ...asked } = rest.request;
    // A deferred response can only be filled by the bot itself, not by a persona's webhook.
    const speaker = asked.token === null && webhookChannelId ? { webhookChannelId } : {};
    const request = { ...asked, ...speaker, noThread: why };
    return { ...rest, state: "queued", checkpoint: { kind: "idle" }, queuePosition, request, events };
  });
  rearm(channel);
}

/** Finishes the turn in this channel: its thread has it, or no one wants it any more. */
function end(channel: Channel, turn: TurnRecord): void {
  const { store, clock, marks } = channel.ports;
  // The thread's id stays, for a deletion of the question that comes later.
  changeClosing(store, turn.id, ({ threadSince: _over, ...rest }) => {
    const endedAt = clock();
    const what = isDeleted(marks, turn.id) ? "taken back" : "in a thread";
    const events = withEvent(rest.events, { at: endedAt, what });
    // Without words, because only the thread is reported as a place where the person used the bot.
    return withoutWords({ ...rest, state: "finished", checkpoint: { kind: "idle" }, endedAt, events });
  });
  rearm(channel);
}

const SPOILER = /\|\|.+?\|\|/g;

/** Returns the thread's name: the beginning of the person's own words, on one line, without spoilers and with mentions as names. */
function nameOf({ text, quoted = "", names }: TurnRequest): string {
  const own = text.replace(quoted, "").trim() || text;
  const line = withNames(own, names).replace(/\s+/g, " ").replace(SPOILER, "…").trim();
  if (line === "") return say.threadName;
  return codePoints(line) <= NAME_CODE_POINTS ? line : `${line.slice(0, unitsAtPoints(line, NAME_CODE_POINTS - 1))}…`;
}
