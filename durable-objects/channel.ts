// The channel's object: one per Discord channel, thread or direct message. Only wires: each method loads, asks a pure
// decision, saves in one transaction and then acts. All rules are in src/core.
import { DurableObject } from "cloudflare:workers";
import { type AdmissionRules, admit, placeInQueue } from "../src/core/admission.ts";
import { dueAt, emptyCalendar } from "../src/core/agenda.ts";
import type { Receipt, StopAnswer, StopRequest, Submission } from "../src/core/messages.ts";
import { stopText } from "../src/core/outcome.ts";
import { newTurn, type TurnRecord, withEvent } from "../src/core/record.ts";
import { decideStop } from "../src/core/stop.ts";
import type { TurnAbort } from "../src/turn/ports.ts";
import type { Channel, ChannelParts } from "./parts.ts";
import { Replies } from "./replies.ts";
import { claim, close, launch, rearm, settle, takeOver, warnIfSlow } from "./turn-runner.ts";
import { wire } from "./wire.ts";

/** A composition root: makes the parts of one object from its state and environment. */
export type Root = (ctx: DurableObjectState, env: unknown) => ChannelParts;

/** What a transaction leaves to be done once it is stored. */
type Act = () => void;

/** The object's class over a composition root; production and tests differ in the root alone. */
export function channelObject(root: Root) {
  return class extends DurableObject {
    readonly channel: Channel;
    readonly settling = new Set<string>();

    constructor(ctx: DurableObjectState, env: unknown) {
      super(ctx, env as never);
      const parts = root(ctx, env);
      this.channel = { parts, replies: new Replies(parts, (turnId) => this.gone(turnId)), live: null };
    }

    /** A request for a turn. One transaction; the turn starts after the receipt is given. The same interaction, the same receipt. */
    async submit(submission: Submission): Promise<Receipt> {
      const { store } = this.channel.parts;
      const [receipt, acts] = store.transaction(() => this.admitOne(submission));
      rearm(this.channel);
      for (const act of acts) act();
      this.tick();
      return receipt;
    }

    /** A request to stop. The flag is stored first, then the turn is aborted, then the person is answered. */
    async stop(request: StopRequest): Promise<StopAnswer> {
      const { parts, live, replies } = this.channel;
      const decision = parts.store.transaction(() => {
        const state = parts.store.state();
        const decided = decideStop(state, request, "owner_or_moderator", parts.clock());
        if (decided.flag && state.running) parts.store.saveTurn({ ...state.running, stop: decided.flag.flag });
        const ended = decided.end.flatMap(({ turnId, as }) => {
          const turn = parts.store.turn(turnId);
          const ending = as === "cleared" ? "cleared" : "taken_back";
          return turn ? [close(this.channel, turn, { kind: ending, by: request.userId })] : [];
        });
        return { ...decided, ended };
      });
      rearm(this.channel);
      if (decision.flag && live?.turnId === decision.flag.turnId)
        live.controller.abort({ kind: "flagged" } satisfies TurnAbort);
      this.tick();
      replies.showPlaces(parts.store.state());
      if (request.reply && decision.answer.result !== "not_allowed")
        parts.keepAlive(replies.tellPrivately(request.reply, stopText(decision.answer)));
      return decision.answer;
    }

    /** The heartbeat and the backstop of every deadline. May come late, early or twice. */
    override async alarm(): Promise<void> {
      this.channel.parts.alarm.fired();
      this.tick();
      rearm(this.channel);
    }

    /** Does what is due now, in the agenda's order. Each step finds nothing to do when it is repeated. */
    tick(): void {
      const { parts, live } = this.channel;
      const now = parts.clock();
      // A lock of this life without a turn in memory is a turn that was lost all the same.
      const alive = live ? parts.instance : "";
      for (const due of dueAt(parts.store.state(), emptyCalendar, alive, now)) {
        switch (due.kind) {
          case "takeover":
            takeOver(this.channel);
            break;
          case "turn_deadline":
            live?.controller.abort({ kind: "deadline" } satisfies TurnAbort);
            break;
          case "soft_warn":
            warnIfSlow(this.channel);
            break;
          case "start":
            this.startNext();
            break;
          case "close":
            this.settleOnce(due.turnId);
            break;
          case "tool_deadline":
          case "approval_expiry":
          case "token_renewal":
          case "reminder":
          case "housekeeping":
            break;
        }
      }
      live?.timers.runDue(now);
    }

    admitOne({ trigger }: Submission): [Receipt, Act[]] {
      const { parts } = this.channel;
      const { store, config, clock } = parts;
      const known = store.turn(trigger.interactionId);
      if (known) return [receiptOf(known), []];
      const state = store.state();
      const rules: AdmissionRules = { ...config, followUp: "queue" };
      const decision = admit(state, trigger.userId, rules);
      const now = clock();
      const arrived = (turn: TurnRecord) => ({
        ...turn,
        events: withEvent([], { at: now, what: "admitted", detail: decision.kind }),
      });
      switch (decision.kind) {
        case "refuse": {
          const refused = { ...newTurn(trigger, "refused", 0, now), refusal: decision.refusal };
          store.insertTurn(arrived(refused));
          return [receiptOf(refused), []];
        }
        case "start": {
          const turn = claim(this.channel, arrived(newTurn(trigger, "queued", 0, now)));
          store.insertTurn(turn);
          return [{ kind: "accepted" }, [() => launch(this.channel, turn)]];
        }
        case "back":
        case "front":
        case "interrupt":
        case "steer": {
          const place = placeInQueue(state.queue, "back");
          store.insertTurn(arrived(newTurn(trigger, "queued", place, now)));
          return [{ kind: "accepted" }, [() => this.channel.replies.showPlaces(store.state())]];
        }
      }
    }

    startNext(): void {
      const { store } = this.channel.parts;
      const turn = store.transaction(() => {
        const { running, queue } = store.state();
        const head = running ? null : queue[0];
        if (!head) return null;
        const claimed = claim(this.channel, head);
        store.saveTurn(claimed);
        return claimed;
      });
      if (turn) launch(this.channel, turn);
    }

    settleOnce(turnId: string): void {
      const turn = this.channel.parts.store.turn(turnId);
      if (!turn || this.settling.has(turnId)) return;
      this.settling.add(turnId);
      this.channel.parts.keepAlive(settle(this.channel, turn).finally(() => this.settling.delete(turnId)));
    }

    gone(turnId: string): void {
      const { live } = this.channel;
      if (live?.turnId === turnId) live.controller.abort({ kind: "gone" } satisfies TurnAbort);
    }
  };
}

function receiptOf(turn: TurnRecord): Receipt {
  return turn.refusal ? { kind: "refused", refusal: turn.refusal } : { kind: "accepted" };
}

/** The production object. */
export const ChannelObject = channelObject(wire);
