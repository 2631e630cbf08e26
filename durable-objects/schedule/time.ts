// The time of one life of the object: a clock that never goes back, and the timers and alarm that use it. Only the alarm's stored time is the
// machine's.
import { describeError } from "../../src/core/describe-error.ts";
import type { Clock, Log, Timers } from "../../src/turn/ports.ts";
import { AlarmClock, type AlarmStorage } from "./alarm.ts";
import { BackstopTimers } from "./backstop-timers.ts";
import { createSteadyClock } from "./steady-clock.ts";

/** The wait before setting an alarm again after a failure; it doubles each time, because a day's allowance may be used up. */
const ALARM_RETRY_MS = 1000;
const MAX_ALARM_RETRY_MS = 60_000;

/** Creates the clock, the timers and the alarm over the machine's clock and timers. */
export function createTime(storage: AlarmStorage, machine: { clock: Clock; timers: Timers }, log: Log) {
  const { now: clock, toMachine } = createSteadyClock(machine.clock, (ms) => log.error("the clock went back", { ms }));
  const timers = new BackstopTimers(clock, machine.timers);
  const alarm = new AlarmClock(
    { setAlarm: (at) => storage.setAlarm(toMachine(at)), deleteAlarm: () => storage.deleteAlarm() },
    clock,
    (error, again, failures) => {
      log.error("the alarm could not be set", { error: describeError(error) });
      timers.after(Math.min(MAX_ALARM_RETRY_MS, ALARM_RETRY_MS * 2 ** failures), again);
    },
  );
  return { clock, timers, alarm };
}
