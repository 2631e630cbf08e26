// The local Gateway as tests and the playground use it: it accepts sockets, and a test reads what went over them or makes them fail. The rules
// are in the other files of this folder.
import type { World } from "../discord/world.ts";
import { type OpenSocket, openSocket, sweep } from "./frames.ts";
import { OP } from "./protocol.ts";
import { breakOff, dispatch, endSession, flush, hangUp, note, parkSession, sendFrame } from "./sessions.ts";
import {
  type Connection,
  type FrameEntry,
  type GatewayState,
  type Line,
  noSwitches,
  type Session,
  type Switches,
} from "./state.ts";

/** An immediate act of the Gateway, on every open connection or session. */
export type GatewayAct =
  /** Breaks the sockets without a close. */
  | { act: "drop" }
  | { act: "close"; code: number; reason?: string }
  /** Op 7. */
  | { act: "reconnect" }
  /** Op 9. The session leaves its connection; with `resumable` it can be resumed, even on the same connection. */
  | { act: "invalidate"; resumable: boolean }
  /** Op 1, which asks for a heartbeat at once. */
  | { act: "heartbeat" }
  /** Sends an event again unchanged, with its old number; by default the last one. */
  | { act: "replay"; seq?: number }
  /** Sends the last message, or the last event with that name, again with a new number. */
  | { act: "duplicate"; t?: string }
  /** Sends any event. `s: null` sends it without a number. */
  | { act: "event"; t: string; d: unknown; s?: null }
  /** Sends any text as one frame. */
  | { act: "frame"; text: string }
  /** Forgets the sessions, so that nothing can be resumed. Sockets stay open. */
  | { act: "forget" };

/** The current state, for tests. */
export interface GatewayStatus {
  connections: { id: number; resumeUrl: boolean; session: string | null }[];
  sessions: { id: string; intents: number; seq: number; connection: number | null }[];
  switches: Switches;
  identifies: number;
}

/** The local Gateway. */
export interface LocalGateway {
  /** The URL, without a query, that `GET /gateway/bot` returns. The one for resuming begins with it. */
  readonly url: string;
  /** Accepts a socket that was opened with this URL. */
  open(line: Line, url: string): OpenSocket;
  /** Returns the HTTP status with which to refuse a new socket; null: accept it. Call this before `open`. */
  refusesUpgrade(): number | null;
  /** Ends what has expired. Call it about once a second; it may be called at any time. */
  sweep(): void;
  set(switches: Partial<Switches>): void;
  act(act: GatewayAct): void;
  status(): GatewayStatus;
  /** The newest ten thousand frames, oldest first. */
  readonly log: readonly FrameEntry[];
}

/** Creates the Gateway of a world. */
export function localGateway(world: World): LocalGateway {
  const { gateway } = world;
  return {
    url: gateway.url,
    open: (line, url) => openSocket(world, line, url),
    refusesUpgrade: () => gateway.switches.refuseUpgrade,
    sweep: () => sweep(world),
    set: (switches) => {
      Object.assign(gateway.switches, switches);
      for (const session of gateway.sessions.values()) flush(gateway, session);
    },
    act: (act) => perform(world, act),
    status: () => status(world),
    get log() {
      return gateway.log;
    },
  };
}

/** Switches off all faults and clears the log and the count of identifies. Open sockets and their sessions stay. */
export function resetGateway({ gateway }: World): void {
  Object.assign(gateway.switches, noSwitches());
  gateway.identifies = [];
  gateway.log.length = 0;
  for (const session of gateway.sessions.values()) flush(gateway, session);
}

function perform(world: World, act: GatewayAct): void {
  const { gateway } = world;
  for (const connection of [...gateway.connections]) performOn(gateway, connection, act);
  for (const session of [...gateway.sessions.values()]) performFor(gateway, session, act);
}

/** Performs an act on one socket. */
function performOn(gateway: GatewayState, connection: Connection, act: GatewayAct): void {
  if (act.act === "drop") breakOff(gateway, connection);
  if (act.act === "close") hangUp(gateway, connection, act.code, act.reason);
  if (act.act === "reconnect") sendFrame(gateway, connection, OP.reconnect, null);
  if (act.act === "heartbeat") sendFrame(gateway, connection, OP.heartbeat, null);
  if (act.act === "frame") sendText(gateway, connection, act.text);
  if (act.act !== "invalidate") return;
  if (connection.session) (act.resumable ? parkSession : endSession)(gateway, connection.session);
  sendFrame(gateway, connection, OP.invalidSession, act.resumable);
}

/** Performs an act on one session. */
function performFor(gateway: GatewayState, session: Session, act: GatewayAct): void {
  const { connection, events } = session;
  if (act.act === "forget") endSession(gateway, session);
  if (act.act === "replay") {
    const event = act.seq === undefined ? events.at(-1) : events.find(({ s }) => s === act.seq);
    if (event && connection) sendText(gateway, connection, event.text, event);
  }
  if (act.act === "duplicate") {
    const last = events.findLast(({ t }) => t === (act.t ?? "MESSAGE_CREATE"));
    if (last) dispatch(gateway, session, last.t, (JSON.parse(last.text) as { d: unknown }).d);
  }
  if (act.act !== "event") return;
  const { t, s, d } = act;
  if (s === null && connection) sendText(gateway, connection, JSON.stringify({ op: OP.dispatch, t, s, d }), { t, s });
  if (s !== null) dispatch(gateway, session, t, d);
}

/** Sends a text that no rule would send. */
function sendText(
  gateway: GatewayState,
  { id, line }: Connection,
  text: string,
  event: { t: string; s: number | null } | null = null,
): void {
  note(gateway, { connection: id, kind: "out", ...(event && { op: OP.dispatch, t: event.t, s: event.s }) });
  line.send(text);
}

function status({ gateway }: World): GatewayStatus {
  return {
    connections: [...gateway.connections].map(({ id, isResumeUrl, session }) => ({
      id,
      resumeUrl: isResumeUrl,
      session: session?.id ?? null,
    })),
    sessions: [...gateway.sessions.values()].map(({ id, intents, seq, connection }) => ({
      id,
      intents,
      seq,
      connection: connection?.id ?? null,
    })),
    switches: { ...gateway.switches },
    identifies: gateway.identifies.length,
  };
}
