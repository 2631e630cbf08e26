// Shows the status line that warns a person once that their turn takes longer than usual. Only the tick calls it, so there is only
// one path, and it needs no timer: the loop makes the warning due and sets the alarm.
import { say } from "../../src/core/copy/notices.ts";
import { SOFT_WARN_RETRY_MS } from "../../src/core/limits.ts";
import type { Channel } from "../live-channel.ts";

/**
 * Shows the soft warning once: the mark is stored before anyone can see the line. If this life shows no status lines, the warning
 * is not marked as given, and becomes due again later.
 */
export function warnIfSlow({ ports, live }: Channel): void {
  const { store, clock } = ports;
  const show = store.transaction(() => {
    const { running } = store.state();
    if (!running || running.softWarnAt === null || running.warnedAt !== null) return null;
    const add = live?.turnId === running.id ? live.addStatusLine : null;
    store.saveTurn({ ...running, ...(add ? { warnedAt: clock() } : { softWarnAt: clock() + SOFT_WARN_RETRY_MS }) });
    return add;
  });
  show?.(say.stillWorking);
}
