// What may be used in a day (UTC) and what of it was. A turn counts for the day on which it began, with all of its tokens, so
// midnight changes nothing in the middle of an answer. Pure; the lock's row carries the figures, because it is written at every
// turn's beginning and end anyway.
import type { ChannelState, TurnRecord } from "./record.ts";

/** Turns and tokens, in and out together. */
export interface Used {
  turns: number;
  tokens: number;
}

/** The figures of one day. A channel answers one message at a time, which bounds the people in it to some thousands. */
export interface DayUsage {
  /** `2026-11-21`. */
  day: string;
  channel: Used;
  users: Readonly<Record<string, Used>>;
}

/** Limits for one day, of one person and of all; 0 is none. */
export interface Budgets {
  user: Used;
  channel: Used;
}

/** A limit that is reached. */
export interface SpentBudget {
  of: "user" | "channel";
  unit: "turns" | "tokens";
  limit: number;
  /** When it starts afresh; epoch milliseconds. */
  resetsAt: number;
}

/** A limit that is nearly reached. */
export type NearBudget = Omit<SpentBudget, "resetsAt"> & { used: number };

const DAY_MS = 86_400_000;
/** People are told from here on. */
const NEAR = 0.8;
const NOTHING: Used = { turns: 0, tokens: 0 };

const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The next midnight in UTC. */
export const resetsAt = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

const today = (usage: DayUsage | undefined, day: string): DayUsage =>
  usage?.day === day ? usage : { day, channel: NOTHING, users: {} };

/** The figures with what one person used more. */
function plus(usage: DayUsage, userId: string, more: Used): DayUsage {
  const sum = (one: Used = NOTHING): Used => ({ turns: one.turns + more.turns, tokens: one.tokens + more.tokens });
  return { ...usage, channel: sum(usage.channel), users: { ...usage.users, [userId]: sum(readOwn(usage, userId)) } };
}

const readOwn = ({ users }: DayUsage, userId: string): Used =>
  (Object.hasOwn(users, userId) ? users[userId] : null) ?? NOTHING;

/** The figures once a turn of this person has begun. */
export const withTurn = (usage: DayUsage | undefined, userId: string, now: number): DayUsage =>
  plus(today(usage, utcDay(now)), userId, { turns: 1, tokens: 0 });

/** The figures once this turn is over. Those of a later day than the one on which it began are left alone. */
export const withTokens = (usage: DayUsage, turn: TurnRecord): DayUsage =>
  belongsToDay(turn, usage.day) ? addTokens(usage, turn) : usage;

const addTokens = (usage: DayUsage, turn: TurnRecord): DayUsage =>
  plus(usage, turn.request.userId, { turns: 0, tokens: sumTokens(turn) });

const belongsToDay = ({ startedAt }: TurnRecord, day: string): boolean =>
  startedAt !== null && utcDay(startedAt) === day;

const sumTokens = ({ usage }: TurnRecord): number => usage.inputTokens + usage.outputTokens;

/** What one person and the whole channel have used on the day of `now`, turns that are under way with what they have so far. */
export function usedBy({ lock, running, parked, queue }: ChannelState, userId: string, now: number): Budgets {
  const day = utcDay(now);
  const underWay = [...(running ? [running] : []), ...parked, ...queue].filter((turn) => belongsToDay(turn, day));
  const usage = underWay.reduce(addTokens, today(lock.usage, day));
  return { user: readOwn(usage, userId), channel: usage.channel };
}

/**
 * The same with the turns that wait to begin: their places were given away already. One that is to join another turn is none, and
 * one that was parked and goes on has begun.
 */
export function withWaiting({ user, channel }: Budgets, queue: readonly TurnRecord[], userId: string): Budgets {
  const waiting = queue.filter(({ steers, startedAt }) => steers === null && startedAt === null);
  const own = waiting.filter(({ request }) => request.userId === userId);
  return {
    user: { ...user, turns: user.turns + own.length },
    channel: { ...channel, turns: channel.turns + waiting.length },
  };
}

const OWNERS = ["user", "channel"] as const;

/** The first limit that is used up, or null: there is room for one more. */
export function spentBudget(
  used: Budgets,
  limits: Budgets,
  now: number,
  units: readonly SpentBudget["unit"][] = ["turns", "tokens"],
): SpentBudget | null {
  for (const of of OWNERS)
    for (const unit of units) {
      const limit = limits[of][unit];
      if (limit > 0 && used[of][unit] >= limit) return { of, unit, limit, resetsAt: resetsAt(now) };
    }
  return null;
}

/** The limit that this turn, which is over, has brought near; so each is told of once a day. */
export function nearBudget(usage: DayUsage, turn: TurnRecord, limits: Budgets): NearBudget | null {
  if (!belongsToDay(turn, usage.day)) return null;
  const after: Budgets = { user: readOwn(usage, turn.request.userId), channel: usage.channel };
  const own: Used = { turns: 1, tokens: sumTokens(turn) };
  for (const of of OWNERS)
    for (const unit of ["turns", "tokens"] as const) {
      const limit = limits[of][unit];
      const used = after[of][unit];
      if (limit > 0 && used >= limit * NEAR && used - own[unit] < limit * NEAR) return { of, unit, limit, used };
    }
  return null;
}
