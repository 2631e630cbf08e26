// How much a piece of work costs where its steps can't be counted: the processor's time of this thread, on a machine of ordinary speed.
// Other work beside it adds nothing, and a slow machine no more than it is slow, so a bound holds everywhere.
import process from "node:process";

/** What the yardstick takes on a machine of ordinary speed, in milliseconds. */
const ORDINARY_MS = 30;
const ROUNDS = 5;

/** Runs something and gives its result with the milliseconds that it would have computed on an ordinary machine. */
export async function costOf<Result>(work: () => Result | Promise<Result>): Promise<{ result: Result; ms: number }> {
  const slowness = Math.max(1, yardstickMs() / ORDINARY_MS);
  const before = process.threadCpuUsage();
  const result = await work();
  return { result, ms: msSince(before) / slowness };
}

/** A fixed work of the kind that is judged: texts are joined, searched and cut. The longest of a few times, because the speed changes. */
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
