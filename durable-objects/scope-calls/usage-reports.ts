// Reports what turns used to the scope that counts it. A report is stored with the turn's end, sent at once, and sent again by the alarm until
// the scope has taken it. The scope counts each turn once.
import type { TurnReport } from "../../src/core/money/report.ts";
import { conversationName } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { askScope, countedIn, SCOPE_LIMIT_MS } from "./ask-scope.ts";

const REPORTS_AT_ONCE = 20;
const FIRST_RETRY_MS = SCOPE_LIMIT_MS + 5000;
const MAX_RETRY_MS = 10 * 60_000;

/**
 * Notes a turn that has ended, within the caller's transaction, and the other people named in it (who stopped it, or decided about its call), so
 * that they can be forgotten here too. A turn that never began used nothing.
 */
export function noteUsage(channel: Channel, { id, request, startedAt, usage, events }: TurnRecord): void {
  if (startedAt === null) return;
  const { userId } = request;
  const channelId = conversationName(request);
  const place = { channelId, guildId: countedIn(request), at: startedAt };
  noteReport(channel, { ...place, turnId: id, userId, usage });
  const nothing = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  for (const { at, by } of events)
    if (by && by !== userId)
      noteReport(channel, { ...place, turnId: `people:${id}:${at}`, userId: by, usage: nothing });
}

/** Stores a report, within the caller's transaction. */
export function noteReport({ ports: { store, clock }, reporting }: Channel, report: TurnReport): void {
  // It is sent as soon as it is stored. The alarm is for the case that this life ends before.
  if (!store.hasReports()) reporting.retryAt = clock() + FIRST_RETRY_MS;
  store.putReport({ ...report, endedAt: clock() });
}

/** Sends the reports that were not taken yet, in the background. Does nothing while they are already being sent. */
export function sendReports(channel: Channel): void {
  const { ports, reporting } = channel;
  if (reporting.isSending || !ports.store.hasReports()) return;
  reporting.isSending = true;
  const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** reporting.failures);
  // Set before any `await`: if this life ends now, the alarm of the next one sends them.
  reporting.retryAt = ports.clock() + waitMs;
  rearm(channel);
  const sent = sendAll(ports)
    .then((isDone) => {
      reporting.failures = isDone ? 0 : reporting.failures + 1;
    })
    .finally(() => {
      reporting.isSending = false;
      rearm(channel);
    });
  ports.keepAlive(sent);
}

/** Returns whether the scope has taken everything. */
async function sendAll(ports: ChannelPorts): Promise<boolean> {
  const { store } = ports;
  for (;;) {
    const reports = store.reports(REPORTS_AT_ONCE);
    const [first] = reports;
    if (!first) return true;
    const together = reports.filter(({ guildId }) => guildId === first.guildId);
    const taken = await askScope(ports, first.guildId, (scope) => scope.report(together));
    const dropped = together.filter(({ turnId }) => Array.isArray(taken) && taken.includes(turnId));
    if (dropped.length === 0) return false;
    store.transaction(() => {
      for (const { turnId } of dropped) store.dropReport(turnId);
    });
  }
}
