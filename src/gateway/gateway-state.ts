// The state of the gateway's session: what is stored in one row, what a life of the object has in memory, and how a life begins.

import { parseJson } from "../core/json.ts";
import type { GatewayRefusal } from "../core/state/gateway-status.ts";
import type { Self } from "../core/state/self.ts";
import { type ForwardedEvent, messageOf } from "./forwarded-event.ts";
import { emptyRecollection, type Recollection } from "./recollection.ts";

/** What a program is: the version that runs, and a hash of what Discord may refuse: the release, the token, `DISCORD_GATEWAY`. */
export interface ProgramId {
  version: string;
  configHash: string;
}

/** The program that runs, and its part of the configuration. */
export interface Program extends ProgramId {
  /** `DISCORD_GATEWAY` is on and there is a token. */
  on: boolean;
}

/**
 * The stored row. Without the token and without any message. Fields are only added, and a missing one has its value of `emptySaved`,
 * so that the program before and after this one can read it.
 */
export interface SavedState {
  /** `seq`: every event up to it was dropped, taken by its channel, or is in the outbox. It never goes back within a session. */
  session: { id: string; resumeUrl: string; seq: number } | null;
  /** As READY names us. */
  self: Self | null;
  /** The application has the switch for the text of all messages, as Discord said before the last Identify. */
  readsContent: boolean;
  /** Connections since the last healthy one; since one became ready, no more than `lost`. */
  attempts: number;
  /** Those of them that became ready. */
  lost: number;
  nextAttemptAt: number;
  /** The longest that the next attempt may be away: a clock that was set back must not make us wait for it. */
  waitMs: number;
  /** Resumes that were sent since the last one that succeeded. */
  resumeTries: number;
  lastIdentifyAt: number | null;
  /** Identifies by hour since 1970. */
  identifies: Readonly<Record<string, number>>;
  refused: { reason: GatewayRefusal; configHash: string } | null;
  /** Ids of the channels that are still to be read after a gap. */
  unread: readonly string[];
  /** The last program that met a caller of another version. It doesn't connect until its own version calls. */
  retired: ProgramId | null;
}

/** The row before the first one. */
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

/** A forward in the outbox: one row each, so that it outlives the session it came with. */
export interface OutboxRow {
  key: string;
  event: ForwardedEvent;
  /** When it arrived. */
  at: number;
  /** It mentions a role, and no one knows yet whether it is ours. */
  isUnsure: boolean;
}

/** An event on its way to its channel. */
export interface Forward extends OutboxRow {
  /** The event's number in its session; null outside one. What is stored no longer needs it. */
  seq: number | null;
  isStored: boolean;
  failures: number;
  /**
   * `flying`: asked, no answer yet. `waiting`: for its next try at `since`. `behind`: an earlier event about the same message comes
   * first. `since` is the time of the try otherwise.
   */
  stage: "flying" | "waiting" | "behind";
  since: number;
}

/** The heartbeats of a socket. */
export interface Heartbeats {
  intervalMs: number;
  nextAt: number;
  isAcknowledged: boolean;
}

/** A socket, from the request on. `deadlineAt`: when its stage has lasted too long. */
export type Socket = { generation: number; lastFrameAt: number; heartbeats: Heartbeats | null } & (
  | { stage: "opening" | "greeting" | "identifying" | "resuming"; deadlineAt: number }
  | { stage: "ready"; readyAt: number }
);

/** There is at most one socket, because there is one place for it. */
export type Connection = { stage: "idle" } | { stage: "looking_up"; generation: number; deadlineAt: number } | Socket;

/** What dies with the object. */
export interface LiveState {
  /** The number of the newest socket or look-up. */
  generation: number;
  connection: Connection;
  /** The highest number received in this session. */
  seq: number | null;
  /** By key, in the order of arrival. */
  forwards: Readonly<Record<string, Forward>>;
  /** Servers' managed roles, as they were found. */
  roles: Readonly<Record<string, { roleId: string | null; at: number }>>;
  /** Reads of channels under way or to be repeated. */
  reading: Readonly<
    Record<string, { generation: number; pages: number; failures: number; after: string; retryAt: number | null }>
  >;
  /** Ids of the messages that were deleted last; one of them may still come. */
  deleted: readonly string[];
  sends: { since: number; count: number };
  timerAt: number | null;
  alarmAt: number | null;
  /** The program has ended. */
  isEnded: boolean;
  /** The time of the last step. */
  now: number;
  random: number;
}

/** All of it. JSON can hold it. */
export interface GatewayState {
  program: Program;
  saved: SavedState;
  live: LiveState;
  known: Recollection;
}

/** What a life begins with. `row`: the stored JSON. `outbox` and `known`: the oldest first. `seed`: any number, from which all chance comes. */
export interface Beginning {
  program: Program;
  row: string | null;
  outbox: readonly OutboxRow[];
  known?: Recollection;
  seed: number;
}

/** The state of a new life. Its first input is a wake or an alarm. */
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

/** A row that can't be read is no row: then we identify anew. */
const readSaved = (row: string | null): SavedState => ({
  ...emptySaved,
  ...(parseJson(row ?? "") as Partial<SavedState> | undefined),
});
