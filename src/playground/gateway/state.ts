// The state of the local Gateway: its open connections, the sessions that can be resumed, the day's identifies, and the faults that a test has
// switched on. Decides nothing.
import { HEARTBEAT_MS } from "./protocol.ts";

/** How to reach one socket. None of these may throw. */
export interface Line {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Ends the socket without a close, like a broken network. */
  drop(): void;
}

/** One socket. */
export interface Connection {
  readonly id: number;
  readonly line: Line;
  readonly isResumeUrl: boolean;
  /** The interval that its Hello gave. */
  readonly heartbeatMs: number;
  /** The time of the last heartbeat; before the first one, of the opening. */
  heardAt: number;
  /** The arrival times of the frames in the last minute. */
  sends: number[];
  session: Session | null;
}

/** One stream of events, which may outlive its socket. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  /** The number of the last event. */
  seq: number;
  /** The number of the last event that was sent on the current socket. */
  sentSeq: number;
  /** The events kept for a replay, oldest first. */
  events: { s: number; t: string; text: string }[];
  /** The highest number that is no longer kept. */
  forgottenSeq: number;
  connection: Connection | null;
  lostAt: number;
}

/** A close code, or op 9 with its flag. */
export type Refusal = number | "invalid" | "resumable";

/** The faults that a test can switch on. Each lasts until it is changed. */
export interface Switches {
  /** False: a socket opens, but gets no Hello. */
  hello: boolean;
  /** False: heartbeats get no answer. */
  acks: boolean;
  /** True: no session gets its READY, nor anything after it. */
  holdReady: boolean;
  /** True: events get their numbers, but wait. READY is still sent. */
  holdEvents: boolean;
  refuseIdentify: Refusal | null;
  refuseResume: Refusal | null;
  /** The HTTP status that a new socket gets instead of the upgrade. */
  refuseUpgrade: number | null;
  heartbeatIntervalMs: number;
  /** `remaining` in `GET /gateway/bot`; null: the real number. */
  identifiesLeft: number | null;
  maxConcurrency: number;
  shards: number;
}

/** One frame, or the beginning or end of a socket. */
export interface FrameEntry {
  at: number;
  connection: number;
  kind: "open" | "in" | "out" | "close";
  op?: number;
  t?: string;
  s?: number | null;
  /** What an application sent, without its token. */
  d?: unknown;
  /** The code of a close, and who closed. */
  code?: number;
  by?: "discord" | "application";
  /** For an opened socket: whether it used the URL for resuming. */
  resumeUrl?: boolean;
}

/** The whole state. */
export interface GatewayState {
  /** The URL that `GET /gateway` returns, without a trailing slash. */
  readonly url: string;
  readonly resumeUrl: string;
  /** The clock for sockets, in milliseconds. */
  now(): number;
  readonly switches: Switches;
  readonly connections: Set<Connection>;
  readonly sessions: Map<string, Session>;
  identifies: { at: number; bucket: number }[];
  log: FrameEntry[];
  nextConnection: number;
}

/** The switches of a Gateway without faults. */
export const noSwitches = (): Switches => ({
  hello: true,
  acks: true,
  holdReady: false,
  holdEvents: false,
  refuseIdentify: null,
  refuseResume: null,
  refuseUpgrade: null,
  heartbeatIntervalMs: HEARTBEAT_MS,
  identifiesLeft: null,
  maxConcurrency: 1,
  shards: 1,
});

/** Creates the state of a Gateway at this URL. As with Discord, the URL for resuming is a different one. */
export const gatewayState = (url: string, now: () => number): GatewayState => ({
  url,
  resumeUrl: `${url}/resume`,
  now,
  switches: noSwitches(),
  connections: new Set(),
  sessions: new Map(),
  identifies: [],
  log: [],
  nextConnection: 1,
});
