// Is the bot still in the server? Nothing tells it of its removal, so the server's scope asks Discord, once per `keep_days`. When the bot has
// been gone for as long, everything goes that is kept of the server: in its channels, and then here.
import { utcDay } from "../../src/core/money/lease.ts";
import { type Known, keptMs, PRESENCE } from "./expiry.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";

const DAY_MS = 86_400_000;
/** Where Discord did not say, or something could not be done, the next try is after so long. */
const AGAIN_MS = 7 * DAY_MS;
/** No server is asked about with its first uses: they have requests enough of their own. */
const FIRST_MS = 3_600_000;

/** Asks, if it is time. The next try is stored before, for a life that ends meanwhile, or no answer. */
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
  // A bot without a token can't ask: a later deploy may bring one.
  const found = (await seeServer?.()) ?? "unknown";
  const kept = keptMs(ports);
  if (found === "here") note(kept, null);
  else if (found !== "unknown") {
    if (goneSince == null || wasUsedAfter(ports, goneSince)) note(kept, goneSince === undefined ? undefined : clock());
    else if (clock() >= goneSince + kept && (await forgetServer(ports, goneSince))) return;
  }
  planAlarm(ports);
}

/** A turn on a later day: commands may be there without the bot, and a fault may make Discord say that it is not. */
const wasUsedAfter = ({ usage, clock }: ScopePorts, goneSince: number): boolean =>
  usage.sum("all", "", utcDay(goneSince + DAY_MS), utcDay(clock())).turns > 0;

/**
 * Tells the channels, and deletes the storage when all know; its alarm goes with it. Returns whether it did. Repeating any part of it changes
 * nothing.
 */
async function forgetServer(ports: ScopePorts, since: number): Promise<boolean> {
  const { usage, forgetting, leaveChannel, erase, log } = ports;
  const told: string[] = [];
  for (const channelId of forgetting.places())
    await leaveChannel(channelId, since).then(
      () => told.push(channelId),
      (error) => log.error("a channel was not told of the bot's removal", { channelId, error: String(error) }),
    );
  forgetting.dropPlaces(told);
  if (forgetting.places().length + usage.outbox(1).length > 0 || forgetting.nextAt() !== null) return false;
  erase();
  return true;
}
