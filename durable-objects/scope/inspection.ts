// Answers the inspector's questions about a scope, and limits how often an address may try a token. Reading writes nothing. The attempts are counted
// in memory: no person's address is stored, and strangers cause no rows.

import type { ScopeInspection } from "../../src/core/access/inspection-rpc.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import type { ScopePorts } from "./scope-ports.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
const MAX_LISTED = 200;
const WINDOW_MS = 60_000;
const MAX_WRONG = 10;
/** The most addresses that may try a token in one minute. More are an attack, and no new address may try then. */
const MAX_ADDRESSES = 2000;

/** Returns the last 30 days (UTC) of this scope. */
export function inspectScope({ usage, clock }: Pick<ScopePorts, "usage" | "clock">): ScopeInspection {
  const [first, last] = [utcDay(clock() - (DAYS - 1) * DAY_MS), utcDay(clock())];
  const servers = usage.latest("server", first, last);
  const channels = usage.latest("channel", first, last);
  return {
    days: usage.byDay(first, last),
    servers: servers.slice(0, MAX_LISTED),
    channels: channels.slice(0, MAX_LISTED),
    serversLeftOut: Math.max(0, servers.length - MAX_LISTED),
    channelsLeftOut: Math.max(0, channels.length - MAX_LISTED),
  };
}

/** Whether someone at this address may try a token; counts the attempt if the token is wrong. */
export type TokenTries = (address: string, isRight: boolean) => boolean;

/**
 * Counts wrong tokens by address. After ten in a minute the answer is no, even for a right token, so that further guesses reveal nothing. All
 * counts start over each minute. Until then the object stays in memory, because an idle one would forget them after ten seconds.
 */
export function countTries({ clock, stayAwake }: Pick<ScopePorts, "clock" | "stayAwake">): TokenTries {
  let since = Number.NEGATIVE_INFINITY;
  const wrong = new Map<string, number>();
  return (address, isRight) => {
    if (clock() >= since + WINDOW_MS) {
      since = clock();
      wrong.clear();
    }
    const before = wrong.get(address) ?? 0;
    if (before >= MAX_WRONG || (before === 0 && wrong.size >= MAX_ADDRESSES)) return false;
    if (!isRight && wrong.size === 0) stayAwake(WINDOW_MS);
    if (!isRight) wrong.set(address, before + 1);
    return true;
  };
}
