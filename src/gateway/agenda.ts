// Plans when the session must be looked at again: one timer in memory, which is exact, and the object's alarm, which survives the object's life.
// The row is written together with the alarm, and only if something in it changed that must not be lost, so not for each event.
import { commitSeq, mayConnect } from "./connection.ts";
import { forwardsDue } from "./forwarding.ts";
import { connectionDue, silenceDue } from "./heartbeats.ts";
import type { GatewayInput } from "./inputs-and-actions.ts";
import { readingDue } from "./reading.ts";
import { act, type Step, setLive } from "./step.ts";
import { ALARM_GAIN_MS, LOST_ALARM_MS, MAX_ALARM_DELAY_MS, RESTART_DELAY_MS } from "./timings.ts";

/** Sets timer and alarm for what is due next, and writes the row with the alarm. */
export function plan(step: Step, { kind }: GatewayInput): void {
  const { now, live, isRestarting } = step;
  const timerAt = isRestarting
    ? null
    : earliest([...durable(step), ...connectionDue(step), ...silenceDue(step), ...forwardsDue(step, false)], now);
  // A timer that fires too early is harmless, but moving it with every frame would be costly.
  const isEarlier = timerAt !== null && (live.timerAt === null || timerAt < live.timerAt);
  if (isEarlier || (timerAt === null && live.timerAt !== null)) {
    setLive(step, { timerAt });
    act(step, { kind: "timer", at: timerAt });
  }
  const alarmAt = isRestarting ? now + RESTART_DELAY_MS : planAlarm(step);
  if (step.mustSave || (kind === "alarm" && alarmAt !== null)) {
    commitSeq(step);
    setLive(step, { alarmAt });
    step.actions.unshift({ kind: "save", saved: step.saved, alarmAt });
  } else if (alarmAt !== null && !hasAlarm(step, alarmAt)) {
    setLive(step, { alarmAt });
    act(step, { kind: "alarm", at: alarmAt });
  }
}

/**
 * Null if there is nothing to wait for. A connection needs alarms between its heartbeats too: without them the runtime would evict the object.
 */
function planAlarm(step: Step): number | null {
  const isConnected = step.live.connection.stage !== "idle";
  const wanted = [...durable(step), ...connectionDue(step), ...(isConnected ? [step.now + MAX_ALARM_DELAY_MS] : [])];
  return earliest(wanted, step.now);
}

/** Returns the times of work that must be done even if this life ends. */
function durable(step: Step): number[] {
  const isWaiting = step.live.connection.stage === "idle" && mayConnect(step);
  const forwards = step.program.on ? forwardsDue(step, true) : [];
  return [...(isWaiting ? [step.saved.nextAttemptAt] : []), ...forwards, ...readingDue(step)];
}

function hasAlarm({ live, now }: Step, wanted: number): boolean {
  return live.alarmAt !== null && live.alarmAt > now - LOST_ALARM_MS && wanted > live.alarmAt - ALARM_GAIN_MS;
}

/** Returns the earliest time, at least a millisecond from now, so that a deadline that is never met can't cause a busy loop. */
const earliest = (times: number[], now: number): number | null =>
  times.length === 0 ? null : Math.max(Math.ceil(Math.min(...times)), now + 1);
