// One channel in memory: its ports, its replies, and the turn that runs in this life of the object. Everything that must
// survive is in the store. Types only.
import type { ChannelPorts } from "./channel-ports.ts";
import type { Hearing } from "./hearing/hearing.ts";
import type { Replies } from "./replies/replies.ts";

/** The turn that runs in this life. */
export interface LiveTurn {
  turnId: string;
  epoch: number;
  controller: AbortController;
  /** Adds a status line that stays below the answer until the turn ends; null where nobody can see any. */
  addStatusLine: ((line: string) => void) | null;
}

/** One channel in memory. Everything that must survive is in `ports.store`. */
export interface Channel {
  ports: ChannelPorts;
  replies: Replies;
  live: LiveTurn | null;
  hearing: Hearing;
  /** Ids of turns whose final edit is being sent, and keys of approval requests that are being sent. */
  finishing: Set<string>;
  /** The usage of turns on its way to the scope. A new life begins by sending what an earlier one left. */
  reporting: { isSending: boolean; failures: number; retryAt: number };
  /** The summary that this life is making, and when a later life may take it for lost. */
  compacting: { controller: AbortController; until: number } | null;
  /** Alarms in a row that failed for a fault of ours. */
  tickFailures: number;
}
