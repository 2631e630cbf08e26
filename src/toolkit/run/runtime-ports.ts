// What the tool runtime needs from outside. No port throws for an expected failure. Without a platform port the runtime uses the
// platform's own; without a turn port it works without that ability: no cache, no ledger, no approval.

import type { Availability } from "../define/availability.ts";
import type { ServedContext, ServiceName, Tool } from "../define/tool.ts";
import type { AvailableServices } from "../define/tool-services.ts";
import type { ToolResult } from "../tool-result.ts";

/** Time, randomness and a digest from the platform. */
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
  /** The cleaned arguments as canonical JSON. Together with the tool's name, it is equal for equal calls. */
  args: string;
  context: ServedContext<ServiceName>;
}

/**
 * The state of one call's approval. `no_approver`: only a moderator may approve it, and none can be asked. `spent`: the turn has already used its
 * one request for approval on another call.
 */
export type ApprovalVerdict = "open" | "approved" | "denied" | "expired" | "no_approver" | "spent";

/** A call as people see it: a description, and Discord's id of the message that it is about. */
export interface CallWords {
  summary: string;
  /** The summary does not show everything. */
  isCut?: true;
  /** The person who asked may not approve it. */
  byModerator?: true;
  /** Approval is needed because the turn has read words of strangers. */
  isSuspect?: true;
  messageId?: string;
}

/** The approvals in the turn's storage. */
export interface Approvals {
  /**
   * Returns what people decided about this call; `open` if nobody was asked yet. What they refused stays refused in its turn even if no approval
   * `isNeeded` any more: while a person decides, a server may change what it says about its tool.
   */
  verdict(call: CheckedCall, isNeeded: boolean): ApprovalVerdict;
  /** Notes the call that a person must approve, with its description; the turn's loop then parks the turn. */
  ask(call: CheckedCall, words: CallWords): void;
}

/** One cached answer: JSON text of a successful result. */
export interface CacheEntry {
  json: string;
  /** Epoch milliseconds; null: it lasts as long as the scope lives. */
  expiresAt: number | null;
}

/** Answers that may replace a run. May forget anything at any time. May return an expired entry, which is then not used. */
export interface ResultCache {
  get(scope: CacheScope, key: string): CacheEntry | null;
  put(scope: CacheScope, key: string, entry: CacheEntry): void;
  /** Deletes the stored answers that have expired. */
  sweep(): void;
}

/** Where an answer is kept: with one turn, in the object's memory, or in storage. */
export type CacheScope = { kind: "turn"; turnId: string } | { kind: "session" } | { kind: "persistent" };

/** What the ledger stores about one effect. */
export interface LaunchEntry {
  /** Identifies the effect: the call's position, or the tool's own key. */
  key: string;
  /** The call's position in its turn: the context's `idempotencyKey`. */
  callPlace: string;
  turnId: string;
  tool: string;
  /** Canonical JSON. Together with the tool, equal for equal calls. */
  args: string;
}

/** A call that is about to run: for people who watch, and for the alarm that backs up its limit. Epoch milliseconds. */
export interface LaunchTimes {
  callId: string;
  at: number;
  deadlineAt: number;
}

/** The state of an entry. `ownLife`: launched by this very life of the object. */
export type LaunchState = { state: "pending"; ownLife: boolean } | { state: "settled"; result: ToolResult };

/** The durable memory of effects, so that none happens twice. Synchronous; each write is one transaction. */
export interface Ledger {
  find(entry: LaunchEntry): (LaunchEntry & LaunchState) | null;
  /**
   * The result of an equal call that an earlier attempt of the same turn launched, or null. Each recorded result answers one call
   * of the current attempt, so a call made twice on purpose finds two. One whose result could not be stored was interrupted.
   */
  settledBefore(entry: LaunchEntry): ToolResult | null;
  /** Writes `pending` before the tool runs. False: the turn is no longer ours, and nothing may run. */
  open(entry: LaunchEntry, times: LaunchTimes): boolean;
  /** Writes the result. False: the turn is no longer ours, or was stopped, and the result does not count. */
  settle(entry: LaunchEntry, result: ToolResult): boolean;
}

/** What a turn may give its runtime. */
export interface TurnPorts {
  cache?: ResultCache;
  ledger?: Ledger;
  approvals?: Approvals;
  /** What the person, the model and the channel have. Without it, nothing counts as missing. */
  availability?: Availability;
  /** The services for tools here. A tool whose service is missing can't be called. */
  services?: AvailableServices;
  /** Texts that no result may contain: tokens and keys of this installation. */
  secrets?: readonly string[];
}

/** Everything that a runtime may be given. */
export type RuntimePorts = Partial<PlatformPorts> & TurnPorts;
