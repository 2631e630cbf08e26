// What the gateway's object sends to a channel's object, and what it gets back. Both cross an RPC, and during a deploy the other side may be
// one version older, so fields are only added, never removed. Types only.
import type { AnswerTo } from "../core/state/answer-to.ts";
import type { ScopeNote } from "../core/state/rpc.ts";
import type { Self } from "../core/state/self.ts";
import type { ForwardedEvent } from "./forwarded-event.ts";

/** An event, with what the channel's object needs to decide by its own setting whether this is a question (`readQuestion`). */
export interface HeardEvent {
  event: ForwardedEvent;
  self: Self;
  /** Our managed role in the message's server; null if there is none, missing if it was not looked up. */
  ownRoleId?: string | null;
  /** Whether we receive the text of all messages. */
  readsContent: boolean;
  /** What the scope of this channel says. */
  scope?: ScopeNote;
  /** Whether the author is one of the bot's owners. Only sent for direct messages, if the owners are known. */
  isOwner?: boolean;
  /** Set if it was asked long ago: it neither interrupts nor joins what is running by now, but waits for its own turn. */
  isLate?: true;
  /** Whether the owners have paused everything. Nothing starts then, and whoever asks is notified. */
  isPaused?: boolean;
}

/** Confirms that the channel has the event, whatever it decided about it. */
export interface HeardReceipt {
  /** The setting that applies there now; null if the channel can't say. */
  answerTo: AnswerTo | null;
}
