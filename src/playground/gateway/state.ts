// What the local Gateway remembers: its open connections, the sessions that may be resumed, the identifies of the day, and what a
// test has told it to do wrong. Decides nothing.
import { HEARTBEAT_MS } from "./protocol.ts";

/** How to reach one socket. None of these may throw. */
export interface Line {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Ends the socket without a word, as a broken network does. */
  drop(): void;
}

/** One socket. */
export interface Connection {
  readonly id: number;
  readonly line: Line;
  readonly isResumeUrl: boolean;
  /** The interval that its Hello gave. */
  readonly heartbeatMs: number;
  /** When the last heartbeat came; first, when it was opened. */
  heardAt: number;
  /** When each frame of the last minute came. */
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
  /** The number of the last event that went out on the present socket. */
  sentSeq: number;
  /** Events of the replay, oldest first. */
  events: { s: number; t: string; text: string }[];
  /** The highest number that is no longer kept. */
  forgottenSeq: number;
  connection: Connection | null;
  lostAt: number;
}

/** A close code, or op 9 with its flag. */
export type Refusal = number | "invalid" | "resumable";

/** What a test can make the Gateway do wrong. All of it lasts until it is changed. */
export interface Switches {
  /** False: a socket opens, and nothing comes. */
  hello: boolean;
  /** False: heartbeats get no answer. */
  acks: boolean;
  /** True: no session gets its READY, and so nothing else. */
  holdReady: boolean;
  /** True: events get their numbers, but wait. READY passes. */
  holdEvents: boolean;
  refuseIdentify: Refusal | null;
  refuseResume: Refusal | null;
  /** The HTTP status that a new socket gets in place of the upgrade. */
  refuseUpgrade: number | null;
  heartbeatIntervalMs: number;
  /** `remaining` of `GET /gateway/bot`; null: what is really left. */
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
  /** Of an opened socket: was it the URL for resuming? */
  resumeUrl?: boolean;
}

/** All of it. */
export interface GatewayState {
  /** What `GET /gateway` answers, without a slash at the end. */
  readonly url: string;
  readonly resumeUrl: string;
  /** Milliseconds of the clock by which sockets live. */
  now(): number;
  readonly switches: Switches;
  readonly connections: Set<Connection>;
  readonly sessions: Map<string, Session>;
  identifies: { at: number; bucket: number }[];
  log: FrameEntry[];
  nextConnection: number;
}

/** A Gateway that does everything right. */
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

/** Makes the state of a Gateway at this URL. Its URL for resuming is another, as Discord's is. */
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
