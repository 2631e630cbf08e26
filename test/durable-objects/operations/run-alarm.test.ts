// An alarm whose work fails: which errors the platform repeats, and how retries after our own errors are paced.
import { expect, it } from "vitest";
import type { Channel } from "../../../durable-objects/live-channel.ts";
import { runAlarm } from "../../../durable-objects/operations/run-alarm.ts";
import { memoryStore } from "../../support/memory-store.ts";

const NOW = 1_000_000;

/** Makes a channel that waits for a reminder in half a second, and whose timers throw what is in `fault`. */
function place() {
  const alarms: (number | null)[] = [];
  const world = { fault: new Error("a bug") as unknown };
  const ports = {
    store: memoryStore(),
    alarm: { fired() {}, arm: (at: number | null) => void alarms.push(at) },
    clock: () => NOW,
    reminders: { nextDueAt: () => NOW + 500 },
    requests: { wantedAt: null },
    timers: {
      runDue() {
        if (world.fault !== null) throw world.fault;
      },
    },
    log: { error() {} },
    instance: "life",
  };
  const channel = { ports, live: null, reporting: { retryAt: 0 }, compacting: null, tickFailures: 0 };
  return { world, alarms, ring: () => runAlarm(channel as unknown as Channel) };
}

it("after an error of our own the alarm is retried after a second, then later and later up to a minute, and soon again after a success", () => {
  const { world, alarms, ring } = place();
  for (let n = 0; n < 8; n++) ring();
  expect(alarms.map((at) => (at ?? 0) - NOW)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  world.fault = null;
  ring();
  world.fault = new Error("a bug");
  ring();
  expect(alarms.slice(8)).toEqual([NOW + 500, NOW + 1000]);
});

it.each<[string, unknown]>([
  ["of a reset", Object.assign(new Error("gone"), { durableObjectReset: true })],
  ["that may be repeated", Object.assign(new Error("gone"), { retryable: false })],
  ["of a deploy", new Error("The script has been upgraded.")],
  [
    "of a deploy that takes the storage away",
    new TypeError("The Durable Object's code has been updated, this version can no longer access storage."),
  ],
  [
    "of a storage that is too slow",
    new Error("Durable Object storage operation exceeded timeout which caused object to be reset."),
  ],
  ["of a move", new Error("cannot access storage because object has moved to a different machine")],
])("an error %s is left to the platform, which repeats the alarm", (_, fault) => {
  const { world, alarms, ring } = place();
  world.fault = fault;
  expect(ring).toThrow(fault as Error);
  expect(alarms).toEqual([]);
});

it("a thrown value that is not an error counts as an error of our own", () => {
  const { world, alarms, ring } = place();
  world.fault = { message: "internal error", retryable: true };
  ring();
  expect(alarms).toEqual([NOW + 1000]);
});
