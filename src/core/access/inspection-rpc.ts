// What the inspector learns from a scope: recent usage, and where it happened. Types only.
import type { UsageSum } from "../money/report.ts";

/** The usage of one server or channel in the period that is shown. */
export interface LatelyUsed {
  /** A server's id (empty: outside servers), or the name of the object that keeps the conversation. */
  id: string;
  /** The last day (UTC) with a turn. */
  lastDay: string;
  sum: UsageSum;
}

/** The last 30 days of a scope. A deployment lists its servers and the channels outside them; a server lists its own channels. */
export interface ScopeInspection {
  /** Days with turns, oldest first. */
  days: readonly { day: string; sum: UsageSum }[];
  /** Most recently used first. */
  servers: readonly LatelyUsed[];
  channels: readonly LatelyUsed[];
  /** How many more there are. */
  serversLeftOut: number;
  channelsLeftOut: number;
}
