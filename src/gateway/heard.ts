// What the gateway's object tells a channel's object, and what it gets back. Both cross an RPC: during a deploy the other side may be one
// version older, so fields are only added, never removed. Types only.
import type { AnswerTo } from "../core/state/answer-to.ts";
import type { ScopeNote } from "../core/state/rpc.ts";
import type { Self } from "../core/state/self.ts";
import type { ForwardedEvent } from "./forwarded-event.ts";

/** An event, with what the channel's object needs to decide by its own setting whether it is a question (`readQuestion`). */
export interface HeardEvent {
  event: ForwardedEvent;
  self: Self;
  /** Our managed role in the message's server; null for none, missing while no one has looked. */
  ownRoleId?: string | null;
  /** We receive the text of all messages. */
  readsContent: boolean;
  /** What the scope of this place says. */
  scope?: ScopeNote;
  /** Is the author one of the bot's owners? Told in direct messages only, where someone knows who they are. */
  isOwner?: boolean;
  /** It was asked long before: it neither interrupts nor joins what runs by now, and waits for a turn of its own. */
  isLate?: true;
  /** The owners have paused everything. Whoever asks is told so, and nothing starts. */
  isPaused?: boolean;
}

/** The channel has the event, whatever it decided about it. */
export interface HeardReceipt {
  /** The setting that applies there now; null where the channel can't say. */
  answerTo: AnswerTo | null;
}
