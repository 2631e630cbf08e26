// When a scope's object wakes by itself: for reports that the deployment has not taken, for channels that have not forgotten someone, and
// for what is too old.
import { nextExpiry } from "./expiry.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** Reports that were not taken are sent again after so long. */
const RETRY_MS = 10_000;

/** Sets the alarm to what is left to do, or clears it. Call it in the tick in which something was stored. */
export function planAlarm(ports: ScopePorts): void {
  const { usage, forgetting, alarm, clock } = ports;
  const reportsAt = usage.outbox(1).length > 0 ? clock() + RETRY_MS : null;
  const times = [reportsAt, forgetting.nextAt(), nextExpiry(ports)].filter((at) => at !== null);
  void (times.length > 0 ? alarm.set(Math.min(...times)) : alarm.clear());
}
