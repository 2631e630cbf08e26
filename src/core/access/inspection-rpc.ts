// What the inspector asks a scope: what was used lately, and where. Types only.
import type { UsageSum } from "../money/report.ts";

/** One server or channel, and what was used there in the days that were looked at. */
export interface LatelyUsed {
  /** A server's id (empty: outside servers), or the name of the object that keeps the conversation. */
  id: string;
  /** The last day (UTC) with a turn. */
  lastDay: string;
  sum: UsageSum;
}

/** The last 30 days of a scope. A deployment has its servers and the channels outside them; a server has its own channels. */
export interface ScopeInspection {
  /** Days with turns, the oldest first. */
  days: readonly { day: string; sum: UsageSum }[];
  /** The last used first. */
  servers: readonly LatelyUsed[];
  channels: readonly LatelyUsed[];
  /** How many more there are. */
  serversLeftOut: number;
  channelsLeftOut: number;
}
