// The state of the gateway's session: what is stored in one row, what a life of the object keeps in memory, and how a life begins.

import { parseJson } from "../core/json.ts";
import type { GatewayRefusal } from "../core/state/gateway-status.ts";
import type { Self } from "../core/state/self.ts";
import { type ForwardedEvent, messageOf } from "./forwarded-event.ts";
import { emptyRecollection, type Recollection } from "./recollection.ts";

/** Identifies a program: its version, and a hash of everything that Discord may refuse: the release, the token, `DISCORD_GATEWAY`. */
export interface ProgramId {
  version: string;
  configHash: string;
}

/** The running program, and its part of the configuration. */
export interface Program extends ProgramId {
  /** Whether `DISCORD_GATEWAY` is on and there is a token. */
  on: boolean;
}

/**
 * The stored row. It contains neither the token nor any message. Fields are only added, and a missing one has its value from `emptySaved`,
 * so that the previous and the next program can read the row.
 */
export interface SavedState {
  /** `seq`: every event up to it was dropped, taken by its channel, or is in the outbox. It never goes back within a session. */
  session: { id: string; resumeUrl: string; seq: number } | null;
  /** Who we are, from READY. */
  self: Self | null;
  /** Whether the application may receive the text of all messages, as Discord said before the last Identify. */
  readsContent: boolean;
  /** Connection attempts since the last healthy connection. When one becomes ready this drops to `lost`. */
  attempts: number;
  /** How many of these attempts became ready. */
  lost: number;
  nextAttemptAt: number;
  /** How far away the next attempt may be at most, so that a clock that is set back doesn't make the wait longer. */
  waitMs: number;
  /** Resumes that were sent since the last successful one. */
  resumeTries: number;
  lastIdentifyAt: number | null;
  /** How many Identifies were sent, by hour since 1970. */
  identifies: Readonly<Record<string, number>>;
  refused: { reason: GatewayRefusal; configHash: string } | null;
  /** Ids of the channels that must still be read after a gap. */
  unread: readonly string[];
  /** The last program that was called by another version. It doesn't connect until its own version calls. */
  retired: ProgramId | null;
}

/** The row before anything was stored. */
export const emptySaved: SavedState = {
  session: null,
  self: null,
  readsContent: false,
  attempts: 0,
  lost: 0,
  nextAttemptAt: 0,
  waitMs: 0,
  resumeTries: 0,
  lastIdentifyAt: null,
  identifies: {},
  refused: null,
  unread: [],
  retired: null,
};

/** An event in the outbox, one row each, so that it outlives the session in which it came. */
export interface OutboxRow {
  key: string;
  event: ForwardedEvent;
  /** When it arrived. */
  at: number;
  /** Whether it mentions a role that may be ours, which is not known yet. */
  isUnsure: boolean;
}

/** An event on its way to its channel. */
export interface Forward extends OutboxRow {
  /** The event's number in its session; null outside a session. A stored event no longer needs it. */
  seq: number | null;
  isStored: boolean;
  failures: number;
  /**
   * `flying`: sent, without an answer yet. `waiting`: for its next attempt, at `since`. `behind`: an earlier event about the same message comes
   * first. Except for `waiting`, `since` is when the stage began.
   */
  stage: "flying" | "waiting" | "behind";
  since: number;
}

/** The state of a socket's heartbeats. */
export interface Heartbeats {
  intervalMs: number;
  nextAt: number;
  isAcknowledged: boolean;
}

/** A socket, from its request on. `deadlineAt`: when its stage has lasted too long. */
export type Socket = { generation: number; lastFrameAt: number; heartbeats: Heartbeats | null } & (
  | { stage: "opening" | "greeting" | "identifying" | "resuming"; deadlineAt: number }
  | { stage: "ready"; readyAt: number }
);

/** The state has room for only one connection, so there is at most one socket. */
export type Connection = { stage: "idle" } | { stage: "looking_up"; generation: number; deadlineAt: number } | Socket;

/** The part of the state that is in memory only. */
export interface LiveState {
  /** The number of the newest socket or lookup. */
  generation: number;
  connection: Connection;
  /** The highest number received in this session. */
  seq: number | null;
  /** The events on their way, by key, in the order of arrival. */
  forwards: Readonly<Record<string, Forward>>;
  /** Our managed role in each server, as last looked up. */
  roles: Readonly<Record<string, { roleId: string | null; at: number }>>;
  /** Reads of channels that are under way or will be repeated. */
  reading: Readonly<
    Record<string, { generation: number; pages: number; failures: number; after: string; retryAt: number | null }>
  >;
  /** Ids of the messages that were deleted last. Such a message may still arrive. */
  deleted: readonly string[];
  sends: { since: number; count: number };
  timerAt: number | null;
  alarmAt: number | null;
  /** Whether the program has ended. */
  isEnded: boolean;
  /** The time of the last step. */
  now: number;
  random: number;
}

/** The whole state. It can be written as JSON. */
export interface GatewayState {
  program: Program;
  saved: SavedState;
  live: LiveState;
  known: Recollection;
}

/** What a life begins with. `row`: the stored JSON. `outbox` and `known`: the oldest first. `seed`: any number, the source of all randomness. */
export interface Beginning {
  program: Program;
  row: string | null;
  outbox: readonly OutboxRow[];
  known?: Recollection;
  seed: number;
}

/** Builds the state of a new life. Its first input is a wake or an alarm. */
export function beginGateway({ program, row, outbox, known = emptyRecollection, seed }: Beginning): GatewayState {
  const messages = new Set<string>();
  const forwards = outbox.map((one): [string, Forward] => {
    const messageId = messageOf(one.event);
    const stage = messages.has(messageId) ? "behind" : "waiting";
    messages.add(messageId);
    return [one.key, { ...one, seq: null, isStored: true, failures: 1, stage, since: 0 }];
  });
  const saved = readSaved(row);
  return {
    program,
    saved,
    known,
    live: {
      generation: 0,
      connection: { stage: "idle" },
      seq: saved.session?.seq ?? null,
      forwards: Object.fromEntries(forwards),
      roles: {},
      reading: {},
      deleted: [],
      sends: { since: 0, count: 0 },
      timerAt: null,
      alarmAt: null,
      isEnded: false,
      now: 0,
      random: seed | 0,
    },
  };
}

/** Reads the stored row. One that can't be read counts as missing, so that we identify anew. */
const readSaved = (row: string | null): SavedState => ({
  ...emptySaved,
  ...(parseJson(row ?? "") as Partial<SavedState> | undefined),
});
