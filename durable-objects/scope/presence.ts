// Finds out whether the bot is still in the server. Discord doesn't report its removal, so the server's scope asks, once per `keep_days`. When the
// bot has been gone for that long, all data of the server is deleted: first in its channels, then here.
import { utcDay } from "../../src/core/money/lease.ts";
import { type Known, keptMs, PRESENCE } from "./expiry.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";

const DAY_MS = 86_400_000;
/** When to try again after Discord didn't say, or something couldn't be done. */
const AGAIN_MS = 7 * DAY_MS;
/** Discord is first asked this long after the first use, which already sends requests enough. */
const FIRST_MS = 3_600_000;

/** Asks Discord, if it is time. The next attempt is stored first, in case this life ends meanwhile or no answer comes. */
export async function lookForBot(ports: ScopePorts): Promise<void> {
  const { store, clock, seeServer } = ports;
  const known = store.fact<Known>(PRESENCE);
  if (known === null) {
    if (seeServer === null) return;
    store.putFact(PRESENCE, { askAt: clock() + FIRST_MS, isUnasked: true } satisfies Known);
    return planAlarm(ports);
  }
  if (clock() < known.askAt) return;
  const note = (inMs: number, goneSince: Known["goneSince"]) =>
    store.putFact(PRESENCE, { askAt: clock() + inMs, goneSince } satisfies Known);
  const { goneSince } = known;
  note(AGAIN_MS, goneSince);
  // Without a bot token it can't ask, but a later deploy may bring one.
  const found = (await seeServer?.()) ?? "unknown";
  const kept = keptMs(ports);
  if (found === "here") note(kept, null);
  else if (found !== "unknown") {
    if (goneSince == null || wasUsedAfter(ports, goneSince)) note(kept, goneSince === undefined ? undefined : clock());
    else if (clock() >= goneSince + kept && (await forgetServer(ports, goneSince))) return;
  }
  planAlarm(ports);
}

/** Whether there was a turn on a later day: commands work without the bot being a member, and Discord may say by mistake that it is gone. */
const wasUsedAfter = ({ usage, clock }: ScopePorts, goneSince: number): boolean =>
  usage.sum("all", "", utcDay(goneSince + DAY_MS), utcDay(clock())).turns > 0;

/**
 * Informs the channels, and deletes the storage, including its alarm, once all of them know. Returns whether it deleted it. May run twice, even
 * partly.
 */
async function forgetServer(ports: ScopePorts, since: number): Promise<boolean> {
  const { usage, forgetting, leaveChannel, erase, log } = ports;
  const informed: string[] = [];
  for (const channelId of forgetting.places())
    await leaveChannel(channelId, since).then(
      () => informed.push(channelId),
      (error) => log.error("a channel was not informed of the bot's removal", { channelId, error: String(error) }),
    );
  forgetting.dropPlaces(informed);
  if (forgetting.places().length + usage.outbox(1).length > 0 || forgetting.nextAt() !== null) return false;
  erase();
  return true;
}
