// Admits messages: stores the decision about a new message in one transaction with the alarm. Its consequences (a
// start, an abort, an edit for people who wait) come only after it is stored.

import { say } from "../../src/core/copy/notices.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import {
  type Admission,
  joiningPosition,
  newQueuePosition,
  queuePositionsAfter,
} from "../../src/core/decisions/admission.ts";
import { withoutWords } from "../../src/core/decisions/forgotten.ts";
import { planThread, requestBeforeThread, type ThreadPlan } from "../../src/core/decisions/thread-turn.ts";
import { type ChannelState, newTurn, type TurnRecord, type TurnRequest } from "../../src/core/state/record.ts";
import type { Receipt, Submission } from "../../src/core/state/rpc.ts";
import { castRequests } from "../../src/core/state/scene.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { effectivePersonas } from "../settings/effective-personas.ts";
import { effectiveSettings, notePlace } from "../settings/effective-settings.ts";
import { isDeleted } from "../store/marks.ts";
import { closed } from "../turn/closing.ts";
import { planHousekeeping } from "../upkeep/housekeeping.ts";
import { planRetention } from "../upkeep/retention.ts";
import { claim } from "./claim.ts";
import { decideAdmission } from "./decide-admission.ts";
import { finishReplies, finishReply } from "./finish-reply.ts";
import { launch } from "./launch.ts";

/** What is left to do after the transaction. */
interface Admitted {
  receipt: Receipt;
  start?: TurnRecord;
  /** A thread must be opened first. */
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
  // The question's deletion arrived before the question. No one reads this refusal.
  if (beginsThread && isDeleted(marks, interactionId))
    return { receipt: { kind: "refused", refusal: { reason: "unavailable" } } };
  const now = clock();
  const state = store.state();
  notePlace(channel.ports, submission);
  // The request comes from a server that has the bot, so a channel that refused the bot may be open again.
  if (state.lock.refusedAt !== undefined && submission.trigger.botIsHere === true) {
    const { refusedAt: _over, ...lock } = store.lock();
    store.saveLock(lock);
  }
  const isAuto = effectiveSettings(channel.ports).auto_thread;
  const { trigger, parentSettings } = submission;
  // A visitor's object always has parent settings (the channel's), so there only the parent's id shows that the channel is a thread.
  const isThread = () =>
    (trigger.broughtBy ? trigger.parentChannelId : parentSettings) !== undefined || marks.parent() !== null;
  const plan = planThread(trigger, {
    isAuto,
    // Most questions want no thread, so the lookup is skipped for them.
    isThread: (isAuto || trigger.wantsThread === true) && isThread(),
    hasBotToken: channel.ports.config.discord.botToken !== null,
  });
  const asked = askedHere(channel, submission, plan);
  const cast = castRequests(asked, submission.speakers ?? {}, effectivePersonas(channel.ports));
  const requests = cast.ok ? cast.requests : ([asked] as const);
  const decision: Admission = cast.ok
    ? decideAdmission(channel.ports, submission, state, cast.requests)
    : { kind: "refuse", refusal: cast.refusal };
  if (decision.kind === "refuse" || submission.speakers?.scene !== undefined || plan.kind !== "open")
    return storeDecision(channel, state, requests, decision, now);
  // An older program, which opens no threads, would end this turn as interrupted and offer Retry.
  const checkpoint = { kind: "send", ending: { kind: "interrupted" }, chars: 0 } as const;
  const opening = arriving(requestBeforeThread(asked, requests[0]), decision, 0, now);
  store.insertTurn({ ...opening, state: "closing", checkpoint, threadSince: now });
  planCleaning(channel, now);
  return { receipt: ACCEPTED, opens: true };
}

const ACCEPTED: Receipt = { kind: "accepted" };

const arriving = (request: TurnRequest, { kind }: Admission, position: number, now: number): TurnRecord => ({
  ...newTurn(request, "queued", position, now),
  events: withEvent([], { at: now, what: "admitted", detail: kind }),
});

/** Stores the turn where the decision puts it, and after it the turns of a scene's other speakers. */
function storeDecision(
  channel: Channel,
  { running, queue }: ChannelState,
  [request, ...others]: readonly [TurnRequest, ...TurnRequest[]],
  decision: Admission,
  now: number,
): Admitted {
  const { store } = channel.ports;
  const turnAt = (position: number) => arriving(request, decision, position, now);
  const insertOthers = (after: number) => {
    const positions = queuePositionsAfter(queue, after, others.length);
    for (const [index, other] of others.entries())
      store.insertTurn(arriving(other, decision, positions[index] ?? after, now));
  };
  switch (decision.kind) {
    case "refuse": {
      const { refusal } = decision;
      // A refused turn is not reported to the scope, so `/privacy forget` would not find its words.
      store.insertTurn(withoutWords({ ...turnAt(0), state: "refused", refusal }));
      planCleaning(channel, now);
      return { receipt: { kind: "refused", refusal } };
    }
    case "start": {
      const start = claim(channel, turnAt(0));
      store.insertTurn(start);
      insertOthers(start.queuePosition);
      return { receipt: ACCEPTED, start };
    }
    case "back": {
      const position = newQueuePosition(queue, "back");
      store.insertTurn(turnAt(position));
      insertOthers(position);
      return { receipt: ACCEPTED };
    }
    case "steer": {
      const position = joiningPosition(queue, decision.turnId, request.userId);
      store.insertTurn({ ...turnAt(0), ...position, followUp: true });
      return { receipt: ACCEPTED };
    }
    case "front":
    case "interrupt": {
      const superseded = supersede(channel, decision.supersedes);
      store.insertTurn({ ...turnAt(newQueuePosition(queue, "front")), followUp: true });
      if (decision.kind === "front" || !running) return { receipt: ACCEPTED, superseded };
      const stop = { kind: "follow_up", by: request.userId, byName: request.userName, at: now } as const;
      const events = withEvent(running.events, { at: now, what: "interrupted", detail: timelineText.interrupted });
      store.saveTurn({ ...running, stop, events });
      return { receipt: ACCEPTED, superseded, interrupt: decision.turnId };
    }
  }
}

/**
 * Plans pruning and retention for a turn that never runs in this object. In a channel where all turns are like that, nothing else would
 * plan them.
 */
function planCleaning({ ports }: Channel, now: number): void {
  const { store } = ports;
  const housekeepingAt = planHousekeeping(store, now);
  if (housekeepingAt !== store.lock().housekeepingAt) store.saveLock({ ...store.lock(), housekeepingAt });
  planRetention(ports);
}

/** Returns the request as it is stored: with the person's roles, and without what the settings forbid. */
function askedHere({ ports }: Channel, { trigger, roles = [] }: Submission, plan: ThreadPlan): TurnRequest {
  const { showsQuestion, ...others } = roles.length > 0 ? { ...trigger, roles } : trigger;
  const request = plan.kind === "not" ? { ...others, noThread: say.noThreadBecause[plan.why] } : others;
  const { guildId, privateTo } = request;
  const isShown = guildId !== null && privateTo === undefined && effectiveSettings(ports).show_question;
  return showsQuestion && isShown ? { ...request, showsQuestion } : request;
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

const receiptFor = ({ refusal }: TurnRecord): Receipt => (refusal ? { kind: "refused", refusal } : ACCEPTED);
