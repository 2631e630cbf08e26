// The alarm of a scope's object, where the scope may not open or may fail: Cloudflare repeats an alarm that fails six times and then
// forgets it. Then usage would never be passed on, and people who asked to be forgotten would stay.
import type { Scope } from "./scope.ts";

/** What there is even where the scope can't be opened. */
interface RingPorts {
  setAlarm: (at: number) => Promise<void>;
  clock: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const RETRY_MS = 5 * 60_000;

/** Carries the alarm out, or has it come again in minutes. Rejects only where no alarm can be set. */
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
