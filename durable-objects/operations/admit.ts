// Admits messages: stores the decision about a new message in one transaction with the alarm. What follows from it (a
// start, an abort, an edit for people who wait) happens only after it is stored.

import type { Settings } from "../../src/channel/settings.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { say } from "../../src/core/copy/notices.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import { TRANSCRIPT_SHARE } from "../../src/core/limits.ts";
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import {
  type Admission,
  admit,
  joiningPlace,
  newQueuePosition,
  queuePositionsAfter,
} from "../../src/core/state/admission.ts";
import { STEP_UNITS, spentBudget, usedBy, withWaiting } from "../../src/core/state/budget.ts";
import { withoutWords } from "../../src/core/state/forgotten.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import {
  type ChannelState,
  type Lock,
  newTurn,
  type TurnRecord,
  type TurnRequest,
} from "../../src/core/state/record.ts";
import type { Receipt, Refusal, Submission } from "../../src/core/state/rpc.ts";
import { castRequests } from "../../src/core/state/scene.ts";
import { planThread, requestBeforeThread, type ThreadPlan } from "../../src/core/state/thread-turn.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import { estimateTokens } from "../../src/core/transcript/tokens.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { readLimits, refusalByRate } from "../settings/budgets.ts";
import { effectivePersonas } from "../settings/effective-personas.ts";
import { effectiveSettings, notePlace } from "../settings/effective-settings.ts";
import { isDeleted } from "../store/marks.ts";
import { closed } from "../turn/closing.ts";
import { claim } from "./claim.ts";
import { finishReplies, finishReply } from "./finish-reply.ts";
import { planHousekeeping } from "./housekeeping.ts";
import { launch } from "./launch.ts";
import { rearm } from "./rearm.ts";
import { planRetention } from "./retention.ts";

/** What is left to do after the transaction. */
interface Admitted {
  receipt: Receipt;
  start?: TurnRecord;
  /** A thread is to be opened first. */
  opens?: true;
  interrupt?: string;
  superseded?: TurnRecord[];
}

/** Admits one message. Repeating an interaction returns the same receipt and never admits the message twice. */
export function admitMessage(channel: Channel, submission: Submission): Receipt {
  const { store } = channel.ports;
  const admitted = store.transaction(() => admitInTransaction(channel, submission));
  rearm(channel);
  const { live, replies } = channel;
  if (admitted.interrupt && live?.turnId === admitted.interrupt)
    live.controller.abort({ kind: "flagged" } satisfies TurnAbort);
  for (const turn of admitted.superseded ?? []) void finishReply(channel, turn);
  if (admitted.opens) finishReplies(channel);
  if (admitted.start) launch(channel, admitted.start);
  else replies.showQueuePositions(store.state());
  return admitted.receipt;
}

