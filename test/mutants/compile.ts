// Which mutations the compiler notices. It tries one per file at a time in a copy, because its errors name only the file.
import { broken, type Site } from "./sites.ts";

/** The copy that is compiled. */
export interface Compiled {
  read(file: string): string;
  write(file: string, text: string): void;
  /** The files in which the compiler finds an error. */
  errors(): Promise<ReadonlySet<string>>;
}

/** Calls `hear` for each site as soon as it is known whether the compiler notices it. */
export async function compile(
  copy: Compiled,
  sites: readonly Site[],
  hear: (site: Site, isNoticed: boolean) => void,
): Promise<void> {
  /** Compiles with all of these sites broken at once; each is in a different file. */
  const together = async (some: readonly Site[]): Promise<void> => {
    const whole = some.map(({ file }) => copy.read(file));
    for (const [at, site] of some.entries()) copy.write(site.file, broken(whole[at] ?? "", site));
    const errors = await copy.errors().finally(() => {
      for (const [at, { file }] of some.entries()) copy.write(file, whole[at] ?? "");
    });
    const own = new Set(some.map(({ file }) => file));
    if (some.length === 1 || [...errors].every((file) => own.has(file))) {
      for (const site of some) hear(site, some.length === 1 ? errors.size > 0 : errors.has(site.file));
      return;
    }
    // An unbroken file has an error: halving the group shows which site causes it.
    const half = some.length >> 1;
    await together(some.slice(0, half));
    await together(some.slice(half));
  };
  const rounds: Site[][] = [];
  for (const inFile of Map.groupBy(sites, ({ file }) => file).values())
    for (const [at, site] of inFile.entries()) {
      rounds[at] ??= [];
      rounds[at].push(site);
    }
  for (const round of rounds) await together(round);
}
