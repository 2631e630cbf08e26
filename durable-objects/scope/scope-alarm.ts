// When a scope's object wakes by itself: for reports that the deployment has not taken, for channels that have not forgotten someone, for
// what is too old, and to see whether the bot is still in the server.
import { nextExpiry, nextLook } from "./expiry.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** Reports that were not taken are sent again after so long. */
const RETRY_MS = 10_000;

/** Sets the alarm to what is left to do, or clears it. Call it in the tick in which something was stored. A failure is only logged. */
export function planAlarm(ports: ScopePorts): void {
  nextAlarm(ports).catch((error) => ports.log.error("the alarm could not be set", { error: String(error) }));
}

/** The same for the alarm itself, which has to know: rejects where the next one can't be set. */
export function nextAlarm(ports: ScopePorts): Promise<void> {
  const { usage, forgetting, alarm, clock } = ports;
  const reportsAt = usage.outbox(1).length > 0 ? clock() + RETRY_MS : null;
  const times = [reportsAt, forgetting.nextAt(), nextExpiry(ports), nextLook(ports)].filter((at) => at !== null);
  return times.length > 0 ? alarm.set(Math.min(...times)) : alarm.clear();
}
