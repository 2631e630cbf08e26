// What the benchmark measures: one row of its table for each figure, and the sums that make a row of many runs.

/** One row. Numbers have the unit of the row; null where there is nothing of the kind. */
export interface Figure {
  /** A name that never changes, by which the pages and later runs find it. */
  id: string;
  what: string;
  unit: string;
  parley: number;
  /** The same work written by hand, measured in the same run. */
  floor: number | null;
  /** The target of the ratio or the value, in words. */
  target: string;
  /** What else a reader must know: runs, range, conditions. */
  note: string;
}

/** What a part of the benchmark may be told. */
export interface Effort {
  /** How often each thing is measured. */
  runs: number;
  /** True: the smallest sizes, which show only that it works. */
  isQuick: boolean;
}

/** The middle one of these figures; not a number for none. */
export const median = (figures: readonly number[]): number => share(figures, 0.5);

/** The figure below which this share of the others is. */
export function share(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * (sorted.length - 1)))] ?? Number.NaN;
}

/** Says how far the figures lie apart. */
export const range = (figures: readonly number[]): string =>
  `${rounded(Math.min(...figures))} to ${rounded(Math.max(...figures))}`;

/** As many digits as mean something: none for thousands, two after the point for less than ten. */
export function rounded(figure: number): number {
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : Math.abs(figure) >= 0.1 ? 2 : 4;
  return Number(figure.toFixed(digits));
}

/** Runs each of these so often, in the opposite order every other time, so that a slow while of the machine meets all alike. */
export async function inTurns<Name extends string>(
  runs: number,
  ways: Record<Name, (run: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let run = -1; run < runs; run++)
    for (const name of run % 2 === 0 ? names : names.toReversed()) {
      const figure = await ways[name](run);
      // The first run of each warms it up.
      if (run >= 0) taken[name].push(figure);
    }
  return taken;
}
