// Opens the thread for a question that gets one, and hands the question to the thread's own object. Each step may be repeated by any life:
// a message has one thread at most, and the other object knows the turn by its id.
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

/** A thread that can't be opened within this is given up, and the answer is in the channel. */
const OPENING_LIMIT_MS = 60_000;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;
const REQUEST_LIMIT_MS = 10_000;
const NAME_CODE_POINTS = 80;
const ARCHIVE_MINUTES = 1440;

/** A value, a failure that may pass, or one in words that stays. `isRace`: Discord is about to know the token. */
type Step<Value> =
  | { ok: true; value: Value }
  | { ok: false; again: true; isRace?: boolean }
  | { ok: false; again: false; why: string };

/**
 * Opens the thread and hands the turn over; where that fails, the turn waits for its start in this channel. Returns a turn that was stopped
 * meanwhile, whose reply is to say so.
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
  // An object that can't be reached may have taken the turn all the same.
  const taken = await tried(channel, turn, until, () => handOver(channel, turn, threadId));
  const receipt: Receipt = taken.ok ? taken.value : { kind: "refused", refusal: { reason: "unavailable" } };
  const text = receipt.kind === "accepted" ? say.answersInThread(threadId) : refusalText(receipt.refusal);
  if (turn.request.token !== null) await channel.replies.of(turn).finish({ text, line: null });
  else if (receipt.kind === "refused" && !isTakenBack(channel, turn, taken.ok ? receipt.refusal : null))
    tellRefusal(channel.ports, channel.replies.signs, turn.request, text);
  channel.replies.drop(turn.id);
  end(channel, turn);
  return null;
}

/** Was the question deleted, as this object knows, or the thread's, which refuses it as unavailable then? */
const isTakenBack = ({ ports: { marks } }: Channel, { id }: TurnRecord, refusal: Refusal | null): boolean =>
  isDeleted(marks, id) || refusal?.reason === "unavailable";

/** The turn's thread, noted before anyone else has the turn; null when there is none, and the turn stays here. */
async function findThread(channel: Channel, turn: TurnRecord, until: number): Promise<string | null> {
  const { store } = channel.ports;
  const message = await tried(channel, turn, until, () => findMessage(channel, turn));
  const thread = message.ok
    ? await tried(channel, turn, until, () => createThread(channel, turn, message.value))
    : message;
  if (!thread.ok) {
    if (isDeleted(channel.ports.marks, turn.id)) end(channel, turn);
    else if (isOpening(channel, turn)) stayHere(channel, turn, thread.why);
    return null;
  }
  const threadId = thread.value;
  // The reply has the thread's id: when its token is over, the bot's own reaches it.
  const parts = turn.request.token === null ? [] : [{ state: "sent", id: threadId } as const];
  const isNoted = changeClosing(store, turn.id, (current) =>
    current.threadSince === undefined ? null : { ...current, threadId, parts },
  );
  return isNoted ? threadId : null;
}

/** False once somebody has stopped it. */
const isOpening = ({ ports: { store } }: Channel, { id }: TurnRecord): boolean =>
  store.turn(id)?.threadSince !== undefined;

/** After longer and longer waits, with jitter. Nothing is begun any more for a question that was deleted or stopped: then there are no words. */
async function tried<Value>(
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

/** The message that the thread is opened on: the one that asked, or the reply, which shows its question by now. */
async function findMessage({ ports }: Channel, { request, createdAt }: TurnRecord): Promise<Step<string>> {
  const { messageId, applicationId, token } = request;
  if (messageId !== undefined) return { ok: true, value: messageId };
  const mayRace = ports.clock() < createdAt + ACKNOWLEDGEMENT_RACE_MS;
  const edit = (content: string) => ports.rest.edit({ applicationId, token: token ?? "" }, ORIGINAL, { content });
  const first = await edit(shownQuestion(request) + say.openingThread);
  // A filter of the server may mean the words of the question.
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
  // A name may be what it refuses: the words of it, by the server's filter or by Discord's own for servers that everyone can find.
  const opened = await open(nameOf(request))
    .then((first) => (isRefused(first) ? open(say.threadName) : first))
    .finally(cancel);
  if (opened.ok) return opened;
  // The thread of a message has the message's id (Discord).
  if (hasThread(opened)) return { ok: true, value: messageId };
  if (limit.signal.aborted) log.error("a thread was not opened in time", {});
  // After an answer that nobody can read it may be there.
  if (limit.signal.aborted || opened.retryable || opened.isFault) return { ok: false, again: true };
  // An interaction says whether the bot may; with a message it is tried.
  if (isForbidden(opened)) hearing.threadsRetryAt = clock() + FACTS_LIFE_MS;
  if (!isRefused(opened)) return { ok: false, again: false, why: opened.error };
  log.error("Discord refused a thread", { error: opened.error });
  return { ok: false, again: false, why: say.noThreadBecause.refused };
}

/** Did Discord refuse the thread without a reason that people can be told? */
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

/** Puts the turn into the queue of this channel; the alarm starts it. */
function stayHere(channel: Channel, turn: TurnRecord, why: string): void {
  const { store, clock, log } = channel.ports;
  log.warn("the answer gets no thread", { turnId: turn.id, why });
  changeClosing(store, turn.id, ({ threadSince, ...rest }) => {
    if (threadSince === undefined) return null;
    const events = withEvent(rest.events, { at: clock(), what: "no thread", detail: why });
    const queuePosition = newQueuePosition(store.state().queue, "back");
    const { webhookChannelId, ...asked } = rest.request;
    // A deferred response waits for the bot's own words.
    const speaker = asked.token === null && webhookChannelId ? { webhookChannelId } : {};
    const request = { ...asked, ...speaker, noThread: why };
    return { ...rest, state: "queued", checkpoint: { kind: "idle" }, queuePosition, request, events };
  });
  rearm(channel);
}

/** The turn is over here: its thread has it, or no one wants it any more. */
function end(channel: Channel, turn: TurnRecord): void {
  const { store, clock, marks } = channel.ports;
  // The thread's id stays, for a deletion of the question that comes later.
  changeClosing(store, turn.id, ({ threadSince: _over, ...rest }) => {
    const endedAt = clock();
    const what = isDeleted(marks, turn.id) ? "taken back" : "in a thread";
    const events = withEvent(rest.events, { at: endedAt, what });
    // Only the thread is reported as a place where the person used the bot.
    return withoutWords({ ...rest, state: "finished", checkpoint: { kind: "idle" }, endedAt, events });
  });
  rearm(channel);
}

const SPOILER = /\|\|.+?\|\|/g;

/** What the thread is called: the beginning of the person's own words, on one line, where everyone reads it and Discord shows no mention. */
function nameOf({ text, quoted = "", names }: TurnRequest): string {
  const own = text.replace(quoted, "").trim() || text;
  const line = withNames(own, names).replace(/\s+/g, " ").replace(SPOILER, "…").trim();
  if (line === "") return say.threadName;
  return codePoints(line) <= NAME_CODE_POINTS ? line : `${line.slice(0, unitsAtPoints(line, NAME_CODE_POINTS - 1))}…`;
}
