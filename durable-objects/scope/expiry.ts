// Deletes what a scope doesn't need any more: sums, marks of counted turns, where people used the bot, who was told of a refusal, attempts
// to connect a remote server, and what was kept of forgotten people for the limits of a day that is over. Once a day while reports come, and
// by the alarm in a server that nobody uses any more.
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import { endOf, utcDay } from "../../src/core/money/lease.ts";
import { expireAttempts, expireConnections } from "./connect.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { expireTold, hasTold } from "./told.ts";

/** For how many days sums are kept. Marks of counted turns stay as long as a sender may still send their reports. */
const KEPT_DAYS = 62;
/** How long it is known where people used the bot: longer than any channel keeps what they said (`keep_days`). */
const KNOWN_DAYS = 400;
const DAY_MS = 86_400_000;
const EXPIRED_ON = "expiredOn";
/** How long the alarm leaves the first look to a use. */
const UNASKED_MS = 7 * DAY_MS;
/** The key of what is known of the bot's presence in the server. */
export const PRESENCE = "presence";

/** What is known of it. */
export interface Known {
  /** When Discord is asked next. */
  askAt: number;
  /** It was not asked yet. The first use from `askAt` on asks; where there is none, the alarm does, some days later. */
  isUnasked?: true;
  /** Since when Discord says that the bot is not there; null: it was there. Missing: it never was, as where only its commands were added. */
  goneSince?: number | null | undefined;
}

/** How long things are kept in this scope, in milliseconds. */
export const keptMs = ({ store, modelIds }: Pick<ScopePorts, "store" | "modelIds">): number =>
  resolveSettings({ own: {}, parent: {}, server: store.settings(), modelIds }).keep_days * DAY_MS;

/** Deletes what is too old, once a day. Returns whether it looked. */
export function expire(ports: ScopePorts): boolean {
  const { usage, forgetting, connections, store, clock } = ports;
  const now = clock();
  if (store.fact<string>(EXPIRED_ON) === utcDay(now)) return false;
  store.putFact(EXPIRED_ON, utcDay(now));
  const kept = utcDay(now - KEPT_DAYS * DAY_MS);
  usage.expire(kept, Date.parse(kept));
  usage.forgetAll(utcDay(now));
  forgetting.expire(utcDay(now - KNOWN_DAYS * DAY_MS));
  expireTold({ store, clock });
  expireAttempts(connections);
  expireConnections(connections, now, keptMs(ports));
  return true;
}

/** When something is too old next, at the earliest at the end of this day; null: nothing ages. */
export function nextExpiry({ usage, forgetting, connections, store, clock }: ScopePorts): number | null {
  const isSoon = hasTold({ store }) || connections.connections.attempts().length > 0;
  if (isSoon || usage.hasForgotten(utcDay(clock()))) return endOf("day", clock());
  const counted = usage.oldestDay();
  if (counted !== null) return later(counted, KEPT_DAYS, clock());
  // Where people were is known for longer than any sum, so it is asked for only when none is left: it reads every row.
  const known = forgetting.oldestDay();
  return known === null ? null : later(known, KNOWN_DAYS, clock());
}

/** When Discord is asked for the bot next; null: it never was, or nothing is kept here that does not go by itself. */
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
