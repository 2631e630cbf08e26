// What the tool runtime needs from outside. No port throws for an expected failure. Whoever leaves one out gets the platform's
// own time, or does without the power: no cache, no ledger, nobody to approve.

import type { Availability } from "../define/availability.ts";
import type { ServedContext, ServiceName, Tool } from "../define/tool.ts";
import type { ToolServices } from "../define/tool-services.ts";
import type { ToolResult } from "../tool-result.ts";

/** Time and what else the platform gives. */
export interface PlatformPorts {
  /** Runs `callback` after `ms` unless the returned function is called first. */
  after: (ms: number, callback: () => void) => () => void;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Uniform in [0, 1). */
  random: () => number;
  /** SHA-256 of the text's UTF-8, in lower-case hex. */
  sha256: (text: string) => Promise<string>;
}

/** A call that has passed its checks, as ledgers and approvals see it. */
export interface CheckedCall {
  tool: Tool;
  /** The cleaned arguments. */
  input: Readonly<Record<string, unknown>>;
  /** The cleaned arguments as canonical JSON: with the tool's name, equal for equal calls. */
  args: string;
  context: ServedContext<ServiceName>;
}

/** What is known of one call's approval. `spent`: another call of the turn was the one that it may ask for. */
export type ApprovalVerdict = "open" | "approved" | "denied" | "expired" | "spent";

/** A call as people see it: in words, and Discord's id of the message that it is about. */
export interface CallWords {
  summary: string;
  messageId?: string;
}

/** Approvals as the turn's storage knows them. */
export interface Approvals {
  /** What people said of this call; `open` when nobody was asked yet. */
  verdict(call: CheckedCall): ApprovalVerdict;
  /** Notes the call that a person is to be asked about, in words; whoever runs the turn parks it. */
  ask(call: CheckedCall, words: CallWords): void;
}

/** One answer in a cache: JSON text of a successful result. */
export interface CacheEntry {
  json: string;
  /** Epoch milliseconds; null for as long as the scope lives. */
  expiresAt: number | null;
}

/** Answers that may stand in for a run. May forget anything at any time; an expired entry may come back and is not used. */
export interface ResultCache {
  get(scope: CacheScope, key: string): CacheEntry | null;
  put(scope: CacheScope, key: string, entry: CacheEntry): void;
}

/** Where an answer is kept: with one turn, with the object's memory, in storage. */
export type CacheScope = { kind: "turn"; turnId: string } | { kind: "session" } | { kind: "persistent" };

/** What the ledger keeps of one effect. */
export interface LaunchEntry {
  /** The effect: the call's own place, or whatever the tool names it by. */
  key: string;
  /** Where the call stands in its turn: the context's `idempotencyKey`. */
  callPlace: string;
  turnId: string;
  tool: string;
  /** Canonical JSON; with the tool, equal for equal calls. */
  args: string;
}

/** A call that is about to run: for people who watch, and for the alarm behind its limit. Epoch milliseconds. */
export interface LaunchTimes {
  callId: string;
  at: number;
  deadlineAt: number;
}

/** An entry as it was found. `ownLife`: launched by this very life of the object. */
export type LaunchState = { state: "pending"; ownLife: boolean } | { state: "settled"; result: ToolResult };

/** The durable memory of effects, so that none is caused twice. Synchronous; each write is one transaction. */
export interface Ledger {
  find(entry: LaunchEntry): (LaunchEntry & LaunchState) | null;
  /**
   * The result of an equal call that an earlier attempt of the same turn has settled, or null. Each recorded result answers
   * one call of the present attempt, so a call that was made twice on purpose finds two.
   */
  settledBefore(entry: LaunchEntry): ToolResult | null;
  /** Writes `pending`, before the tool runs. False: the turn is not ours any more, and nothing may run. */
  open(entry: LaunchEntry, times: LaunchTimes): boolean;
  /** Writes the result. False: the turn is not ours any more, or was stopped, and the result counts for nothing. */
  settle(entry: LaunchEntry, result: ToolResult): boolean;
}

/** The powers of a turn that a runtime may be given. */
export interface TurnPorts {
  cache?: ResultCache;
  ledger?: Ledger;
  approvals?: Approvals;
  /** What the person, the model and the channel have; without it nothing is missing. */
  availability?: Availability;
  /** What tools may be handed here; those of the missing ones can't be called. */
  services?: Partial<ToolServices>;
  /** Texts that no result may carry: tokens and keys of this installation. */
  secrets?: readonly string[];
}

/** All a runtime may be given. */
export type RuntimePorts = Partial<PlatformPorts> & TurnPorts;
