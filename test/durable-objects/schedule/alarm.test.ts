// The object's alarm if the storage fails to set it, and its clock if the machine's clock goes back.
import { describe, expect, it } from "vitest";
import { AlarmClock } from "../../../durable-objects/schedule/alarm.ts";
import { BackstopTimers } from "../../../durable-objects/schedule/backstop-timers.ts";
import { createSteadyClock } from "../../../durable-objects/schedule/steady-clock.ts";
import { createTime } from "../../../durable-objects/schedule/time.ts";
import { createTestClock } from "../../support/clock.ts";

describe("an alarm that can't be set", () => {
  it.each([
    ["throws", () => explode()],
    ["rejects", () => Promise.reject(new Error("no storage"))],
  ])("because the storage %s is reported and can be set again", async (_how, fail) => {
    const set: number[] = [];
    const failures: (() => void)[] = [];
    let isBroken = true;
    const alarm = new AlarmClock(
      {
        async setAlarm(at) {
          if (isBroken) return fail();
          set.push(at);
        },
        deleteAlarm: async () => {},
      },
      () => 0,
      (_error, again) => failures.push(again),
    );
    alarm.arm(5000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([set, failures.length]).toEqual([[], 1]);
    isBroken = false;
    failures[0]?.();
    alarm.arm(6000);
    expect(set).toEqual([5000]);
  });
});

it("an alarm that can't be set for hours is retried less and less often, down to once a minute, and each failure is logged", async () => {
  const { now, timers, advance } = createTestClock(0);
  const tries: number[] = [];
  const errors: string[] = [];
  const full = () => {
    tries.push(now() / 1000);
    return Promise.reject(new Error("Exceeded allowed rows written in Durable Objects free tier."));
  };
  const log = { info() {}, warn() {}, error: (line: string) => void errors.push(line) };
  const { alarm } = createTime({ setAlarm: full, deleteAlarm: full }, { clock: now, timers }, log);
  alarm.arm(5000);
  for (let second = 0; second < 200; second++) await advance(1000);
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(errors).toHaveLength(tries.length);
});

it("an alarm is written again only if it must come sooner, or if no turn depends on it and it may come later", () => {
  const set: number[] = [];
  const storage = { setAlarm: async (at: number) => void set.push(at), deleteAlarm: async () => {} };
  const alarm = new AlarmClock(storage, () => 0);
  for (const at of [7000, 7000, 8000, 6000]) alarm.arm(at);
  expect(set).toEqual([7000, 6000]);
  for (const at of [6000, 9000, 9000, 8000]) alarm.arm(at, true);
  expect(set).toEqual([7000, 6000, 9000, 8000]);
});

describe("an alarm that should have fired", () => {
  it("is set again by the next plan, once it is later than Cloudflare's alarms ever are", () => {
    const set: number[] = [];
    let now = 0;
    const storage = { setAlarm: async (at: number) => void set.push(at), deleteAlarm: async () => {} };
    const alarm = new AlarmClock(storage, () => now);
    alarm.arm(7000);
    now = 67_000;
    alarm.arm(74_000);
    expect(set).toEqual([7000]);
    now = 67_001;
    alarm.arm(74_001);
    expect(set).toEqual([7000, 74_001]);
    now = 134_002;
    alarm.arm(74_001);
    expect(set).toEqual([7000, 74_001, 74_001]);
  });
});

describe("timers that the runtime does not fire", () => {
  it("are fired by the alarm once their time has come, the oldest first", () => {
    const fired: string[] = [];
    const timers = new BackstopTimers(() => 0, { after: () => () => {} });
    for (const [ms, name] of [
      [2000, "second"],
      [1000, "first"],
      [2001, "later"],
    ] as const)
      timers.after(ms, () => fired.push(name));
    timers.runDue(2000);
    expect([fired, timers.pending]).toEqual([["first", "second"], 1]);
  });
});

describe("a clock that is set back", () => {
  it("continues from where it was, and its alarms are set by the machine's time", () => {
    let machine = 100_000;
    const steps: number[] = [];
    const clock = createSteadyClock(
      () => machine,
      (ms) => steps.push(ms),
    );
    machine = 130_000;
    expect(clock.now()).toBe(130_000);
    machine = 70_000;
    expect(clock.now()).toBe(130_000);
    machine = 71_000;
    expect(clock.now()).toBe(131_000);
    expect(clock.toMachine(138_000)).toBe(78_000);
    expect(steps).toEqual([60_000]);
  });

  it("by less than a second is not logged", () => {
    let machine = 1000;
    const steps: number[] = [];
    const clock = createSteadyClock(
      () => machine,
      (ms) => steps.push(ms),
    );
    machine = 990;
    expect([clock.now(), steps]).toEqual([1000, []]);
    machine = -10;
    expect([clock.now(), steps]).toEqual([1000, [1000]]);
  });
});

function explode(): never {
  throw new Error("no storage");
}
