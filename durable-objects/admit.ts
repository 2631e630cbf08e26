// The channel's door: what becomes of a new message, stored in one transaction with the alarm. What follows from it (a start,
// an abort, a word to somebody who waits) is done only after it is stored.
import { type AdmissionRules, admit, placeInQueue } from "../src/core/admission.ts";
import type { Receipt, Submission } from "../src/core/messages.ts";
import { newTurn, type TurnRecord, withEvent } from "../src/core/record.ts";
import type { TurnAbort } from "../src/turn/ports.ts";
import { rearm } from "./alarm.ts";
import type { Channel } from "./parts.ts";
import { noteParent, settingsHere } from "./settings-here.ts";
import { settle } from "./settle.ts";
import { claim, launch } from "./turn-runner.ts";
import { closed } from "./turn-store.ts";

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

function decideAndStore(channel: Channel, { trigger, parentSettings }: Submission): Admitted {
  const { store, config, clock } = channel.parts;
  const known = store.turn(trigger.interactionId);
  if (known) return { receipt: receiptOf(known) };
  const now = clock();
  const state = store.state();
  noteParent(channel.parts, parentSettings);
  const settings = settingsHere(channel.parts);
  const rules: AdmissionRules = { ...config, followUp: settings.follow_up };
  const decision = admit(state, trigger.userId, rules);
  const arriving = (place: number): TurnRecord => ({
    ...newTurn(trigger, "queued", place, now),
    events: withEvent([], { at: now, what: "admitted", detail: decision.kind }),
  });
  const receipt: Receipt = { kind: "accepted" };
  switch (decision.kind) {
    case "refuse": {
      store.insertTurn({ ...arriving(0), state: "refused", refusal: decision.refusal });
      return { receipt: { kind: "refused", refusal: decision.refusal } };
    }
    case "start": {
      const start = claim(channel, arriving(0));
      store.insertTurn(start);
      return { receipt, start };
    }
    case "back":
      store.insertTurn(arriving(placeInQueue(state.queue, "back")));
      return { receipt };
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

function supersede({ parts }: Channel, turnIds: string[]): TurnRecord[] {
  return turnIds.flatMap((id) => {
    const turn = parts.store.turn(id);
    if (!turn) return [];
    const closing = closed(turn, { kind: "superseded" }, 0);
    parts.store.saveTurn(closing);
    return [closing];
  });
}

function receiptOf(turn: TurnRecord): Receipt {
  return turn.refusal ? { kind: "refused", refusal: turn.refusal } : { kind: "accepted" };
}
