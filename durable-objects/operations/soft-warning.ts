// The line that tells a person once that their turn takes longer than usual.
import { say } from "../../src/core/copy/notices.ts";
import type { Channel } from "../live-channel.ts";

/** Posts the soft warning once: the mark is written before anybody can read the line. */
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
