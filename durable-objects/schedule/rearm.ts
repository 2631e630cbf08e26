// Sets the object's one alarm to what the channel has planned.
import { type Calendar, nextWake } from "../../src/core/decisions/agenda.ts";
import { nextExpiry } from "../../src/core/decisions/approval.ts";
import { mayCompact } from "../../src/core/decisions/compaction.ts";
import { holdsToken, tokenRenewalAt } from "../../src/core/decisions/token-life.ts";
import type { ChannelState } from "../../src/core/state/record.ts";
import type { PlaceNotes } from "../../src/core/state/rpc.ts";
import type { Channel } from "../live-channel.ts";
import { notePlace } from "../settings/effective-settings.ts";

/** Sets the alarm to the channel's next deadline. Call it in the same tick as every write that changes what is planned. */
export function rearm(channel: Channel, backoffUntil: number | null = null): void {
  const { ports } = channel;
  const state = ports.store.state();
  const calendar = { ...readCalendar(channel, state), backoffUntil };
  const now = ports.clock();
  // If nothing is planned for anyone, the alarm may move later: the last heartbeat would wake the object for nothing.
  const isIdle = nextWake(state, { ...calendar, retentionAt: null, compactionAt: null }, now) === null;
  ports.alarm.arm(nextWake(state, calendar, now), isIdle);
}

/** Stores what a request says about the place that it comes from, and sets the alarm, because that may change how long things are kept. */
export function noteHere(channel: Channel, said: PlaceNotes): void {
  const { ports } = channel;
  ports.store.transaction(() => notePlace(ports, said));
  rearm(channel);
}

/** Reads the channel's deadlines that don't belong to a running turn. */
export function readCalendar(channel: Channel, state: ChannelState): Calendar {
  const { ports, reporting, compacting } = channel;
  const { compaction: plan } = state.lock;
  return {
    approvalExpiresAt: nextExpiry(state),
    tokenRenewalAt: tokenRenewalAt(state),
    reminderAt: ports.reminders.nextDueAt(),
    reportAt: ports.store.hasReports() ? reporting.retryAt : null,
    requestAt: ports.requests.wantedAt,
    housekeepingAt: state.lock.housekeepingAt,
    retentionAt: state.lock.retentionAt ?? null,
    compactionAt: plan && mayCompact(plan, state) ? (compacting?.until ?? plan.at) : null,
    muteUntil: readMuteUntil(channel, state),
    backoffUntil: null,
  };
}

/** While an answer can't be shown to anybody, the wait before the next try is as long as it is late, within these bounds. */
const MUTE_MS = 2 * 60_000;
const MAX_MUTE_MS = 60 * 60_000;

/** Returns until when to skip heartbeats, or null. They are useless while only the bot's token, which Discord refuses, could show what is left. */
function readMuteUntil({ ports, replies }: Channel, { closing, parked }: ChannelState): number | null {
  if (closing.length === 0 || parked.length > 0 || !ports.rateLimiter.isTokenRefused) return null;
  const now = ports.clock();
  if (!closing.every((turn) => replies.isByBot(turn.id) || !holdsToken(turn, now))) return null;
  const lateMs = Math.max(0, ...closing.map(({ endedAt }) => now - (endedAt ?? now)));
  return now + Math.min(Math.max(lateMs, MUTE_MS), MAX_MUTE_MS);
}
