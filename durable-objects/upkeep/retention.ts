// Deletes what is older than the setting `keep_days`, by an alarm, so without any traffic, and the whole storage when nothing is left.

import { isOfToday, resetsAt } from "../../src/core/decisions/budget.ts";
import { FIRED_REMINDER_LIFE_MS, PRUNING_BATCH, PRUNING_DELAY_MS } from "../../src/core/limits.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

const DAY_MS = 86_400_000;
/** The wait before an empty storage is deleted, so that an interaction that is repeated meanwhile still finds its answer. */
const ERASURE_DELAY_MS = 60_000;

type RetentionPorts = Pick<ChannelPorts, "store" | "config" | "clock" | "marks">;

/** Returns how long turns and messages are kept here, in milliseconds. */
export const keptMs = (ports: Pick<RetentionPorts, "store" | "config">): number =>
  effectiveSettings(ports).keep_days * DAY_MS;

/**
 * Returns when the next deletion is due. If none is planned: when the oldest turn or the summary becomes too old, or when Discord has refused
 * the bot here for that long. If there is none of these (people were forgotten): when today's budgets have ended, Discord may be asked again and
 * the marks are too old; until then the storage stays. Null if nothing here has an age.
 */
export function nextRetention(ports: RetentionPorts, lock = ports.store.lock()): number | null {
  const { store, clock, marks } = ports;
  const now = clock();
  const { retentionAt, silentUntil = 0, refusedAt, usage } = lock;
  // A time further ahead was planned before the clock was set back.
  if (retentionAt != null && retentionAt <= now + keptMs(ports)) return retentionAt;
  const ages = [store.oldestTurn(), store.summary()?.at, refusedAt].filter((at) => at != null);
  if (ages.length > 0) return Math.max(Math.min(...ages, now) + keptMs(ports), now + PRUNING_DELAY_MS);
  const usedUntil = Math.max(silentUntil, usage && isOfToday(usage, now) ? resetsAt(now) : 0, marks.keptUntil());
  return usedUntil > now ? usedUntil : null;
}

/**
 * Does what an upgrade leaves to do when the object first wakes: sends reports of the people whose words are here, and plans the deletion of
 * old rows if it isn't planned. Later it finds nothing to do, or only what an earlier life's alarm would also do.
 */
export function settleUpgrade(channel: Channel): void {
  const { ports } = channel;
  const { store } = ports;
  const { retentionAt, turnId } = store.lock();
  const isUnplanned = retentionAt === undefined && turnId === null && store.oldestTurn() !== null;
  if (isUnplanned) store.transaction(() => planRetention(ports));
  if (isUnplanned || store.hasReports()) rearm(channel);
}

/** Plans the next deletion if none is planned, within the caller's transaction. */
export function planRetention(ports: RetentionPorts): void {
  const lock = ports.store.lock();
  const retentionAt = nextRetention(ports, lock);
  if (retentionAt !== lock.retentionAt) ports.store.saveLock({ ...lock, retentionAt });
}

/**
 * Deletes one batch of what is too old, and the figures of a day that is over. Plans the next deletion: soon after a full batch, else for when the
 * oldest turn becomes too old.
 */
export function deleteOld({ ports, replies }: Channel): void {
  const { store, reminders, marks, cache, clock, log } = ports;
  const now = clock();
  const deleted = store.transaction(() => {
    // An answer that Discord has not accepted in all that time is kept no longer than others.
    for (const turn of store.state().closing.filter(({ endedAt }) => (endedAt ?? now) <= now - keptMs(ports))) {
      replies.abandon(turn.id);
      store.saveTurn({ ...turn, state: "finished" });
    }
    const rows = store.expire(now - keptMs(ports), PRUNING_BATCH);
    reminders.dropFired(now - FIRED_REMINDER_LIFE_MS);
    marks.dropOld(now);
    cache.sweep();
    const { usage, ...lock } = store.lock();
    const figures = usage && isOfToday(usage, now) ? { usage } : {};
    store.saveLock({ ...lock, ...figures, retentionAt: rows >= PRUNING_BATCH ? now + PRUNING_DELAY_MS : null });
    planRetention(ports);
    return rows;
  });
  log.info("deleted old rows", { rows: deleted });
}

/** Plans to check for an empty storage if the last things in it have just been deleted. Call it after the transaction. */
export function planErasure(channel: Channel): void {
  const { ports } = channel;
  const { store, clock } = ports;
  if (!isEmpty(ports)) return;
  store.transaction(() => store.saveLock({ ...store.lock(), retentionAt: clock() + ERASURE_DELAY_MS }));
  rearm(channel);
}

/**
 * Deletes the storage if the last deletion has left nothing: no turn, message, memory, note, reminder or setting, and no budget
 * of today. Reads the stores only then, and must be the last thing that an alarm does, because the next read creates a new, empty database. Returns
 * whether Discord may have to be asked about the channel (look.ts): what is left has no age, or the bot was removed.
 */
export function eraseIfEmpty({ ports }: Channel): boolean {
  // `retentionAt` is undefined if nothing was ever planned, because nothing has ended here yet.
  const { retentionAt, refusedAt } = ports.store.lock();
  if (retentionAt !== null || !isBare(ports)) return retentionAt === null || refusedAt !== undefined;
  erase(ports);
  return false;
}

/** Deletes a storage that exists only because somebody looked at it, while nobody has ever asked anything here. Returns whether it did. */
export function eraseIfUntouched({ ports }: Channel): boolean {
  const isUntouched = ports.store.lock().retentionAt === undefined && isBare(ports);
  if (isUntouched) erase(ports);
  return isUntouched;
}

/** Deletes the storage. */
export function erase({ store, alarm, erase: eraseStorage }: ChannelPorts): void {
  // The next request brings the parent's settings and the scope's note again. Cached copies would hide that they are not stored.
  store.saveParentSettings({});
  store.saveScopeNote({ settings: {}, isLimited: false });
  eraseStorage();
  alarm.arm(null);
}

/** Whether nothing is left here (a running turn would be something), and nothing is due. */
const isBare = (ports: ChannelPorts): boolean =>
  ports.store.lock().housekeepingAt === null && nextRetention(ports) === null && isEmpty(ports);

function isEmpty({ store, memories, notes, reminders }: ChannelPorts): boolean {
  if (Object.keys(store.settings()).length > 0 || store.hasReports()) return false;
  const { turns, messages } = store.sizes();
  return turns + messages + memories.count() === 0 && notes.read() === "" && reminders.pending().length === 0;
}
