// The command line of a benchmark that has no flag except `--help`: it says what it measures, instead of a run or a stack trace.
import { readFlags } from "../../src/scripts/arguments.ts";

/** Returns if there are no arguments; otherwise prints the usage and ends the process. */
export function acceptNoFlags(script: string, measures: string): void {
  const usage = `Usage: npm run ${script}\n\n${measures}\n\n  -h, --help  print this`;
  readFlags(usage, {});
}
