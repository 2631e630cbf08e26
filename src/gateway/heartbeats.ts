// Heartbeats of the connection, and how a dead one is recognized. Sources: Discord's docs, events/gateway ("Sending Heartbeats").
import { lose, noteHealth, setConnection } from "./connection.ts";
import type { Connection, Heartbeats, Socket } from "./gateway-state.ts";
import { act, chance, type Step, setLive } from "./step.ts";
import { MAX_SENDS_PER_MINUTE, MIN_INTERVAL_MS, SENDS_WINDOW_MS, SILENT_INTERVALS } from "./timings.ts";

/** The heartbeats that Hello asks for. The first comes after a random part of the interval (Discord), so that not all come at once. */
export function firstHeartbeats(step: Step, interval: number): Heartbeats {
  const intervalMs = Math.max(interval, MIN_INTERVAL_MS);
  return { intervalMs, nextAt: step.now + intervalMs * chance(step), isAcknowledged: true };
}

/** Op 11. */
export function onAcknowledged(step: Step, socket: Socket): void {
  const { heartbeats } = socket;
  if (heartbeats) setConnection(step, { ...socket, heartbeats: { ...heartbeats, isAcknowledged: true } });
}

/** Op 1 from Discord: at once, beside the regular ones, whose acknowledgement is still awaited. */
export function onHeartbeatWanted(step: Step, socket: Socket): void {
  const { since, count } = step.live.sends;
  if (step.now - since < SENDS_WINDOW_MS && count >= MAX_SENDS_PER_MINUTE) return;
  sendHeartbeat(step, socket.generation);
}

/** Sends the heartbeat that is due, or gives up a connection that shows no life, or stays in one stage for too long. */
export function tickConnection(step: Step): void {
  const { connection } = step.live;
  const { now } = step;
  if (connection.stage === "idle") return;
  noteHealth(step);
  const giveUp = (line: string) => lose(step, { line, detail: { stage: connection.stage } });
  if (connection.stage !== "ready" && connection.deadlineAt <= now) {
    giveUp("the gateway did not answer in time");
    return;
  }
  if (!isBeating(connection)) return;
  const { heartbeats, lastFrameAt, generation } = connection;
  const { intervalMs, nextAt, isAcknowledged } = heartbeats;
  if (now - lastFrameAt >= intervalMs * SILENT_INTERVALS) {
    giveUp("the gateway is silent");
    return;
  }
  if (now < nextAt) return;
  // The last one was sent into the void; or this machine slept, and Discord has given us up ("zombied connections").
  if (!isAcknowledged) {
    giveUp("the gateway acknowledged no heartbeat");
    return;
  }
  if (now - nextAt >= intervalMs) {
    giveUp("a heartbeat was too late");
    return;
  }
  setConnection(step, { ...connection, heartbeats: { intervalMs, nextAt: now + intervalMs, isAcknowledged: false } });
  sendHeartbeat(step, generation);
}

/** When silence is the sign of a dead connection. Every frame moves it, so it is nothing to set an alarm for. */
export function silenceDue({ live }: Step): number[] {
  const { connection } = live;
  if (!isBeating(connection)) return [];
  return [connection.lastFrameAt + connection.heartbeats.intervalMs * SILENT_INTERVALS];
}

/** When else `tickConnection` has something to do. */
export function connectionDue({ live }: Step): number[] {
  const { connection } = live;
  return [
    ...("deadlineAt" in connection ? [connection.deadlineAt] : []),
    ...(isBeating(connection) ? [connection.heartbeats.nextAt] : []),
  ];
}

/** Has Hello named the interval of the heartbeats? */
const isBeating = (connection: Connection): connection is Socket & { heartbeats: Heartbeats } =>
  "heartbeats" in connection && connection.heartbeats !== null;

/**
 * It carries the stored number and not the last one received: what Discord forgets after an acknowledged heartbeat must not be what
 * we would ask for after a death. That it forgets by heartbeats isn't documented.
 */
function sendHeartbeat(step: Step, generation: number): void {
  const { since, count } = step.live.sends;
  const isNewMinute = step.now - since >= SENDS_WINDOW_MS || step.now < since;
  setLive(step, { sends: isNewMinute ? { since: step.now, count: 1 } : { since, count: count + 1 } });
  act(step, { kind: "send", generation, send: { op: "heartbeat", seq: step.saved.session?.seq ?? null } });
}
