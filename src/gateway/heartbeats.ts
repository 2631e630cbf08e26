// Sends the connection's heartbeats and recognizes a dead connection. Source: Discord's docs, events/gateway ("Sending Heartbeats").
import { lose, noteHealth, setConnection } from "./connection.ts";
import type { Connection, Heartbeats, Socket } from "./gateway-state.ts";
import { act, chance, type Step, setLive } from "./step.ts";
import { MAX_SENDS_PER_MINUTE, MIN_INTERVAL_MS, SENDS_WINDOW_MS, SILENT_INTERVALS } from "./timings.ts";

/** Plans the heartbeats that Hello asks for. The first comes after a random part of the interval (Discord), so that clients don't send at once. */
export function firstHeartbeats(step: Step, interval: number): Heartbeats {
  const intervalMs = Math.max(interval, MIN_INTERVAL_MS);
  return { intervalMs, nextAt: step.now + intervalMs * chance(step), isAcknowledged: true };
}

/** Handles op 11: the last heartbeat was acknowledged. */
export function onAcknowledged(step: Step, socket: Socket): void {
  const { heartbeats } = socket;
  if (heartbeats) setConnection(step, { ...socket, heartbeats: { ...heartbeats, isAcknowledged: true } });
}

/** Handles op 1, with which Discord asks for a heartbeat: sends it at once. The regular ones still await their acknowledgement. */
export function onHeartbeatWanted(step: Step, socket: Socket): void {
  const { since, count } = step.live.sends;
  if (step.now - since < SENDS_WINDOW_MS && count >= MAX_SENDS_PER_MINUTE) return;
  sendHeartbeat(step, socket.generation);
}

/** Sends a heartbeat that is due, or gives up a connection that is dead or stays in one stage for too long. */
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
  // Discord didn't get the last heartbeat; or this machine slept, and Discord has dropped us ("zombied connections").
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

/** Returns when silence would mean a dead connection. Every frame moves this time, so no alarm is set for it. */
export function silenceDue({ live }: Step): number[] {
  const { connection } = live;
  if (!isBeating(connection)) return [];
  return [connection.lastFrameAt + connection.heartbeats.intervalMs * SILENT_INTERVALS];
}

/** Returns when else `tickConnection` has something to do. */
export function connectionDue({ live }: Step): number[] {
  const { connection } = live;
  return [
    ...("deadlineAt" in connection ? [connection.deadlineAt] : []),
    ...(isBeating(connection) ? [connection.heartbeats.nextAt] : []),
  ];
}

/** Whether Hello has named the interval of the heartbeats. */
const isBeating = (connection: Connection): connection is Socket & { heartbeats: Heartbeats } =>
  "heartbeats" in connection && connection.heartbeats !== null;

/**
 * Sends a heartbeat. It carries the stored number, not the last one received: Discord may forget events up to the number in an acknowledged
 * heartbeat (which isn't documented), and after a death we would ask for everything after the stored number.
 */
function sendHeartbeat(step: Step, generation: number): void {
  const { since, count } = step.live.sends;
  const isNewMinute = step.now - since >= SENDS_WINDOW_MS || step.now < since;
  setLive(step, { sends: isNewMinute ? { since: step.now, count: 1 } : { since, count: count + 1 } });
  act(step, { kind: "send", generation, send: { op: "heartbeat", seq: step.saved.session?.seq ?? null } });
}
