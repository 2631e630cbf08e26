// Moves `setTimeout` by hand for code that is given no timers. Node's `fetch` sets its own timers through the same global functions, also
// for connections that an earlier file of this process has left, whenever the machine comes to them: those stay real, and are not counted.
import { vi } from "vitest";

type Timeouts = Pick<typeof globalThis, "setTimeout" | "clearTimeout">;

/** From now on `vi` moves and counts the timeouts of everything but Node itself, until `vi.useRealTimers()`. */
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

/** Whether Node's own code called the function that asks: the line of the stack behind the ones of this file. */
function isAskedByNode(): boolean {
  const [, , , caller = ""] = (new Error("who asks").stack ?? "").split("\n");
  return caller.includes("(node:internal/") || caller.includes("at node:internal/");
}
