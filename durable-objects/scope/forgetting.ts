// Forgets a person in all channels of a scope: a stored list of channels, worked off at once as far as it goes, the rest by the alarm.

import type { ForgottenElsewhere } from "../../src/core/access/scope-rpc.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import type { ToForget } from "./forgetting-store.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** How many channels are asked at the same time, and before the person gets an answer: Discord waits for three seconds. */
const AT_ONCE = 20;
/** The rest follows after so long, and a channel that can't be reached after this, doubled with each try. */
const NEXT_MS = 1000;
const RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;

/** Deletes the person's facts and their sums of earlier days, and lists where they have to be forgotten. Repeating it adds nothing. */
export function planForgetting(
  { usage, forgetting, people, clock }: ScopePorts,
  userId: string,
  exceptChannelId: string,
): void {
  usage.transaction(() => {
    people.forgetFacts(userId);
    usage.forget(userId, utcDay(clock()));
    forgetting.plan(userId, exceptChannelId, clock());
  });
}

/**
 * Works off what is due, of one person or of all; the caller plans the alarm in this tick. Returns what was done, and what of the one person
 * is left. Rejects only when the storage fails.
 */
export async function forgetDue(ports: ScopePorts, userId: string | null = null): Promise<ForgottenElsewhere> {
  const { forgetting, clock } = ports;
  const due = forgetting.due(clock(), userId);
  // Before anything is awaited: for what is still due the alarm would come at once, and ask all the others as well.
  for (const later of due.slice(AT_ONCE)) forgetting.postpone(later, clock() + NEXT_MS, later.tries);
  const done = await Promise.all(due.slice(0, AT_ONCE).map((one) => forgetIn(ports, one)));
  planAlarm(ports);
  return { channels: done.filter((isDone) => isDone).length, left: userId === null ? 0 : forgetting.count(userId) };
}

async function forgetIn({ forgetting, forgetPersonIn, clock, log }: ScopePorts, one: ToForget): Promise<boolean> {
  // Tried again in any case, should this life end before there is an answer.
  forgetting.postpone(one, clock() + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** one.tries), one.tries + 1);
  try {
    await forgetPersonIn(one.channelId, one.userId);
    forgetting.done(one);
    return true;
  } catch (error) {
    log.error("a person is not forgotten in a channel yet", { channelId: one.channelId, error: String(error) });
    return false;
  }
}
