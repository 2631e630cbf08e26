// Does the channel still exist for the bot? Asked where nothing is left that goes by itself, and before everything goes because the bot was
// removed.
import { PRUNING_DELAY_MS } from "../../src/core/limits.ts";
import type { Lock } from "../../src/core/state/record.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { askPresence } from "../../src/discord/rest/presence.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { erase, keptMs, nextRetention } from "./retention.ts";

/** Discord that did not say is asked again after so long, or after `keep_days`. */
const AGAIN_MS = 7 * 86_400_000;

/**
 * Asks, if it is time, and deletes the storage or plans the next look. The next try is stored before, for a life that ends meanwhile. A
 * visitor's object never asks: the bot was never there.
 */
export function look(channel: Channel): void {
  const { ports } = channel;
  const { name, store, clock, discord, keepAlive } = ports;
  const lock = store.lock();
  const { retentionAt } = lock;
  const mayAsk = discord.botToken !== null && !name.includes(":");
  // What is further ahead was planned by the look before.
  if (isForsaken(ports) ? (retentionAt ?? 0) > clock() + PRUNING_DELAY_MS : retentionAt !== null || !mayAsk) return;
  plan(channel, { ...lock, retentionAt: clock() + Math.min(AGAIN_MS, keptMs(ports)) });
  if (mayAsk) keepAlive(ask(channel));
}

async function ask(channel: Channel): Promise<void> {
  const { ports } = channel;
  const { store, clock } = ports;
  const found = await askPresence(ports.discord, `/channels/${ports.name}`);
  if (found === "unknown") return;
  // Somebody may have asked meanwhile: then it is not.
  if (isForsaken(ports) && found !== "here") {
    // Deletes also what this life keeps of it in memory.
    store.forgetTranscript();
    return erase(ports);
  }
  const { refusedAt, ...rest } = store.lock();
  // A channel may be closed to a bot that is in the server, or that never was: the server's scope finds out.
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
 * Removed from the server, or from the channel, for as long as anything is kept: settings, memories and reminders go as well. A turn
 * that is under way, and usage that is not reported yet, end first.
 */
export function isForsaken(ports: ChannelPorts): boolean {
  const { store, clock } = ports;
  const { refusedAt } = store.lock();
  if (refusedAt === undefined || refusedAt + keptMs(ports) > clock()) return false;
  return unfinishedTurns(store.state()).length === 0 && !store.hasReports();
}
