// Sessions: numbers every event, sends it or holds it back, and replays what a lost socket has missed (docs: events/gateway, "Resuming").
// Knows nothing about incoming frames.
import { CLOSES, type CloseCode, FAULTS, MAX_REPLAY, OP, RESUMABLE, RESUME_WINDOW_MS } from "./protocol.ts";
import type { Connection, FrameEntry, GatewayState, Session } from "./state.ts";

const LOG_LIMIT = 10_000;
/** The event that ends a replay, which must not be part of the next replay. */
const NOT_REPLAYED = "RESUMED";

/** Adds a line to the log. */
export function note(gateway: GatewayState, entry: Omit<FrameEntry, "at">): void {
  gateway.log.push({ at: gateway.now(), ...entry });
  if (gateway.log.length > LOG_LIMIT) gateway.log.shift();
}

/** Sends a frame that is not an event. */
export function sendFrame(gateway: GatewayState, { id, line }: Connection, op: number, d?: unknown): void {
  note(gateway, { connection: id, kind: "out", op });
  line.send(JSON.stringify(d === undefined ? { op } : { op, d }));
}

/** Numbers an event and sends it, unless it has to wait. */
export function dispatch(gateway: GatewayState, session: Session, t: string, d: unknown): void {
  session.seq += 1;
  const s = session.seq;
  session.events.push({ s, t, text: JSON.stringify({ op: OP.dispatch, t, s, d }) });
  if (session.events.length > MAX_REPLAY) session.forgottenSeq = session.events.shift()?.s ?? session.forgottenSeq;
  flush(gateway, session);
}

/** Sends the events that need not wait any longer. */
export function flush(gateway: GatewayState, session: Session): void {
  const { connection } = session;
  if (!connection) return;
  const { holdReady, holdEvents } = gateway.switches;
  const unsent = session.events.findLastIndex(({ s }) => s <= session.sentSeq) + 1;
  for (const { s, t, text } of session.events.slice(unsent)) {
    const isFirst = t === "READY";
    if (isFirst ? holdReady : holdEvents) return;
    session.sentSeq = s;
    note(gateway, { connection: connection.id, kind: "out", op: OP.dispatch, t, s });
    connection.line.send(text);
  }
}

/** Whether every event after `seq` is still kept. */
export const canReplay = (session: Session, seq: number): boolean => seq >= session.forgottenSeq;

/** Gives the session a new socket, and sends everything after `seq`. */
export function replay(gateway: GatewayState, session: Session, connection: Connection, seq: number): void {
  session.connection = connection;
  connection.session = session;
  session.events = session.events.filter(({ t }) => t !== NOT_REPLAYED);
  session.sentSeq = seq;
  flush(gateway, session);
  dispatch(gateway, session, NOT_REPLAYED, { _trace: [] });
}

/** Returns the session with this id, if it can still be resumed. */
export function findSession(gateway: GatewayState, id: string): Session | null {
  forgetSessions(gateway);
  return gateway.sessions.get(id) ?? null;
}

/** Forgets the sessions whose socket has been lost for too long. */
export function forgetSessions(gateway: GatewayState): void {
  for (const session of gateway.sessions.values())
    if (!session.connection && gateway.now() - session.lostAt > RESUME_WINDOW_MS) gateway.sessions.delete(session.id);
}

/** Ends a session, which then can't be resumed any more. Its socket, if it has one, stays open. */
export function endSession(gateway: GatewayState, session: Session): void {
  gateway.sessions.delete(session.id);
  if (session.connection) session.connection.session = null;
  session.connection = null;
}

/** Detaches a session from its socket, so that it can be resumed later. */
export function parkSession(gateway: GatewayState, session: Session): void {
  if (session.connection) session.connection.session = null;
  session.connection = null;
  session.lostAt = gateway.now();
}

/** Closes a socket with any code. */
export function hangUp(gateway: GatewayState, connection: Connection, code: number, reason?: string): void {
  if (!leave(gateway, connection, code, "discord")) return;
  connection.line.close(code, reason ?? CLOSES[code as CloseCode] ?? "");
}

/** Breaks a socket without a close. */
export function breakOff(gateway: GatewayState, connection: Connection): void {
  if (leave(gateway, connection, 1006, "discord")) connection.line.drop();
}

/** Removes a socket. Depending on the code, its session can be resumed or ends. Returns false if the socket was already removed. */
export function leave(
  gateway: GatewayState,
  connection: Connection,
  code: number,
  by: "discord" | "application",
): boolean {
  if (!gateway.connections.delete(connection)) return false;
  note(gateway, { connection: connection.id, kind: "close", code, by });
  const { session } = connection;
  if (!session) return true;
  parkSession(gateway, session);
  const isOver = by === "application" ? code === 1000 || code === 1001 : !RESUMABLE.has(code);
  if (isOver) endSession(gateway, session);
  return true;
}

/** Whether a client caused this close by what it sent. */
export const isFault = (code: number): boolean => FAULTS.has(code);
