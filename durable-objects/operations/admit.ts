// The channel's door: what becomes of a new message, stored in one transaction with the alarm. What follows from it (a start,
// an abort, a word to somebody who waits) is done only after it is stored.
import type { Settings } from "../../src/channel/settings.ts";
import { TRANSCRIPT_SHARE } from "../../src/core/limits.ts";
import { refusalByLists } from "../../src/core/state/access-lists.ts";
import { type Admission, admit, placeInQueue, placesBehind } from "../../src/core/state/admission.ts";
import { spentBudget, usedBy, withWaiting } from "../../src/core/state/budget.ts";
import { type ChannelState, type Lock, newTurn, type Trigger, type TurnRecord } from "../../src/core/state/record.ts";
import type { Receipt, Refusal, Submission } from "../../src/core/state/rpc.ts";
import { castTriggers } from "../../src/core/state/scene.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import { estimateTokens } from "../../src/core/transcript/tokens.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import type { Channel } from "../parts.ts";
import { rearm } from "../schedule/alarm.ts";
import { readLimits } from "../settings/budgets.ts";
import { personasHere } from "../settings/personas-here.ts";
import { noteParent, settingsHere } from "../settings/settings-here.ts";
import { closed } from "../turn/turn-store.ts";
import { settle } from "./settle.ts";
import { claim, launch } from "./turn-runner.ts";

/** What the transaction leaves to be done. */
interface Admitted {
  receipt: Receipt;
  start?: TurnRecord;
  interrupt?: string;
  superseded?: TurnRecord[];
}

/** Admits one message. The same interaction always gets the same receipt and is never admitted twice. */
export function admitMessage(channel: Channel, submission: Submission): Receipt {
  const { store } = channel.parts;
  const admitted = store.transaction(() => decideAndStore(channel, submission));
  rearm(channel);
  const { live, replies } = channel;
  if (admitted.interrupt && live?.turnId === admitted.interrupt)
    live.controller.abort({ kind: "flagged" } satisfies TurnAbort);
  for (const turn of admitted.superseded ?? []) settle(channel, turn);
  if (admitted.start) launch(channel, admitted.start);
  else replies.showPlaces(store.state());
  return admitted.receipt;
}

function decideAndStore(channel: Channel, submission: Submission): Admitted {
  const { store, clock } = channel.parts;
  const known = store.turn(submission.trigger.interactionId);
  if (known) return { receipt: receiptFor(known) };
  const now = clock();
  const state = store.state();
  noteParent(channel.parts, submission.parentSettings);
  const cast = castTriggers(submission.trigger, submission.speakers ?? {}, personasHere(channel.parts));
  const [trigger, ...others] = cast.ok ? cast.triggers : [submission.trigger];
  const decision: Admission = cast.ok
    ? decide(channel, submission, state, others)
    : { kind: "refuse", refusal: cast.refusal };
  const arriving = (place: number, of = trigger): TurnRecord => ({
    ...newTurn(of, "queued", place, now),
    events: withEvent([], { at: now, what: "admitted", detail: decision.kind }),
  });
  const insertOthers = (place: number) => {
    const places = placesBehind(state.queue, place, others.length);
    others.forEach((other, index) => void store.insertTurn(arriving(places[index] ?? place, other)));
  };
  const receipt: Receipt = { kind: "accepted" };
  switch (decision.kind) {
    case "refuse": {
      store.insertTurn({ ...arriving(0), state: "refused", refusal: decision.refusal });
      return { receipt: { kind: "refused", refusal: decision.refusal } };
    }
    case "start": {
      const start = claim(channel, arriving(0));
      store.insertTurn(start);
      insertOthers(start.place);
      return { receipt, start };
    }
    case "back": {
      const place = placeInQueue(state.queue, "back");
      store.insertTurn(arriving(place));
      insertOthers(place);
      return { receipt };
    }
    case "steer":
      store.insertTurn({ ...arriving(placeInQueue(state.queue, "front")), followUp: true, steers: decision.turnId });
      return { receipt };
    case "front":
    case "interrupt": {
      const superseded = supersede(channel, decision.supersedes);
      store.insertTurn({ ...arriving(placeInQueue(state.queue, "front")), followUp: true });
      if (decision.kind === "front" || !state.running) return { receipt, superseded };
      const flag = { kind: "follow_up", by: trigger.userId, byName: trigger.userName, at: now } as const;
      const events = withEvent(state.running.events, { at: now, what: "interrupted", detail: "by their next message" });
      store.saveTurn({ ...state.running, stop: flag, events });
      return { receipt, superseded, interrupt: decision.turnId };
    }
  }
}

/** Who may not ask, and what is too long, is turned away first; then the queue decides, and last the budgets of what it takes. */
function decide(
  { parts }: Channel,
  { trigger, roles = [] }: Submission,
  state: ChannelState,
  others: readonly Trigger[],
): Admission {
  const { config, clock } = parts;
  const settings = settingsHere(parts);
  const refusal =
    refusalByLists(settings, trigger.userId, roles) ??
    refusalByLength(parts, settings, trigger) ??
    refusalBySilence(state.lock, clock());
  if (refusal) return { kind: "refuse", refusal };
  // The files of a message are read when its own turn starts; a scene joins nobody's turn and interrupts nobody.
  const waits = others.length > 0 || (trigger.attachments && settings.follow_up === "steer");
  const followUp = waits ? "queue" : settings.follow_up;
  const decision = admit(state, trigger.userId, { ...config, followUp });
  if (decision.kind === "refuse") return decision;
  const now = clock();
  const leaving = "supersedes" in decision ? decision.supersedes : [];
  const queued = state.queue.filter(({ id }) => !leaving.includes(id));
  const waiting = [...queued, ...others.map((other) => newTurn(other, "queued", 0, now))];
  const used = withWaiting(usedBy(state, trigger.userId, now), waiting, trigger.userId);
  // A message that joins a running turn begins none.
  const spent = spentBudget(used, readLimits(settings), now, decision.kind === "steer" ? ["tokens"] : undefined);
  return spent ? { kind: "refuse", refusal: { reason: "budget_spent", ...spent } } : decision;
}

/** Where we may not speak, an answer would cost a model's call and reach nobody. */
function refusalBySilence({ silentUntil = 0 }: Lock, now: number): Refusal | null {
  return silentUntil > now ? { reason: "no_access", forMs: silentUntil - now } : null;
}

/** A question that the channel's model can't read whole would be answered without its end. */
function refusalByLength({ config }: Channel["parts"], { model: id }: Settings, { text }: Trigger): Refusal | null {
  const model = config.models.find((one) => one.id === id) ?? config.models[0];
  if (model.contextTokens === undefined) return null;
  const tokens = estimateTokens(text);
  const limit = Math.floor(model.contextTokens * TRANSCRIPT_SHARE);
  return tokens > limit ? { reason: "too_long_for_model", model: model.id, tokens, limit } : null;
}

function supersede({ parts }: Channel, turnIds: string[]): TurnRecord[] {
  return turnIds.flatMap((id) => {
    const turn = parts.store.turn(id);
    if (!turn) return [];
    const closing = closed(turn, { kind: "superseded" }, 0);
    parts.store.saveTurn(closing);
    return [closing];
  });
}

function receiptFor(turn: TurnRecord): Receipt {
  return turn.refusal ? { kind: "refused", refusal: turn.refusal } : { kind: "accepted" };
}
