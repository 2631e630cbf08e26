// What the benchmark measures: one row of its table for each figure, and the arithmetic that makes one row of many runs.

/** One row. Numbers have the unit of the row, or are null if there is nothing to measure. */
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

/** The options of a part of the benchmark. */
export interface Effort {
  /** How often each thing is measured. */
  runs: number;
  /** Whether to use the smallest sizes, which show only that it works. */
  isQuick: boolean;
}

/** The median of these figures; NaN for none. */
export const median = (figures: readonly number[]): number => share(figures, 0.5);

/** The figure below which this share of the others lies. */
export function share(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * (sorted.length - 1)))] ?? Number.NaN;
}

/** Says how far apart the figures are. */
export const range = (figures: readonly number[]): string =>
  `${rounded(Math.min(...figures))} to ${rounded(Math.max(...figures))}`;

/** Keeps only meaningful digits: none after the point from 100 on, two below ten. */
export function rounded(figure: number): number {
  const digits = Math.abs(figure) >= 100 ? 0 : Math.abs(figure) >= 10 ? 1 : Math.abs(figure) >= 0.1 ? 2 : 4;
  return Number(figure.toFixed(digits));
}

/** Runs each way this often, in alternating order, so that a slow phase of the machine affects all alike. */
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
