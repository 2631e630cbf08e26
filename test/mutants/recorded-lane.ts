// The node lane as it was recorded: which of its tests can notice a site, in the order in which they are asked.
import { fromBits, hasBit } from "./bits.ts";
import type { Recorded, TestToRun } from "./messages.ts";

/** A test of the lane, with its name. */
export interface LaneTest extends TestToRun {
  name: string;
}

/** Each group takes longer than the one before; within a group, the nearest comes first. */
const STEPS_MS = [5, 30, 150, 800];
/** How many of the nearest files run again if something that the program keeps may have to be broken from its start. */
const NEAREST = 10;

/** The quick ones first, and among equally quick ones the nearest. */
const inOrder = (found: readonly { test: LaneTest; rank: number }[]): LaneTest[] =>
  found
    .map((one) => ({ ...one, step: STEPS_MS.filter((ms) => one.test.ms > ms).length }))
    .toSorted((a, b) => a.step - b.step || a.rank - b.rank || a.test.ms - b.test.ms)
    .map(({ test }) => test);

/** The lane, from the recordings of its files. */
export function recordedLane(recordings: readonly Recorded[]) {
  const files = new Map(
    recordings.map(({ file, tests, once, reached }) => [
      file,
      {
        once: fromBits(once),
        reached: fromBits(reached),
        tests: tests.map(({ name, ms, calls, again, differs }, index) => ({
          test: { file, index, name, ms, calls },
          isRepeatable: again === "passed",
          differs: fromBits(differs),
        })),
      },
    ]),
  );
  const ranked = (covering: readonly string[]) =>
    covering.flatMap((name, rank) => {
      const file = files.get(name);
      return file ? [{ ...file, rank }] : [];
    });
  return {
    /** The tests in which the site's counterpart gives a different result, without those that pass only once. */
    testsOf(site: number, covering: readonly string[]): LaneTest[] {
      return inOrder(
        ranked(covering).flatMap(({ rank, reached, tests }) =>
          hasBit(reached, site)
            ? tests
                .filter(({ isRepeatable, differs }) => isRepeatable && hasBit(differs, site))
                .map(({ test }) => ({ test, rank }))
            : [],
        ),
      );
    },
    /**
     * The tests that must see the site broken from the start: those that run what uses its constant, then those of the nearest files and of
     * files that run it only once. Empty if not needed.
     */
    freshTestsOf(site: number, covering: readonly string[], usersOf: (site: number) => number[][]): LaneTest[] {
      const near = ranked(covering);
      const isOnce = (one: (typeof near)[number]) => hasBit(one.once, site);
      const passesOnce = near.some(({ tests }) =>
        tests.some(({ isRepeatable, differs }) => !isRepeatable && hasBit(differs, site)),
      );
      if (!passesOnce && !near.some(isOnce)) return [];
      const using = usersOf(site).flatMap((users) =>
        inOrder(
          near.flatMap(({ rank, tests }) =>
            tests
              .filter(({ differs }) => users.some((user) => hasBit(differs, user)))
              .map(({ test }) => ({ test, rank })),
          ),
        ),
      );
      const nearest = near
        .filter((one) => one.rank < NEAREST || isOnce(one))
        .flatMap(({ tests }) => tests.map(({ test }) => test));
      return [...new Set([...using, ...nearest])];
    },
    /** The nearest file that reaches the site at all. */
    nearestOf: (site: number, covering: readonly string[]): string | null =>
      covering.find((name) => hasBit(files.get(name)?.reached ?? Buffer.alloc(0), site)) ?? null,
  };
}