function admitInTransaction(channel: Channel, submission: Submission): Admitted {
  const { store, clock, marks } = channel.ports;
  const { interactionId, beginsThread } = submission.trigger;
  const known = store.turn(interactionId);
  if (known) return { receipt: receiptFor(known) };
  // Its deletion has come before it. No one reads this refusal.
  if (beginsThread && isDeleted(marks, interactionId))
    return { receipt: { kind: "refused", refusal: { reason: "unavailable" } } };
  const now = clock();
  const state = store.state();
  notePlace(channel.ports, submission);
  if (state.lock.refusedAt !== undefined) noteReturn(channel, submission.trigger);
  const isAuto = effectiveSettings(channel.ports).auto_thread;
  const isThread = () => submission.parentSettings !== undefined || marks.parent() !== null;
  const plan = planThread(submission.trigger, {
    isAuto,
    // Most questions want no thread, wherever they are asked.
    isThread: (isAuto || submission.trigger.wantsThread === true) && isThread(),
    hasBotToken: channel.ports.config.discord.botToken !== null,
  });
  const asked = askedHere(channel, submission, plan);
  const cast = castRequests(asked, submission.speakers ?? {}, effectivePersonas(channel.ports));
  const [request, ...others] = cast.ok ? cast.requests : [asked];
  const decision: Admission = cast.ok
    ? decide(channel, submission, state, cast.requests)
    : { kind: "refuse", refusal: cast.refusal };
  const arriving = (position: number, of = request): TurnRecord => ({
    ...newTurn(of, "queued", position, now),
    events: withEvent([], { at: now, what: "admitted", detail: decision.kind }),
  });
  const insertOthers = (position: number) => {
    const positions = queuePositionsAfter(state.queue, position, others.length);
    others.forEach((other, index) => void store.insertTurn(arriving(positions[index] ?? position, other)));
  };
  const receipt: Receipt = { kind: "accepted" };
  if (decision.kind !== "refuse" && submission.speakers?.scene === undefined && plan.kind === "open") {
    // An older program, which opens no threads, would offer Retry.
    const checkpoint = { kind: "send", ending: { kind: "interrupted" }, chars: 0 } as const;
    const opening = arriving(0, requestBeforeThread(asked, request));
    store.insertTurn({ ...opening, state: "closing", checkpoint, threadSince: now });
    planCleaning(channel, now);
    return { receipt, opens: true };
  }
  switch (decision.kind) {
    case "refuse": {
      // It is not reported, so no forgetting would find its words.
      store.insertTurn(withoutWords({ ...arriving(0), state: "refused", refusal: decision.refusal }));
      planCleaning(channel, now);
      return { receipt: { kind: "refused", refusal: decision.refusal } };
    }
    case "start": {
      const start = claim(channel, arriving(0));
      store.insertTurn(start);
      insertOthers(start.queuePosition);
      return { receipt, start };
    }
    case "back": {
      const position = newQueuePosition(state.queue, "back");
      store.insertTurn(arriving(position));
      insertOthers(position);
      return { receipt };
    }
    case "steer":
      store.insertTurn({
        ...arriving(0),
        ...joiningPlace(state.queue, decision.turnId, request.userId),
        followUp: true,
      });
      return { receipt };
    case "front":
    case "interrupt": {
      const superseded = supersede(channel, decision.supersedes);
      store.insertTurn({ ...arriving(newQueuePosition(state.queue, "front")), followUp: true });
      if (decision.kind === "front" || !state.running) return { receipt, superseded };
      const flag = { kind: "follow_up", by: request.userId, byName: request.userName, at: now } as const;
      const events = withEvent(state.running.events, {
        at: now,
        what: "interrupted",
        detail: timelineText.interrupted,
      });
      store.saveTurn({ ...state.running, stop: flag, events });
      return { receipt, superseded, interrupt: decision.turnId };
    }
  }
}

/** For a turn that doesn't end here: in a channel where every turn is such a one, no other would plan it. */
function planCleaning({ ports }: Channel, now: number): void {
  const { store } = ports;
  const housekeepingAt = planHousekeeping(store, now);
  if (housekeepingAt !== store.lock().housekeepingAt) store.saveLock({ ...store.lock(), housekeepingAt });
  planRetention(ports);
}

/** The request as it is stored: with the person's roles, and without what the settings say no to. */
function askedHere({ ports }: Channel, { trigger, roles = [] }: Submission, plan: ThreadPlan): TurnRequest {
  const { showsQuestion, ...others } = roles.length > 0 ? { ...trigger, roles } : trigger;
  const request = plan.kind === "not" ? { ...others, noThread: say.noThreadBecause[plan.why] } : others;
  const { guildId, privateTo } = request;
  const isShown = guildId !== null && privateTo === undefined && effectiveSettings(ports).show_question;
  return showsQuestion && isShown ? { ...request, showsQuestion } : request;
}

