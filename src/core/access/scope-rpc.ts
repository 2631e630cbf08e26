// The messages to a scope's object. As in state/rpc.ts, fields are only added, and readers must cope when a field is missing.
import type { Allowance, Amount } from "../money/lease.ts";
import type { SpentBudget } from "../money/limit.ts";
import type { UsageSum } from "../money/report.ts";
import type { AccessRefusal, Person } from "./judge.ts";
import type { ScopeNote } from "./scope-copy.ts";

/** An owner's request to the deployment. May run twice: the state afterward is the same. */
export type OwnerRequest =
  | { op: "servers" }
  | { op: "allow"; guildId: string }
  | { op: "deny"; guildId: string; reason: string }
  | { op: "block" | "unblock"; userId: string }
  | { op: "pause"; isPaused: boolean };

/** A server as `/owner servers` lists it. Times are epoch milliseconds. */
export interface KnownServer {
  guildId: string;
  /** When someone first asked for the bot there. */
  since: number;
  isClaimed: boolean;
  /** Why the owners denied the server; null: they did not. */
  denied: string | null;
  /** Its usage this month (UTC); an older object sends none. */
  month?: UsageSum;
}

/** The answer to an owner's request. */
export type OwnerAnswer = { op: "servers"; servers: KnownServer[]; blocked: string[]; isPaused: boolean } | OwnerChange;

/** The result of a change. `unchanged`: it was like that already. `full`: the list may have no more entries. */
export type OwnerChange = { op: "changed" } | { op: "unchanged" } | { op: "full"; limit: number };

/** The limits of a place that only its scope can count, from the settings that apply there; 0: none. Money is in micro-dollars. */
export interface PlaceLimits {
  userTurns: number;
  userTokens: number;
  userMicroUsd: number;
  serverMicroUsd: number;
}

/** A turn that wants to make model calls. Repeating it is harmless: a turn has one lease. */
export interface LeaseRequest {
  turnId: string;
  userId: string;
  /** Null: the deployment's own (direct messages, visits). */
  guildId: string | null;
  /** When the turn began: the limits are those of that day and month (UTC). Missing: now. Epoch milliseconds. */
  at?: number | null;
  /** What the turn has used so far, and what its next call may use. */
  spent: Amount;
  estimate: Amount;
  limits: PlaceLimits;
  /** Also asks whether the person may use the bot here, because the turn did not just come from an endpoint. */
  person?: Person;
}

/**
 * The answer. An allowance is what the turn may have used in total before it asks again; it lapses at `until`. `note`: what applies in this
 * server now, if the request named a person; the channel of a turn that waited may be days behind.
 */
export type LeaseAnswer =
  | { kind: "granted"; allowance: Allowance; until: number; note?: ScopeNote }
  | { kind: "spent"; limit: SpentBudget }
  | { kind: "refused"; refusal: AccessRefusal };

/**
 * A failure that only the bot's owners can fix, and the channel in which it was noticed. Limits are in micro-dollars. `isAnswered`: the next
 * model of the list has answered.
 */
export type OwnerAlert = { channelId: string } & (
  | { kind: "no_credit" | "auth" | "no_model" | "unreachable"; isAnswered?: true }
  | { kind: "day_spent" | "month_spent"; limit: number; resetsAt: number }
);

/** In how many other channels of a scope a person was forgotten, and in how many that still has to happen. */
export interface ForgottenElsewhere {
  channels: number;
  left: number;
}

/** What one person, one channel and the whole scope used today and this month. */
export interface ScopeUsage {
  user: UsagePeriods;
  channel: UsagePeriods;
  all: UsagePeriods;
}

/** Today and this month (UTC). */
export interface UsagePeriods {
  today: UsageSum;
  month: UsageSum;
}

/** What `/owner usage` shows. */
export interface OwnerUsage {
  all: UsagePeriods;
  /** The five servers that cost most this month; the empty id means everything outside servers, if that is among them. */
  dearest: { guildId: string; sum: UsageSum }[];
  /** 0: no limit. */
  microUsdPerDay: number;
  microUsdPerMonth: number;
}
