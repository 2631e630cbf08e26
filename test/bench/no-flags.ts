// The command line of a benchmark, which takes no flag but `--help`: what it measures, in place of a run or a stack trace.
import { leave, readArguments } from "../../src/playground/arguments.ts";

/** Returns where there are no arguments; otherwise prints the usage and ends the process. */
export function acceptNoFlags(script: string, measures: string): void {
  const usage = `Usage: npm run ${script}\n\n${measures}\n\n  -h, --help  print this`;
  const read = readArguments(process.argv.slice(2), usage, {});
  if ("instead" in read) leave(read.instead);
}