/** A word from a server that has the bot: a channel that refused it may be open again. */
function noteReturn({ ports: { store } }: Channel, { botIsHere }: TurnRequest): void {
  const { refusedAt, ...lock } = store.lock();
  if (refusedAt !== undefined && botIsHere === true) store.saveLock(lock);
}

/** Checks first the person, the length and access, then the queue, and last how often the person asks and the budgets. */
function decide(
  { ports }: Channel,
  { trigger: request, roles = [], speakers = {} }: Submission,
  state: ChannelState,
  [{ persona }, ...others]: readonly [TurnRequest, ...TurnRequest[]],
): Admission {
  const { config, clock } = ports;
  const settings = effectiveSettings(ports);
  const refusal =
    refusalByLists(settings.access, request.userId, roles) ??
    refusalByLength(ports, settings, request) ??
    refusalBySilence(state.lock, clock());
  if (refusal) return { kind: "refuse", refusal };
  // A message's files are read when its own turn starts, a scene, a repeated question and a /catch-up neither join nor interrupt a turn,
  // private words join no other transcript, words to a persona no other's answer, and nothing cuts off a reminder that is due: these wait.
  const before = state.running?.request;
  const isForAnother = speakers.persona && persona?.name !== before?.persona?.name;
  const isApart = isForAnother || transcriptOwner(before ?? request) !== transcriptOwner(request);
  const isAlone = (request.again ?? request.catchUp ?? before?.catchUp ?? before?.reminder) !== undefined;
  const waits = speakers.scene || isAlone || ((request.attachments || isApart) && settings.follow_up === "steer");
  const decision = admit(state, request.userId, { ...config, followUp: waits ? "queue" : settings.follow_up });
  if (decision.kind === "refuse") return decision;
  const now = clock();
  // A message that joins a running turn starts none, unless that turn ends before.
  const joins = decision.kind === "steer";
  const tooOften = refusalByRate(ports, { settings, lock: state.lock }, request.userId, now, joins);
  if (tooOften) return { kind: "refuse", refusal: tooOften };
  const leaving = "supersedes" in decision ? decision.supersedes : [];
  const queued = state.queue.filter(({ id }) => !leaving.includes(id));
  const waiting = [...queued, ...others.map((other) => newTurn(other, "queued", 0, now))];
  const used = withWaiting(usedBy(state, request.userId, now), waiting, request.userId);
  const spent = spentBudget(used, readLimits(settings), now, joins ? STEP_UNITS : undefined);
  return spent ? { kind: "refuse", refusal: { reason: "budget_spent", ...spent } } : decision;
}

/** Refuses where we are not allowed to post: the answer would cost a model call and no one would see it. */
function refusalBySilence({ silentUntil = 0 }: Lock, now: number): Refusal | null {
  return silentUntil > now ? { reason: "no_access", forMs: silentUntil - now } : null;
}

/** Refuses a question that doesn't fit the channel's model: the answer would ignore its end. */
function refusalByLength(
  { config }: Channel["ports"],
  { model: id }: Settings,
  { text, guildId }: TurnRequest,
): Refusal | null {
  const usable = config.models.filter((one) => isModelFor(one, guildId));
  const model = usable.find((one) => one.id === id) ?? usable[0] ?? config.models[0];
  if (model.contextTokens === undefined) return null;
  const tokens = estimateTokens(text);
  const limit = Math.floor(model.contextTokens * TRANSCRIPT_SHARE);
  return tokens > limit ? { reason: "too_long_for_model", model: model.id, tokens, limit } : null;
}

function supersede({ ports }: Channel, turnIds: string[]): TurnRecord[] {
  return turnIds.flatMap((id) => {
    const turn = ports.store.turn(id);
    if (!turn) return [];
    const closing = closed(turn, { kind: "superseded" }, 0, ports.clock());
    ports.store.saveTurn(closing);
    return [closing];
  });
}

function receiptFor(turn: TurnRecord): Receipt {
  return turn.refusal ? { kind: "refused", refusal: turn.refusal } : { kind: "accepted" };
}
