// One channel in memory: its ports, its replies, and the turn that runs in this life of the object. Whatever must survive is in
// the store. Types only.
import type { ChannelPorts } from "./channel-ports.ts";
import type { Replies } from "./replies/replies.ts";

/** The turn that runs in this life. */
export interface LiveTurn {
  turnId: string;
  epoch: number;
  controller: AbortController;
  /** Adds a small line that stays below the answer until it is complete. */
  addStatusLine: (line: string) => void;
}

/** One channel in memory. All that must survive is in `ports.store`. */
export interface Channel {
  ports: ChannelPorts;
  replies: Replies;
  live: LiveTurn | null;
  /** Turns whose last words are being sent. */
  finishing: Set<string>;
  /** Alarms in a row that failed for a fault of ours. */
  tickFailures: number;
}
