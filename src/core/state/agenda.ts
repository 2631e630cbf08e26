// When the object must wake next, and what is due then. One alarm serves every deadline of the channel, because an object
// has only one (Cloudflare). Pure and repeatable: an alarm may come late, early or twice.
import { HEARTBEAT_MS, MIN_ALARM_DELAY_MS, OVERDUE_ALARM_DELAY_MS, OVERDUE_TURN_MS } from "../limits.ts";
import type { ChannelState } from "./record.ts";

/** Deadlines that belong to no turn. Null: nothing of this kind is planned. */
export interface Calendar {
  approvalExpiresAt: number | null;
  tokenRenewalAt: number | null;
  reminderAt: number | null;
  /** When the usage of turns is sent to the scope again. */
  reportAt: number | null;
  /** When a request that the platform refused is to be sent, which any event does. */
  requestAt: number | null;
  housekeepingAt: number | null;
  retentionAt: number | null;
  /** When the conversation is summarised; null also while anything else is to be done. */
  compactionAt: number | null;
  /** Set after a fault of ours in the alarm: the next one comes no earlier, so that a fault can't loop. */
  backoffUntil: number | null;
}

/** A calendar without an entry. */
export const emptyCalendar: Calendar = {
  approvalExpiresAt: null,
  tokenRenewalAt: null,
  reminderAt: null,
  reportAt: null,
  requestAt: null,
  housekeepingAt: null,
  retentionAt: null,
  compactionAt: null,
  backoffUntil: null,
};

/** What `tick` has to do, in this order. */
export type Due =
  | { kind: "takeover"; turnId: string }
  | { kind: "overdue_turn"; turnId: string }
  | { kind: "turn_deadline"; turnId: string }
  | { kind: "tool_deadline"; turnId: string }
  | { kind: "soft_warn"; turnId: string }
  | { kind: "start"; turnId: string }
  | { kind: "close"; turnId: string }
  | { kind: "ask"; turnId: string }
  | { kind: "approval_expiry" }
  | { kind: "token_renewal" }
  | { kind: "reminder" }
  | { kind: "report" }
  | { kind: "housekeeping" }
  | { kind: "retention" }
  | { kind: "compaction" };

/** The time of the next alarm, or null when nothing is planned and the object may sleep for good. */
export function nextWake(state: ChannelState, calendar: Calendar, now: number): number | null {
  const wanted = [
    ...turnDeadlines(state, now),
    calendar.approvalExpiresAt,
    calendar.tokenRenewalAt,
    calendar.reminderAt,
    calendar.reportAt,
    calendar.requestAt,
    calendar.housekeepingAt,
    calendar.retentionAt,
    calendar.compactionAt,
  ].filter((at) => at !== null);
  if (wanted.length === 0) return null;
  const wakes = wanted.map((at) => (at <= now ? now + OVERDUE_ALARM_DELAY_MS : at));
  const earliest = Math.max(Math.min(...wakes), now + MIN_ALARM_DELAY_MS);
  return calendar.backoffUntil === null ? earliest : Math.max(earliest, calendar.backoffUntil);
}

function turnDeadlines(state: ChannelState, now: number): (number | null)[] {
  const { running } = state;
  const isUnsaid = state.closing.length > 0 || unasked(state).length > 0;
  const unsaid = isUnsaid ? now + HEARTBEAT_MS : null;
  if (!running) return [unsaid, state.queue.length > 0 ? now : null];
  const softWarnAt = running.warnedAt === null ? running.softWarnAt : null;
  return [now + HEARTBEAT_MS, softWarnAt, running.toolDeadlineAt, running.deadlineAt, overdueAt(state)];
}

/** When the running turn is taken from whoever runs it; a life that took it over has its own time to end it. */
function overdueAt({ running, lock }: ChannelState): number | null {
  const ends = [running?.stop?.at, running?.deadlineAt].filter((at) => at !== undefined && at !== null);
  return ends.length === 0 ? null : Math.max(Math.min(...ends), lock.startedAt ?? 0) + OVERDUE_TURN_MS;
}

/** Everything due at `now`, in the order in which `tick` does it. `instance` is this life of the object. */
export function dueAt(state: ChannelState, calendar: Calendar, instance: string, now: number): Due[] {
  const due: Due[] = [];
  const passed = (at: number | null) => at !== null && at <= now;
  const { running } = state;
  if (running) {
    if (state.lock.instance !== instance) due.push({ kind: "takeover", turnId: running.id });
    else if (passed(overdueAt(state))) due.push({ kind: "overdue_turn", turnId: running.id });
    else {
      if (passed(running.deadlineAt)) due.push({ kind: "turn_deadline", turnId: running.id });
      if (passed(running.toolDeadlineAt)) due.push({ kind: "tool_deadline", turnId: running.id });
      if (passed(running.softWarnAt) && running.warnedAt === null) due.push({ kind: "soft_warn", turnId: running.id });
    }
  }
  const head = running ? null : state.queue[0];
  if (head) due.push({ kind: "start", turnId: head.id });
  for (const turn of state.closing) due.push({ kind: "close", turnId: turn.id });
  for (const turn of unasked(state)) due.push({ kind: "ask", turnId: turn.id });
  if (passed(calendar.approvalExpiresAt)) due.push({ kind: "approval_expiry" });
  if (passed(calendar.tokenRenewalAt)) due.push({ kind: "token_renewal" });
  if (passed(calendar.reminderAt)) due.push({ kind: "reminder" });
  if (passed(calendar.reportAt)) due.push({ kind: "report" });
  if (passed(calendar.housekeepingAt)) due.push({ kind: "housekeeping" });
  if (passed(calendar.retentionAt)) due.push({ kind: "retention" });
  if (passed(calendar.compactionAt)) due.push({ kind: "compaction" });
  return due;
}

/** Parked turns whose request Discord may not show yet. */
const unasked = ({ parked }: ChannelState) => parked.filter(({ approval }) => approval?.shown === false);
