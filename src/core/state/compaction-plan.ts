// What is stored about the next summary of a conversation, and what people see of summaries.
import type { SpentBudget } from "../money/limit.ts";
import type { TokenUsage } from "../money/usage.ts";

/** A planned summary. */
export interface CompactionPlan {
  /** When it is tried; null: it has failed too often, and is tried again after a turn that ends at least `RESTED_MS` later. */
  at: number | null;
  /** Failed attempts in a row. */
  failures: number;
  /** When the last attempt failed. */
  failedAt?: number;
  /** Without it the next requests lose messages: it is made while turns run, and no turn makes us give it up. */
  isUrgent?: true;
  /** The person whose own transcript it is, in a visitor's object; missing: the channel's. */
  owner?: string;
  /** A moderator wants it now, however full the window is; `focus`: what it should keep above all. */
  asked?: { focus?: string };
  /** The model call that is under way, or that was under way when a life ended. */
  call?: SummaryCall;
}

/** A model call for a summary: its unique id, where its usage counts, and what it counts as if its life ends before the answer is stored. */
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
  /** How many messages are summarized. */
  messages: number;
  at: number;
}

/** The result of `/bot compact`: that many messages will be summarized soon, or there are none to summarize. */
export type CompactionAnswer =
  | { result: "planned"; messages: number }
  | { result: "nothing" }
  /** The channel's budget doesn't cover a summary. */
  | { result: "spent"; limit: SpentBudget };
