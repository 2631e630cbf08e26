// The inputs of the gateway's session, and the actions that its object must perform. Types only. The object feeds one input at a time,
// performs the storing actions in one transaction and the others in their order, all without an `await`, and decides nothing.

import type { AnswerTo } from "../core/state/answer-to.ts";
import type { ForwardedEvent } from "./forwarded-event.ts";
import type { OutboxRow, ProgramId, SavedState } from "./gateway-state.ts";
import type { EditedMessage, GatewayMessage, Place } from "./message.ts";
import type { KnownChannel, RememberedQuestion } from "./recollection.ts";

/** What Discord dispatches, as far as it matters here (docs: events/gateway-events). */
export type GatewayEvent =
  | { kind: "ready"; sessionId: string; resumeUrl: string; userId: string; applicationId: string }
  | { kind: "resumed" }
  | { kind: "message"; message: GatewayMessage }
  | { kind: "edited"; edit: EditedMessage }
  | { kind: "deleted"; channelId: string; messageIds: readonly string[] }
  /** The same JSON as over HTTP. Discord sends it only to an application without an endpoint URL. */
  | { kind: "interaction"; json: unknown }
  /** Dropped: an event that we don't know or don't need, or a message by someone who may not use the bot. */
  | { kind: "ignored" };

/** One frame from Discord (docs: topics/opcodes-and-status-codes). */
export type Frame =
  | { op: "hello"; intervalMs: number }
  | { op: "acknowledged" }
  | { op: "heartbeat_wanted" }
  | { op: "reconnect" }
  | { op: "invalid_session"; mayResume: boolean }
  /** `seq` is null if Discord sends none. */
  | { op: "dispatch"; seq: number | null; event: GatewayEvent }
  /** Not JSON, or an opcode that we don't know. */
  | { op: "unreadable"; why: string };

/** One frame to Discord. Whoever writes it adds the token. */
export type Send =
  | { op: "heartbeat"; seq: number | null }
  | { op: "identify"; readsContent: boolean }
  | { op: "resume"; sessionId: string; seq: number };

/**
 * What happens. A `generation` names the socket or the lookup that an input belongs to. Inputs of older ones are ignored, so the
 * object may report late and twice.
 */
export type GatewayInput =
  /** From the cron trigger or at start. `caller` is the program of the Worker that calls. May come at any time, any number of times.
   * `isStart`: a person has started the program, so what Discord refused, or what failed before, may be fixed by now. */
  | { kind: "wake"; caller: ProgramId | null; isStart?: boolean }
  | { kind: "alarm" }
  | { kind: "timer" }
  /**
   * The answers of `GET /gateway/bot` and of `GET /applications/@me`, which says whether we receive the text of all messages (`readsContent`).
   * If either is missing the input is `not_found`; its `status` is null if there was no answer.
   */
  | {
      kind: "found";
      generation: number;
      url: string;
      remaining: number;
      resetAfterMs: number;
      readsContent: boolean;
    }
  | { kind: "not_found"; generation: number; status: number | null; retryAfterMs: number | null }
  | { kind: "opened"; generation: number }
  | { kind: "frame"; generation: number; frame: Frame }
  | { kind: "closed"; generation: number; code: number }
  /** The socket did not open, or broke without a close. `status`: the HTTP status of a refused upgrade. */
  | { kind: "failed"; generation: number; status: number | null }
  /** The channel has the event, whatever it decided about it. `answerTo`: from its receipt. */
  | { kind: "forwarded"; key: string; answerTo: AnswerTo | null }
  | { kind: "forward_failed"; key: string }
  /** The event was not forwarded, because its author may not use the bot. Nothing of it is remembered. */
  | { kind: "refused"; key: string }
  | { kind: "role"; guildId: string; roleId: string | null }
  | { kind: "role_failed"; guildId: string }
  /** A page of messages after a gap, in any order. `isLast`: Discord has no more. */
  | { kind: "read"; generation: number; channelId: string; messages: readonly GatewayMessage[]; isLast: boolean }
  /** `retryAfterMs`: as Discord says, else 0; null if the channel is closed to us or gone. */
  | { kind: "read_failed"; generation: number; channelId: string; retryAfterMs: number | null }
  /** The program ends for good (Ctrl-C), so that Discord shows the bot offline at once. */
  | { kind: "end" };

/** What to do. */
export type GatewayAction =
  /** Stores the row and the object's alarm (null: none), in one transaction. Always the first action of its step. */
  | { kind: "save"; saved: SavedState; alarmAt: number | null }
  /** Sets only the alarm, to an earlier time. */
  | { kind: "alarm"; at: number }
  /** Sets the only in-memory timer, in place of the previous one (null: none). */
  | { kind: "timer"; at: number | null }
  /** Requests `GET /gateway/bot` and `GET /applications/@me`. Comes before each Identify. */
  | { kind: "look_up"; generation: number }
  | { kind: "connect"; generation: number; url: string }
  | { kind: "send"; generation: number; send: Send }
  /** Drops every reference to the socket, closes it, and aborts its request a second later, because a half-open one never closes by itself. */
  | { kind: "close"; generation: number; code: 1000 | 4000 }
  | { kind: "forward"; key: string; event: ForwardedEvent }
  | { kind: "outbox_put"; row: OutboxRow }
  | { kind: "outbox_drop"; key: string }
  | { kind: "remember_question"; id: string; question: RememberedQuestion }
  | { kind: "remember_channel"; id: string; channel: KnownChannel }
  | { kind: "forget"; questions: readonly string[]; channels: readonly string[] }
  /** Finds the server's role whose `tags.bot_id` is us. */
  | { kind: "find_role"; guildId: string }
  /** Requests `GET /channels/{id}/messages?after=…&limit=…`. These messages don't say where they are, so `place` does. */
  | { kind: "read"; generation: number; channelId: string; place: Place; after: string; limit: number }
  | { kind: "interaction"; json: unknown }
  /** Ends this life, so that the next one runs the newest program. Always the last action of its step. */
  | { kind: "restart" }
  | { kind: "log"; level: "info" | "warn" | "error"; line: string; detail?: Record<string, string | number | null> };
