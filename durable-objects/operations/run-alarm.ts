// Runs the object's alarm: does everything that is due and sets the next alarm, even if something failed.

import { describeError } from "../../src/core/describe-error.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { eraseIfEmpty } from "../upkeep/retention.ts";
import { tick } from "./tick.ts";

const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** The heartbeat and the backstop of every deadline. May come late, early or twice. Returns what the caller must still wait for, if anything. */
export function runAlarm(channel: Channel): Promise<void> | undefined {
  const { ports } = channel;
  ports.alarm.fired();
  let backoffUntil: number | null = null;
  try {
    tick(channel);
    channel.tickFailures = 0;
  } catch (error) {
    // The platform retries after its own resets. After an error of ours we set the alarm ourselves: after six failures the platform
    // would delete it, and the turn would be lost.
    if (isInfrastructure(error)) throw error;
    backoffUntil = ports.clock() + Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** channel.tickFailures++);
    ports.log.error("tick failed", { error: describeError(error) });
  }
  rearm(channel, backoffUntil);
  if (backoffUntil !== null) return;
  try {
    if (eraseIfEmpty(channel)) return import("../upkeep/look.ts").then(({ look }) => look(channel));
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    // Nothing is planned and nothing is lost, so there is no need for the platform's retries.
    ports.log.error("the storage could not be deleted", { error: describeError(error) });
  }
}

const INFRASTRUCTURE =
  /code (was|has been) updated|script has been upgraded|network connection lost|internal error|to be reset|different machine/i;

/** Whether the error is a reset of the object or an outage of its storage, as Cloudflare words them. */
function isInfrastructure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("durableObjectReset" in error || "retryable" in error) return true;
  return INFRASTRUCTURE.test(error.message);
}
