// The daily budgets (UTC) and their usage. A turn counts for the day on which it began, with all of its tokens, so
// midnight changes nothing in the middle of an answer. Pure.
import { endOf, utcDay } from "../money/lease.ts";
import type { BudgetUnit, SpentBudget } from "../money/limit.ts";
import { isAnswer, type TurnUsage, unpricedOf } from "../money/usage.ts";
import type { Budgets, DayUsage, NearBudget, Used } from "../state/day-usage.ts";
import type { ChannelState, TurnRecord } from "../state/record.ts";
import { openTurns } from "../state/unfinished.ts";

/** The share of a limit at which people are warned. */
const NEAR = 0.8;
const NOTHING: Used = { turns: 0, tokens: 0 };
/** The people of one day whose figures are kept: all of them are in one row, which is written with each turn. */
const MAX_PEOPLE = 4000;

/** The next midnight in UTC. */
export const resetsAt = (now: number): number => endOf("day", now);

/** Do these figures still count? */
export const isOfToday = ({ day }: DayUsage, now: number): boolean => day === utcDay(now);

const today = (usage: DayUsage | undefined, day: string): DayUsage =>
  usage?.day === day ? usage : { day, channel: NOTHING, users: {} };

/** The figures with one person's additional usage. Of too many people those who came first are forgotten. */
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

/** The input tokens of both; undefined where an older program counted some of their tokens. */
function inputOf(one: Used, more: Used): number | undefined {
  const counted = [one, more].filter(({ tokens }) => tokens > 0).map(({ inputTokens }) => inputTokens);
  if (counted.length === 0) return undefined;
  return counted.reduce((all, tokens) => (all === undefined || tokens === undefined ? undefined : all + tokens), 0);
}

const readOwn = ({ users }: DayUsage, userId: string): Used =>
  (Object.hasOwn(users, userId) ? users[userId] : null) ?? NOTHING;

/**
 * The figures without this person's, unless they are today's: a budget can't be evaded by being forgotten. Nor can the limit of questions a
 * minute: `asked` are the times that it has to know.
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

/** The figures after a turn of this person begins. */
export const withTurn = (usage: DayUsage | undefined, userId: string, now: number): DayUsage =>
  plus(today(usage, utcDay(now)), userId, { turns: 1, tokens: 0 });

/** The figures with usage that no person has asked for: it counts for the channel alone, and starts no turn. */
export function withChannelUsage(usage: DayUsage | undefined, used: TurnUsage, now: number): DayUsage {
  const figures = today(usage, utcDay(now));
  return { ...figures, channel: sum(figures.channel, { ...costOf({ usage: used }), turns: 0 }) };
}

/** The figures after this turn has ended, if it began on their day. Its turn was counted at its start: without an answer it is taken back. */
export const withTokens = (usage: DayUsage, turn: TurnRecord): DayUsage =>
  belongsToDay(turn, usage.day) ? addTokens(usage, turn, isAnswer(turn.usage) ? 0 : -1) : usage;

const addTokens = (usage: DayUsage, turn: TurnRecord, turns = 0): DayUsage =>
  plus(usage, turn.request.userId, { ...costOf(turn), turns });

const belongsToDay = ({ startedAt }: TurnRecord, day: string): boolean =>
  startedAt !== null && utcDay(startedAt) === day;

/** One turn with its tokens and its money. */
function costOf({ usage }: Pick<TurnRecord, "usage">): Used {
  const { inputTokens, outputTokens, modelCalls: _, ...rest } = usage;
  return { turns: 1, tokens: inputTokens + outputTokens, inputTokens, ...rest };
}

/** What one person and the whole channel have used on the day of `now`, including the unfinished turns so far. */
export function usedBy(state: ChannelState, userId: string, now: number): Budgets {
  const day = utcDay(now);
  const underWay = openTurns(state).filter((turn) => belongsToDay(turn, day));
  const usage = underWay.reduce((sum, turn) => addTokens(sum, turn), today(state.lock.usage, day));
  return { user: readOwn(usage, userId), channel: usage.channel };
}

/**
 * Adds the turns that wait to start, because they have already been accepted. Turns that will join another turn, and
 * parked turns that resume, do not count.
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
/** What one more step of a turn that runs already can use up. */
export const STEP_UNITS = ["tokens", "microUsd"] as const;

/** The first limit that is used up, or null when there is room for one more. */
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

/** The limit that this ended turn has nearly used up, if it crossed the threshold: each limit is announced once a day. */
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
