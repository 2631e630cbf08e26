// Asks Discord whether the channel still exists for the bot: when nothing is left that expires by itself, and before everything is deleted because
// the bot was removed.
import { PRUNING_DELAY_MS } from "../../src/core/limits.ts";
import type { Lock } from "../../src/core/state/record.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { askPresence } from "../../src/discord/rest/presence.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { erase, keptMs, nextRetention } from "./retention.ts";

/** When Discord is asked again after it didn't say, unless `keep_days` is sooner. */
const AGAIN_MS = 7 * 86_400_000;

/**
 * Asks, if it is time, then deletes the storage or plans the next look. The next attempt is stored first, in case this life ends meanwhile. A
 * visitor's object never asks, because the bot was never there.
 */
export function look(channel: Channel): void {
  const { ports } = channel;
  const { name, store, clock, discord, keepAlive } = ports;
  const lock = store.lock();
  const { retentionAt } = lock;
  const mayAsk = discord.botToken !== null && !name.includes(":");
  // A time further ahead was planned by the previous look.
  if (isAbandoned(ports) ? (retentionAt ?? 0) > clock() + PRUNING_DELAY_MS : retentionAt !== null || !mayAsk) return;
  plan(channel, { ...lock, retentionAt: clock() + Math.min(AGAIN_MS, keptMs(ports)) });
  if (mayAsk) keepAlive(ask(channel));
}

async function ask(channel: Channel): Promise<void> {
  const { ports } = channel;
  const { store, clock } = ports;
  const found = await askPresence(ports.discord, `/channels/${ports.name}`);
  if (found === "unknown") return;
  // Checked again, because somebody may have used the channel meanwhile.
  if (isAbandoned(ports) && found !== "here") {
    // Also clears what this life keeps of the storage in memory.
    store.forgetTranscript();
    return erase(ports);
  }
  const { refusedAt, ...rest } = store.lock();
  // If the channel is only closed to the bot, the bot may still be in the server, or never have been: the server's scope finds that out.
  const isGone = found === "missing" && store.oldestTurn() === null;
  const since = found === "here" ? undefined : (refusedAt ?? (isGone ? clock() : undefined));
  const lock: Lock = { ...rest, ...(since && { refusedAt: since }), retentionAt: null };
  plan(channel, { ...lock, retentionAt: nextRetention(ports, lock) ?? clock() + keptMs(ports) });
}

function plan(channel: Channel, lock: Lock): void {
  const { store } = channel.ports;
  store.transaction(() => store.saveLock(lock));
  rearm(channel);
}

/**
 * Whether the bot has been removed from the server or the channel for `keep_days`, so that everything is deleted, even settings, memories and
 * reminders. Not before turns that are under way have ended and all usage is reported.
 */
export function isAbandoned(ports: ChannelPorts): boolean {
  const { store, clock } = ports;
  const { refusedAt } = store.lock();
  if (refusedAt === undefined || refusedAt + keptMs(ports) > clock()) return false;
  return unfinishedTurns(store.state()).length === 0 && !store.hasReports();
}
