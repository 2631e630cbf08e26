// Forgets a person in all channels of a scope, from a stored list of channels: as many as possible at once, the rest by the alarm.

import type { ForgottenElsewhere } from "../../src/core/access/scope-rpc.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import type { ToForget } from "./forgetting-store.ts";
import { planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";

/** How many channels are asked at the same time, before the person gets an answer: Discord waits three seconds for it. */
const AT_ONCE = 20;
/** When the rest follows. RETRY_MS is the wait for a channel that can't be reached; it doubles with each attempt. */
const NEXT_MS = 1000;
const RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;

/** Deletes the person's facts and their sums of earlier days, and lists the channels that must forget them. May run twice. */
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
 * Does what is due, for one person or for all; the caller plans the alarm in this tick. Returns how many channels are done, and how many are left
 * for the one person. Rejects only when the storage fails.
 */
export async function forgetDue(ports: ScopePorts, userId: string | null = null): Promise<ForgottenElsewhere> {
  const { forgetting, clock } = ports;
  const due = forgetting.due(clock(), userId);
  // Before any `await`: otherwise the alarm would come at once for what is still due, and ask all these channels as well.
  for (const later of due.slice(AT_ONCE)) forgetting.postpone(later, clock() + NEXT_MS, later.tries);
  const done = await Promise.all(due.slice(0, AT_ONCE).map((one) => forgetIn(ports, one)));
  planAlarm(ports);
  return { channels: done.filter((isDone) => isDone).length, left: userId === null ? 0 : forgetting.count(userId) };
}

async function forgetIn({ forgetting, forgetPersonIn, clock, log }: ScopePorts, one: ToForget): Promise<boolean> {
  // Plans the next attempt first, in case this life ends before the channel answers.
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
