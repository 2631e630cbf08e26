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
  /** Adds a status line that stays below the answer until the turn ends; null if status lines are off. */
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
  /** The state of the usage reports to the scope. A new life begins by sending those that an earlier one left. */
  reporting: { isSending: boolean; failures: number; retryAt: number };
  /** The summary that this life is making, and the time after which a later life may consider it lost. */
  compacting: { controller: AbortController; until: number } | null;
  /** How many alarms in a row failed because of a bug of ours. */
  tickFailures: number;
}
