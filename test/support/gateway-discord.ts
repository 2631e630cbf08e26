// A Discord for the gateway's session, in virtual time and as strict as the real one: sessions with numbered events, replay, one Identify
// per 5 s. It forgets what a heartbeat acknowledges. Its switches are the faults of a network and of Discord.
import type { GatewayEvent, Send } from "../../src/gateway/inputs-and-actions.ts";
import type { GatewayMessage, Place } from "../../src/gateway/message.ts";
import { compareIds, idAt } from "../../src/gateway/snowflake.ts";
import type { VirtualTime } from "./virtual-time.ts";

export const BOT = "900";
export const APPLICATION = "901";
export const INTERVAL_MS = 41_250;
export const GENERAL_URL = "wss://gateway.test";
const RESUME_URL = "wss://resume.test";
const LATENCY_MS = 20;

/** What the session's owner is notified of about a socket. */
export interface Ears {
  opened(): void;
  frame(frame: object): void;
  closed(code: number): void;
  failed(status: number | null): void;
}

interface Session {
  id: string;
  seq: number;
  /** Events up to this number were acknowledged and are forgotten. */
  forgotten: number;
  events: { seq: number; event: GatewayEvent }[];
  /** It lasts as long as its connection. */
  isDoomed: boolean;
}

/** One connection, at Discord's end. */
export interface Connection {
  ears: Ears;
  url: string;
  session: Session | null;
  /** Half-open: nothing passes, and nobody notices. */
  isFrozen: boolean;
  isGone: boolean;
}

/** A number is counted down with each use; a flag stays until it is switched off. */
export interface Switches {
  refusedUpgrades: number;
  mutedHellos: number;
  mutedReadies: number;
  refusedResumes: number;
  failedLookUps: number;
  acknowledges: boolean;
  remaining: number;
}

/** The fake. */
export class GatewayDiscord {
  readonly switches: Switches = {
    refusedUpgrades: 0,
    mutedHellos: 0,
    mutedReadies: 0,
    refusedResumes: 0,
    failedLookUps: 0,
    acknowledges: true,
    remaining: 1000,
  };
  readonly identifies: number[] = [];
  readonly resumes: { at: number; seq: number; url: string }[] = [];
  readonly heartbeats: { at: number; seq: number | null }[] = [];
  readonly violations: string[] = [];
  readonly messages: GatewayMessage[] = [];
  readonly connections: Connection[] = [];
  readonly #time: VirtualTime;
  readonly #sessions = new Map<string, Session>();
  #count = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** The current connection; the newest one, if an old one is dead but not noticed yet. */
  get current(): Connection | undefined {
    return this.connections.findLast(({ isGone }) => !isGone);
  }

