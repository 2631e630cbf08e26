// Answers a server's scope: whether a channel was used before, and that the bot has left its server.
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { eraseIfUntouched } from "../upkeep/retention.ts";

/** Whether this channel was used before anyone decided who may use the bot. Leaves no storage where there was none. */
export function readOrigin(channel: Channel): boolean {
  const wasUsed = channel.ports.store.wasUsedBefore();
  if (!wasUsed) eraseIfUntouched(channel);
  return wasUsed;
}

/**
 * Notes since when the bot has been gone from the server, and plans an immediate check whether that is long enough for this channel. Leaves no
 * storage where there was none. Repeating it changes nothing.
 */
export function leaveServer(channel: Channel, since: number): void {
  if (eraseIfUntouched(channel)) return;
  const { store } = channel.ports;
  const lock = store.lock();
  store.saveLock({ ...lock, refusedAt: Math.min(since, lock.refusedAt ?? since), retentionAt: 0 });
  rearm(channel);
}
