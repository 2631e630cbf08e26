// The status line that warns a person once that their turn takes longer than usual.
import { say } from "../../src/core/copy/notices.ts";
import type { Channel } from "../live-channel.ts";

/** Shows the soft warning once: the mark is stored before anyone can see the line. */
export function warnIfSlow(channel: Channel): void {
  const { store, clock } = channel.ports;
  const due = store.transaction(() => {
    const { running } = store.state();
    if (!running || running.softWarnAt === null || running.warnedAt !== null) return false;
    store.saveTurn({ ...running, warnedAt: clock() });
    return true;
  });
  if (due) channel.live?.addStatusLine(say.stillWorking);
}
