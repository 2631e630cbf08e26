// What a piece of work costs if its steps can't be counted: this thread's CPU time, converted to a machine of ordinary speed. Other work on
// the machine adds nothing and a slow machine is corrected for, so the same bound is valid everywhere.
import process from "node:process";

/** What the reference work takes on a machine of ordinary speed, in milliseconds. */
const ORDINARY_MS = 30;
const ROUNDS = 5;

/** Runs something. Returns its result and the CPU milliseconds that it would have taken on an ordinary machine. */
export async function costOf<Result>(work: () => Result | Promise<Result>): Promise<{ result: Result; ms: number }> {
  const slowness = Math.max(1, yardstickMs() / ORDINARY_MS);
  const before = process.threadCpuUsage();
  const result = await work();
  return { result, ms: msSince(before) / slowness };
}

/** Measures fixed work of the kind that is judged: joining, searching and cutting texts. The longest of a few runs, because the speed varies. */
function yardstickMs(): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage();
    let text = "";
    for (let at = 0; at < 400_000; at++) text += String.fromCharCode(97 + (at % 26));
    if (text.replace(/[aeiou]+/g, (vowels) => vowels.toUpperCase()).split("E").length < 2)
      throw new Error("no yardstick");
    return msSince(before);
  });
  return Math.max(...times);
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
