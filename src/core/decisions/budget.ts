// The daily budgets (UTC) and their usage. A turn counts, with all its tokens, for the day on which it began, so midnight
// changes nothing in the middle of an answer. Pure.
import { endOf, utcDay } from "../money/lease.ts";
import type { BudgetUnit, SpentBudget } from "../money/limit.ts";
import { isAnswer, type TurnUsage, unpricedOf } from "../money/usage.ts";
import type { Budgets, DayUsage, NearBudget, Used } from "../state/day-usage.ts";
import type { ChannelState, TurnRecord } from "../state/record.ts";
import { openTurns } from "../state/unfinished.ts";

/** The share of a limit at which people are warned. */
const NEAR = 0.8;
const NOTHING: Used = { turns: 0, tokens: 0 };
/** The most people whose figures are kept for one day: they are all in one row, which is written with each turn. */
const MAX_PEOPLE = 4000;

/** Returns the next midnight in UTC. */
export const resetsAt = (now: number): number => endOf("day", now);

/** Whether these figures are today's. */
export const isOfToday = ({ day }: DayUsage, now: number): boolean => day === utcDay(now);

const today = (usage: DayUsage | undefined, day: string): DayUsage =>
  usage?.day === day ? usage : { day, channel: NOTHING, users: {} };

/** Adds one person's usage to the figures. With too many people, those who came first are dropped. */
function plus(usage: DayUsage, userId: string, more: Used): DayUsage {
  const { channel, users } = usage;
  const { [userId]: _, ...others } = users;
  const known = Object.entries(others);
  const kept = known.length < MAX_PEOPLE ? others : Object.fromEntries(known.slice(1 - MAX_PEOPLE));
  return { ...usage, channel: sum(channel, more), users: { ...kept, [userId]: sum(readOwn(usage, userId), more) } };
}

function sum(one: Used, more: Used): Used {
  const input = inputOf(one, more);
  const cached = (one.cachedInputTokens ?? 0) + (more.cachedInputTokens ?? 0);
  const isPriced = one.microUsd !== undefined || more.microUsd !== undefined;
  const unpriced = unpricedOf(one, one.tokens) + unpricedOf(more, more.tokens);
  return {
    turns: one.turns + more.turns,
    tokens: one.tokens + more.tokens,
    ...(input !== undefined && { inputTokens: input }),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(isPriced && { microUsd: (one.microUsd ?? 0) + (more.microUsd ?? 0) }),
    ...(unpriced > 0 && { unpriced }),
  };
}

/** Returns the input tokens of both; undefined if an older program counted some of their tokens. */
function inputOf(one: Used, more: Used): number | undefined {
  const counted = [one, more].filter(({ tokens }) => tokens > 0).map(({ inputTokens }) => inputTokens);
  if (counted.length === 0) return undefined;
  return counted.reduce((all, tokens) => (all === undefined || tokens === undefined ? undefined : all + tokens), 0);
}

const readOwn = ({ users }: DayUsage, userId: string): Used =>
  (Object.hasOwn(users, userId) ? users[userId] : null) ?? NOTHING;

/**
 * Removes this person from the figures, unless they are today's: being forgotten must not evade a budget. Nor must it evade the limit of
 * questions per minute, which still needs the times in `asked`.
 */
export function forgottenUsage(
  usage: DayUsage | undefined,
  userId: string,
  asked: readonly number[],
  now: number,
): DayUsage | undefined {
  if (asked.length > 0) {
    const figures = today(usage, utcDay(now));
    return { ...figures, asked: { ...figures.asked, [userId]: asked } };
  }
  if (!usage || isOfToday(usage, now)) return usage;
  const { asked: _over, ...figures } = usage;
  return { ...figures, users: Object.fromEntries(Object.entries(usage.users).filter(([id]) => id !== userId)) };
}

/** Returns the figures after a turn of this person begins. */
export const withTurn = (usage: DayUsage | undefined, userId: string, now: number): DayUsage =>
  plus(today(usage, utcDay(now)), userId, { turns: 1, tokens: 0 });

/** Adds usage that no person asked for: it counts for the channel alone and is not a turn. */
export function withChannelUsage(usage: DayUsage | undefined, used: TurnUsage, now: number): DayUsage {
  const figures = today(usage, utcDay(now));
  return { ...figures, channel: sum(figures.channel, { ...costOf({ usage: used }), turns: 0 }) };
}

/** Adds an ended turn's tokens if it began on this day. The turn itself was counted at its start, which is undone if it has no answer. */
export const withTokens = (usage: DayUsage, turn: TurnRecord): DayUsage =>
  belongsToDay(turn, usage.day) ? addTokens(usage, turn, isAnswer(turn.usage) ? 0 : -1) : usage;

const addTokens = (usage: DayUsage, turn: TurnRecord, turns = 0): DayUsage =>
  plus(usage, turn.request.userId, { ...costOf(turn), turns });

const belongsToDay = ({ startedAt }: TurnRecord, day: string): boolean =>
  startedAt !== null && utcDay(startedAt) === day;

/** Returns the usage of one turn: its tokens and its money. */
function costOf({ usage }: Pick<TurnRecord, "usage">): Used {
  const { inputTokens, outputTokens, modelCalls: _, ...rest } = usage;
  return { turns: 1, tokens: inputTokens + outputTokens, inputTokens, ...rest };
}

/** Returns what one person and the whole channel have used on the day of `now`, including unfinished turns so far. */
export function usedBy(state: ChannelState, userId: string, now: number): Budgets {
  const day = utcDay(now);
  const underWay = openTurns(state).filter((turn) => belongsToDay(turn, day));
  const usage = underWay.reduce((sum, turn) => addTokens(sum, turn), today(state.lock.usage, day));
  return { user: readOwn(usage, userId), channel: usage.channel };
}

/**
 * Adds the turns that wait to start, because they have already been accepted. Turns that will join another turn and
 * parked turns that resume don't count.
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
const UNITS = ["turns", "tokens", "microUsd"] as const;
/** The units that another step of a running turn can use up. */
export const STEP_UNITS = ["tokens", "microUsd"] as const;

/** Returns the first limit that is used up, or null when there is room for one more. */
export function spentBudget(
  used: Budgets,
  limits: Budgets,
  now: number,
  units: readonly BudgetUnit[] = UNITS,
): SpentBudget | null {
  for (const of of OWNERS)
    for (const unit of units) {
      const limit = limits[of][unit] ?? 0;
      if (limit > 0 && (used[of][unit] ?? 0) >= limit) return { of, unit, limit, resetsAt: resetsAt(now) };
    }
  return null;
}

/** Returns the limit that is nearly used up, if this ended turn crossed the threshold, so that each limit is announced once a day. */
export function nearBudget(usage: DayUsage, turn: TurnRecord, limits: Budgets): NearBudget | null {
  if (!belongsToDay(turn, usage.day)) return null;
  const after: Budgets = { user: readOwn(usage, turn.request.userId), channel: usage.channel };
  const own = costOf(turn);
  for (const of of OWNERS)
    for (const unit of UNITS) {
      const limit = limits[of][unit] ?? 0;
      const used = after[of][unit] ?? 0;
      if (limit > 0 && used >= limit * NEAR && used - (own[unit] ?? 0) < limit * NEAR) return { of, unit, limit, used };
    }
  return null;
}
