// Moves `setTimeout` by hand for code to which no timers are passed. Node's `fetch` sets its own timers through the same global functions, at any
// time, also for connections that an earlier test file of this process left open. Those stay real and are not counted.
import { vi } from "vitest";

type Timeouts = Pick<typeof globalThis, "setTimeout" | "clearTimeout">;

/** Lets `vi` move and count the timeouts of everything except Node itself, until `vi.useRealTimers()`. */
export function fakeTimeouts(): void {
  const { setTimeout, clearTimeout } = globalThis;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const faked: Timeouts = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const real: Timeouts = { setTimeout, clearTimeout };
  for (const name of ["setTimeout", "clearTimeout"] as const) {
    const choose = (...args: unknown[]) => Reflect.apply((isAskedByNode() ? real : faked)[name], globalThis, args);
    Object.assign(globalThis, { [name]: choose });
  }
}

/** Whether Node's own code called the faked function: reads the first line of the stack below this file's. */
function isAskedByNode(): boolean {
  const [, , , caller = ""] = (new Error("who asks").stack ?? "").split("\n");
  return caller.includes("(node:internal/") || caller.includes("at node:internal/");
}