  connect(url: string, ears: Ears): Connection {
    const connection: Connection = { ears, url, session: null, isFrozen: false, isGone: false };
    this.connections.push(connection);
    this.#time.in(LATENCY_MS, () => {
      if (connection.isGone) return;
      if (this.#counts("refusedUpgrades")) {
        connection.isGone = true;
        return ears.failed(502);
      }
      ears.opened();
      if (!this.#counts("mutedHellos")) this.send(connection, { op: "hello", intervalMs: INTERVAL_MS });
    });
    return connection;
  }

  lookUp(): { ok: true; remaining: number } | { ok: false; status: number } {
    return this.#counts("failedLookUps")
      ? { ok: false, status: 502 }
      : { ok: true, remaining: this.switches.remaining };
  }

  hear(connection: Connection, send: Send): void {
    if (connection.isGone || connection.isFrozen) return;
    if (send.op === "identify") this.#identify(connection);
    else if (send.op === "resume") this.#resume(connection, send.sessionId, send.seq);
    else {
      this.heartbeats.push({ at: this.#time.now, seq: send.seq });
      const { session } = connection;
      if (session && send.seq !== null) {
        if (send.seq > session.seq) this.violations.push(`a heartbeat of ${send.seq} after event ${session.seq}`);
        session.forgotten = Math.max(session.forgotten, send.seq);
      }
      if (this.switches.acknowledges) this.send(connection, { op: "acknowledged" });
    }
  }

  /** Our side has closed or lost the socket. */
  leave(connection: Connection, code: number): void {
    if (connection.isGone) return;
    connection.isGone = true;
    if (code === 1000 && connection.session) this.#sessions.delete(connection.session.id);
  }

  /** Discord closes. */
  close(code: number): void {
    const { current } = this;
    if (!current) return;
    current.isGone = true;
    if (!current.isFrozen) this.#time.in(LATENCY_MS, () => current.ears.closed(code));
  }

  freeze(): void {
    const { current } = this;
    if (current) current.isFrozen = true;
  }

  /** Sends a frame over the current connection. */
  say(frame: object): void {
    const { current } = this;
    if (current) this.send(current, frame);
  }

  send(connection: Connection, frame: object): void {
    if (connection.isFrozen || connection.isGone) return;
    this.#time.in(LATENCY_MS, () => connection.ears.frame(frame));
  }

  /** Discord will not resume any session: a client that comes back must identify. */
  forgetSessions(): void {
    for (const session of this.#sessions.values()) session.isDoomed = true;
  }

  /** Something is said in a channel. */
  post(more: Partial<GatewayMessage> & { place: Place; channelId: string }): GatewayMessage {
    const message: GatewayMessage = {
      id: String(BigInt(idAt(this.#time.now)) + BigInt(++this.#count)),
      kind: "message",
      author: { id: "50", name: "Mira", isPerson: true, roles: [] },
      isEphemeral: false,
      mentions: [],
      roleMentions: [],
      text: "hello",
      attachments: [],
      forwarded: null,
      repliedTo: null,
      ...more,
    };
    this.messages.push(message);
    this.dispatch({ kind: "message", message });
    return message;
  }

  dispatch(event: GatewayEvent): void {
    for (const session of this.#sessions.values()) {
      const numbered = { seq: ++session.seq, event };
      session.events.push(numbered);
      const connection = this.connections.find((one) => one.session === session && !one.isGone);
      if (connection) this.send(connection, { op: "dispatch", ...numbered });
    }
  }

  /** `GET /channels/{id}/messages`: the first messages after an id, newest first. */
  list(channelId: string, after: string, limit: number): { messages: GatewayMessage[]; isLast: boolean } {
    const all = this.messages.filter((one) => one.channelId === channelId && compareIds(one.id, after) > 0);
    return { messages: all.slice(0, limit).reverse(), isLast: all.length <= limit };
  }

  #identify(connection: Connection): void {
    const last = this.identifies.at(-1);
    this.identifies.push(this.#time.now);
    if (connection.session) this.violations.push("identified twice on one connection");
    if (last !== undefined && this.#time.now - last < 5000) {
      this.violations.push(`identified ${this.#time.now - last} ms after the last time`);
      this.send(connection, { op: "invalid_session", mayResume: false });
      return;
    }
    if (this.#counts("mutedReadies")) return;
    const id = `session ${this.identifies.length}`;
    const session: Session = { id, seq: 1, forgotten: 0, events: [], isDoomed: false };
    this.#sessions.set(id, session);
    connection.session = session;
    const event: GatewayEvent = {
      kind: "ready",
      sessionId: id,
      resumeUrl: RESUME_URL,
      userId: BOT,
      applicationId: APPLICATION,
    };
    this.send(connection, { op: "dispatch", seq: 1, event });
  }

  #resume(connection: Connection, id: string, seq: number): void {
    this.resumes.push({ at: this.#time.now, seq, url: connection.url });
    const session = this.#sessions.get(id);
    if (this.#counts("mutedReadies")) return;
    if (!session || session.isDoomed || seq < session.forgotten || this.#counts("refusedResumes")) {
      if (session && seq < session.forgotten)
        this.violations.push(`asked for ${seq} after acknowledging ${session.forgotten}`);
      this.send(connection, { op: "invalid_session", mayResume: false });
      return;
    }
    for (const old of this.connections) if (old.session === session && old !== connection) old.isGone = true;
    connection.session = session;
    for (const numbered of session.events.filter((one) => one.seq > seq))
      this.send(connection, { op: "dispatch", ...numbered });
    this.send(connection, { op: "dispatch", seq: ++session.seq, event: { kind: "resumed" } });
  }

  #counts(name: "refusedUpgrades" | "mutedHellos" | "mutedReadies" | "refusedResumes" | "failedLookUps"): boolean {
    if (this.switches[name] === 0) return false;
    this.switches[name]--;
    return true;
  }
}
