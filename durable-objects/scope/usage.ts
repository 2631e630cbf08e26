// Counts a scope's usage: each turn's report once, leases against the limits, and sums. A server passes the reports on to the
// deployment, and asks it for a lease too.

import { judge } from "../../src/core/access/judge.ts";
import { guildOf } from "../../src/core/access/scope-copy.ts";
import type {
  LeaseAnswer,
  LeaseRequest,
  OwnerUsage,
  ScopeUsage,
  UsagePeriods,
} from "../../src/core/access/scope-rpc.ts";
import { type Amount, utcDay } from "../../src/core/money/lease.ts";
import { decideLease, type ScopeLimit } from "../../src/core/money/lend.ts";
import {
  firstOfMonth,
  isNoTurn,
  NO_USAGE,
  sumOf,
  type TurnReport,
  type UsageSum,
} from "../../src/core/money/report.ts";
import { isAnswer } from "../../src/core/money/usage.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { deploymentCopy } from "./deployment.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";
import type { Lease, UsageKind } from "./usage-store.ts";

/** When a lease lapses that no report has ended. */
export const LEASE_MS = 10 * 60_000;
const DEAREST = 5;

/** Counts each report once. Returns the ids of the turns that are counted by now, so that the sender can drop their reports. */
export function takeReports(ports: ScopePorts, reports: readonly TurnReport[]): string[] {
  const { usage, clock, name } = ports;
  const isServer = guildOf(name) !== null;
  return usage.transaction(() =>
    reports.map((report) => {
      const { turnId } = report;
      if (usage.isReported(turnId)) return turnId;
      usage.markReported(turnId, clock());
      usage.dropLease(turnId);
      // A turn that gave no answer counts as nothing, but its channel is still listed.
      const sum = isAnswer(report.usage) ? sumOf(report) : NO_USAGE;
      for (const [kind, id] of isNoTurn(report) ? [] : countedAs(report, isServer))
        if (sum !== NO_USAGE || kind !== "user") usage.add(kind, id, utcDay(report.at), sum);
      if (report.userId !== "" && (isServer || report.guildId === null)) notePlace(ports, report);
      if (isServer) usage.putOutbox(report);
      return turnId;
    }),
  );
}

/** Notes where the person used the bot. A late report, or one from an upgrade, may be about a time before they asked to be forgotten. */
function notePlace({ forgetting, clock }: ScopePorts, report: TurnReport): void {
  const { userId, channelId, at, endedAt = clock() + 1 } = report;
  if (forgetting.planLate(userId, channelId, isNoTurn(report) ? at : endedAt, clock())) return;
  forgetting.noteUse(userId, channelId, utcDay(at));
}

/** Lists the sums that a report adds to: in a server all of the server's; in the deployment the server, and people and channels outside servers. */
function countedAs({ userId, channelId, guildId }: TurnReport, isServer: boolean): [UsageKind, string][] {
  const own: [UsageKind, string][] = [
    ["channel", channelId],
    ...(userId === "" ? [] : ([["user", userId]] as [UsageKind, string][])),
  ];
  return [
    ["all", ""],
    ...(isServer ? [] : ([["server", guildId ?? ""]] as [UsageKind, string][])),
    ...(isServer || guildId === null ? own : []),
  ];
}

/**
 * Grants a turn a part of what is left of this scope's limits, and counts it as spent until the turn's report comes or the lease lapses.
 * Repeating a request replaces the turn's lease.
 */
export function grantLease(ports: ScopePorts, request: LeaseRequest): LeaseAnswer {
  const { usage, clock } = ports;
  const now = clock();
  const { turnId, userId, spent, estimate } = request;
  // A turn is reported for the day on which it began.
  const at = request.at ?? now;
  return usage.transaction(() => {
    const leases = usage.leases();
    const others = leases.filter((lease) => lease.turnId !== turnId && lease.until > now);
    const isNew = leases.every((lease) => lease.turnId !== turnId);
    const decided = decideLease(limitsOf(ports, request, others, at), { spent, estimate, isNew }, at);
    if (!decided.ok) return { kind: "spent", limit: decided.limit };
    const { allowance } = decided;
    const until = now + LEASE_MS;
    const held = { tokens: allowance.tokens ?? spent.tokens, microUsd: allowance.microUsd ?? spent.microUsd };
    // A stopped turn's report may overtake its request for a lease.
    if (!usage.isReported(turnId)) usage.putLease({ turnId, userId, held, until });
    return { kind: "granted", allowance, until };
  });
}

