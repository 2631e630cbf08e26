// Computes when the object must wake next, and what is due then. One alarm serves every deadline of the channel, because an object
// has only one (Cloudflare). Pure and repeatable: an alarm may come late, early or twice.
import { HEARTBEAT_MS, MIN_ALARM_DELAY_MS, OVERDUE_ALARM_DELAY_MS, OVERDUE_TURN_MS } from "../limits.ts";
import type { ChannelState } from "../state/record.ts";

/** Deadlines that belong to no turn. Null: nothing of this kind is planned. */
export interface Calendar {
  approvalExpiresAt: number | null;
  tokenRenewalAt: number | null;
  reminderAt: number | null;
  /** When the usage of turns is sent to the scope again. */
  reportAt: number | null;
  /** When a request that the platform refused is sent again; any event sends it. */
  requestAt: number | null;
  housekeepingAt: number | null;
  retentionAt: number | null;
  /** When the conversation is summarized; also null while there is anything else to do. */
  compactionAt: number | null;
  /** Until then Discord does not accept the bot's token, so turns that only wait for their last edit can't be shown. */
  muteUntil: number | null;
  /** Set after an error of our own in the alarm: the next alarm comes no earlier, so that a bug can't loop. */
  backoffUntil: number | null;
}

/** The work that is due once a deadline of the calendar has passed, in the order in which `tick` does it. */
const CALENDAR_WORK = {
  approvalExpiresAt: "approval_expiry",
  tokenRenewalAt: "token_renewal",
  reminderAt: "reminder",
  reportAt: "report",
  housekeepingAt: "housekeeping",
  retentionAt: "retention",
  compactionAt: "compaction",
} as const satisfies Partial<Record<keyof Calendar, string>>;

type CalendarWork = typeof CALENDAR_WORK;

/** What `tick` has to do. */
export type Due =
  | { kind: "takeover" | "overdue_turn" | "turn_deadline" | "soft_warn" | "start" }
  | { kind: "close" | "ask"; turnId: string }
  | { kind: CalendarWork[keyof CalendarWork] };

/** Returns the time of the next alarm, or null when nothing is planned and the object may sleep for good. */
export function nextWake(state: ChannelState, calendar: Calendar, now: number): number | null {
  const { backoffUntil, muteUntil, ...entries } = calendar;
  const wanted = [...turnDeadlines(state, now, muteUntil ?? 0), ...Object.values(entries)].filter((at) => at !== null);
  if (wanted.length === 0) return null;
  const wakes = wanted.map((at) => (at <= now ? now + OVERDUE_ALARM_DELAY_MS : at));
  return Math.max(Math.min(...wakes), now + MIN_ALARM_DELAY_MS, backoffUntil ?? 0);
}

function turnDeadlines(state: ChannelState, now: number, muteUntil: number): (number | null)[] {
  const { running } = state;
  const isUnsaid = state.closing.length > 0 || unasked(state).length > 0;
  const unsaid = isUnsaid ? Math.max(now + HEARTBEAT_MS, muteUntil) : null;
  if (!running) return [unsaid, state.queue.length > 0 ? now : null];
  const softWarnAt = running.warnedAt === null ? running.softWarnAt : null;
  return [now + HEARTBEAT_MS, softWarnAt, running.toolDeadlineAt, running.deadlineAt, overdueAt(state)];
}

/** When the running turn is taken from whoever runs it. A life that took it over gets the full time to end it. */
function overdueAt({ running, lock }: ChannelState): number | null {
  const ends = [running?.stop?.at, running?.deadlineAt].filter((at) => at !== undefined && at !== null);
  return ends.length === 0 ? null : Math.max(Math.min(...ends), lock.startedAt ?? 0) + OVERDUE_TURN_MS;
}

/**
 * Returns everything due at `now`, in the order in which `tick` does it. `instance` is this life of the object. A tool's deadline only wakes
 * the object: the tool's own timer ends it.
 */
export function dueAt(state: ChannelState, calendar: Calendar, instance: string, now: number): Due[] {
  const passed = (at: number | null) => at !== null && at <= now;
  const { running } = state;
  const due: Due[] = [];
  if (!running) {
    if (state.queue.length > 0) due.push({ kind: "start" });
  } else if (state.lock.instance !== instance) due.push({ kind: "takeover" });
  else if (passed(overdueAt(state))) due.push({ kind: "overdue_turn" });
  else {
    if (passed(running.deadlineAt)) due.push({ kind: "turn_deadline" });
    if (passed(running.softWarnAt) && running.warnedAt === null) due.push({ kind: "soft_warn" });
  }
  for (const { id } of state.closing) due.push({ kind: "close", turnId: id });
  for (const { id } of unasked(state)) due.push({ kind: "ask", turnId: id });
  for (const entry of Object.keys(CALENDAR_WORK) as (keyof CalendarWork)[])
    if (passed(calendar[entry])) due.push({ kind: CALENDAR_WORK[entry] });
  return due;
}

/** Returns the parked turns whose request Discord may not show yet. */
const unasked = ({ parked }: ChannelState) => parked.filter(({ approval }) => approval?.shown === false);
