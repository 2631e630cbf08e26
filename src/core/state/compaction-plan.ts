// What is stored of the next summary of a conversation, and what people see of summaries.
import type { SpentBudget } from "../money/limit.ts";
import type { TokenUsage } from "../money/usage.ts";

/** A summary that is to be made. */
export interface CompactionPlan {
  /** When it is tried; null: it has failed too often, and is tried again after a turn that ends `RESTED_MS` later. */
  at: number | null;
  /** Failed attempts in a row. */
  failures: number;
  /** When the last attempt failed. */
  failedAt?: number;
  /** Without it the next requests lose something: it is made beside turns, and given up for none. */
  isUrgent?: true;
  /** The person whose transcript it is, in an object of their own; missing: the channel's. */
  owner?: string;
  /** A moderator wants it now, whatever fills the window; `focus`: what it has to keep most of all. */
  asked?: { focus?: string };
  /** The model call that is under way, or was when a life ended. */
  call?: SummaryCall;
}

/** A model call for a summary: its unique id, where it counts, and what it counts as if its life ends before its answer is stored. */
export interface SummaryCall {
  id: string;
  channelId: string;
  guildId: string | null;
  at: number;
  ifCut: TokenUsage;
}

/** What `/bot summary` shows. `at`: epoch milliseconds. */
export interface SummaryReport {
  text: string;
  /** How many messages are summarised. */
  messages: number;
  at: number;
}

/** What became of `/bot compact`: so many messages are summarised soon, or there are none that could be. */
export type CompactionAnswer =
  | { result: "planned"; messages: number }
  | { result: "nothing" }
  /** The channel's budget pays for no summary. */
  | { result: "spent"; limit: SpentBudget };
