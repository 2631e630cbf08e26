// Runs the alarm of a scope's object even if the scope can't be opened or fails. Cloudflare repeats a failing alarm six times and then
// drops it. Usage would then never be passed on, and people who asked to be forgotten would stay.
import type { Scope } from "./scope.ts";

/** What is available even if the scope can't be opened. */
interface RingPorts {
  setAlarm: (at: number) => Promise<void>;
  clock: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const RETRY_MS = 5 * 60_000;

/** Runs the alarm, or sets it again for minutes later. Rejects only if no alarm can be set. */
export async function ringScope(
  opened: Promise<Pick<Scope, "alarm">>,
  { setAlarm, clock, logError }: RingPorts,
): Promise<void> {
  try {
    await (await opened).alarm();
  } catch (error) {
    logError("a scope's alarm failed", { error: String(error) });
    await setAlarm(clock() + RETRY_MS);
  }
}
