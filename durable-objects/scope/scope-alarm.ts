// Plans when a scope's object wakes by itself: for reports that the deployment has not taken, for channels that have not yet forgotten someone,
// to delete what is too old, and to see whether the bot is still in the server.
import { nextExpiry, nextLook } from "./expiry.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** When reports that were not taken are sent again. */
const RETRY_MS = 10_000;

/** Sets the alarm for what is left to do, or clears it. Call it in the same tick in which something was stored. A failure is only logged. */
export function planAlarm(ports: ScopePorts): void {
  nextAlarm(ports).catch((error) => ports.log.error("the alarm could not be set", { error: String(error) }));
}

/** Does the same for the alarm handler, which must know about a failure: rejects if the next alarm can't be set. */
export function nextAlarm(ports: ScopePorts): Promise<void> {
  const { usage, forgetting, alarm, clock } = ports;
  const reportsAt = usage.outbox(1).length > 0 ? clock() + RETRY_MS : null;
  const times = [reportsAt, forgetting.nextAt(), nextExpiry(ports), nextLook(ports)].filter((at) => at !== null);
  return times.length > 0 ? alarm.set(Math.min(...times)) : alarm.clear();
}
