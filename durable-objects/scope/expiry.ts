// Deletes what a scope no longer needs: sums, marks of counted turns, where people used the bot, who was notified of a refusal, attempts
// to connect a remote server, and what was kept of forgotten people for the limits of a day that is over. Runs once a day while reports come,
// and by the alarm in a server that nobody uses any more.
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import { endOf, utcDay } from "../../src/core/money/lease.ts";
import { expireAttempts, expireConnections } from "./connect.ts";
import { expireNotified, hasNotified } from "./notified.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** For how many days sums are kept. Marks of counted turns stay as long as a sender may still send their reports. */
const KEPT_DAYS = 62;
/** For how many days a scope knows where people used the bot: longer than any channel keeps what they said (`keep_days`). */
const KNOWN_DAYS = 400;
const DAY_MS = 86_400_000;
const EXPIRED_ON = "expiredOn";
/** How long the first look waits for someone to use the bot, before the alarm does it. */
const UNASKED_MS = 7 * DAY_MS;
/** The fact that says whether the bot is in the server. */
export const PRESENCE = "presence";

/** What is known about the bot's presence in the server. */
export interface Known {
  /** When Discord is asked next. */
  askAt: number;
  /** Discord was not asked yet. The first use after `askAt` asks; without one, the alarm does some days later. */
  isUnasked?: true;
  /** Since when Discord says that the bot is not there; null if it was there. Missing if it never was (only its commands were added). */
  goneSince?: number | null | undefined;
}

/** How long things are kept in this scope (`keep_days`), in milliseconds. */
export const keptMs = ({ store, modelIds }: Pick<ScopePorts, "store" | "modelIds">): number =>
  resolveSettings({ own: {}, parent: {}, server: store.settings(), modelIds }).keep_days * DAY_MS;

/** Deletes what is too old, once a day. Returns whether this was the day's first call. */
export function expire(ports: ScopePorts): boolean {
  const { usage, forgetting, connections, store, clock } = ports;
  const now = clock();
  if (store.fact<string>(EXPIRED_ON) === utcDay(now)) return false;
  store.putFact(EXPIRED_ON, utcDay(now));
  const kept = utcDay(now - KEPT_DAYS * DAY_MS);
  usage.expire(kept, Date.parse(kept));
  usage.forgetAll(utcDay(now));
  forgetting.expire(utcDay(now - KNOWN_DAYS * DAY_MS));
  expireNotified({ store, clock });
  expireAttempts(connections);
  expireConnections(connections, now, keptMs(ports));
  return true;
}

/** Returns when something becomes too old next, the end of this day at the earliest; null if nothing ages. */
export function nextExpiry({ usage, forgetting, connections, store, clock }: ScopePorts): number | null {
  const isSoon = hasNotified({ store }) || connections.connections.attempts().length > 0;
  if (isSoon || usage.hasForgotten(utcDay(clock()))) return endOf("day", clock());
  const counted = usage.oldestDay();
  if (counted !== null) return later(counted, KEPT_DAYS, clock());
  // This reads every row. These rows are kept longer than any sum, so they are read only when no sum is left.
  const known = forgetting.oldestDay();
  return known === null ? null : later(known, KNOWN_DAYS, clock());
}

/** Returns when Discord is asked next whether the bot is there; null if that was never planned, or if everything kept here expires by itself. */
export function nextLook({ store, forgetting, connections }: ScopePorts): number | null {
  const known = store.fact<Known>(PRESENCE);
  if (known === null) return null;
  const isKept =
    Object.keys(store.settings()).length > 0 ||
    forgetting.oldestDay() !== null ||
    connections.connections.all().length > 0;
  return isKept ? known.askAt + (known.isUnasked ? UNASKED_MS : 0) : null;
}

const later = (day: string, keptDays: number, now: number): number =>
  Math.max(endOf("day", now), Date.parse(day) + (keptDays + 1) * DAY_MS);