/** Grants the deployment's lease: for a turn outside servers, after judging its person, or for a server that has already judged. */
export async function leaseOutsideServers(
  ports: ScopePorts,
  { person, ...request }: LeaseRequest,
): Promise<LeaseAnswer> {
  const verdict = person ? judge(person, ports.policy, await deploymentCopy(ports, null)) : null;
  return verdict?.kind === "refused" ? verdict : grantLease(ports, request);
}

function limitsOf(
  { usage, name, moneyLimits }: ScopePorts,
  { userId, limits, guildId }: LeaseRequest,
  leases: readonly Omit<Lease, "turnId">[],
  at: number,
): ScopeLimit[] {
  const today = utcDay(at);
  // Leases from before this day or month are for turns that count for an earlier one.
  const lentSince = (day: string) => leases.filter(({ until }) => utcDay(until - LEASE_MS) >= day);
  const others = lentSince(today);
  const heldIn = (of: typeof leases, unit: keyof Amount) => of.reduce((sum, lease) => sum + lease.held[unit], 0);
  const all = usage.sum("all", "", today, today);
  const person = usage.sum("user", userId, today, today);
  const theirs = others.filter((lease) => lease.userId === userId);
  const own = { of: "user", per: "day" } as const;
  const perPerson: ScopeLimit[] = [
    { ...own, unit: "turns", limit: limits.userTurns, used: person.turns, held: theirs.length },
    { ...own, unit: "tokens", limit: limits.userTokens, used: tokensOf(person), held: heldIn(theirs, "tokens") },
    { ...own, unit: "microUsd", limit: limits.userMicroUsd, used: person.microUsd, held: heldIn(theirs, "microUsd") },
  ];
  const people = userId === "" ? [] : perPerson;
  const money = { unit: "microUsd", per: "day", used: all.microUsd, held: heldIn(others, "microUsd") } as const;
  if (guildOf(name) !== null) return [...people, { ...money, of: "server", limit: limits.serverMicroUsd }];
  // The whole month, because it may have continued since that day. The days are compared as text, so every month may end with 31.
  const month = usage.sum("all", "", firstOfMonth(today), `${today.slice(0, 8)}31`);
  return [
    { ...money, of: "deployment", limit: moneyLimits.microUsdPerDay },
    {
      ...money,
      of: "deployment",
      per: "month",
      limit: moneyLimits.microUsdPerMonth,
      used: month.microUsd,
      held: heldIn(lentSince(firstOfMonth(today)), "microUsd"),
    },
    // Servers count their own people; the deployment counts those outside servers.
    ...(guildId === null ? people : []),
  ];
}

const tokensOf = ({ inputTokens, outputTokens }: UsageSum): number => inputTokens + outputTokens;

/** Reads one sum for today and for this month. */
function readPeriods({ usage, clock }: ScopePorts, kind: UsageKind, id: string): UsagePeriods {
  const today = utcDay(clock());
  return { today: usage.sum(kind, id, today, today), month: usage.sum(kind, id, firstOfMonth(today), today) };
}

/** Returns what `/bot usage` shows of this scope. */
export const scopeUsage = (ports: ScopePorts, userId: string, channelId: string): ScopeUsage => ({
  user: readPeriods(ports, "user", userId),
  channel: readPeriods(ports, "channel", channelId),
  all: readPeriods(ports, "all", ""),
});

/** Returns what `/owner usage` shows: the deployment's sums and its most expensive servers of the month. */
export function ownerUsage(ports: ScopePorts): OwnerUsage {
  const { usage, clock, moneyLimits } = ports;
  const today = utcDay(clock());
  // One extra, because everything outside servers counts as one of them.
  const top = usage.dearest("server", firstOfMonth(today), today, DEAREST + 1);
  const servers = top.filter(({ id }) => id !== "").slice(0, DEAREST);
  const dearest = top.filter((one) => one.id === "" || servers.includes(one));
  return {
    all: readPeriods(ports, "all", ""),
    dearest: dearest.map(({ id, sum }) => ({ guildId: id, sum })),
    ...moneyLimits,
  };
}

/** How many reports one request carries. */
const REPORTS_AT_ONCE = 50;
/** Passes a server's reports on to the deployment until none is left. Those that it doesn't take stay, and the alarm tries again. */
export async function passOn(ports: ScopePorts, deployment: ScopePort): Promise<void> {
  const { usage, log } = ports;
  try {
    for (let reports = usage.outbox(REPORTS_AT_ONCE); reports.length > 0; reports = usage.outbox(REPORTS_AT_ONCE)) {
      const taken = await deployment.report(reports);
      usage.transaction(() => {
        for (const turnId of taken) usage.dropOutbox(turnId);
      });
      if (taken.length === 0) throw new Error("it took none");
    }
    planAlarm(ports);
  } catch (error) {
    log.error("the deployment did not take usage", { error: String(error) });
  }
}
