// Keeps everything that the playground's Workers and wrangler wrote, and reports the last lines when a Worker crashes.

import { CUT_ON_PURPOSE } from "./on-purpose.ts";

const LAST_LINES = 30;
/** An exception that left a Worker, a runtime that died or does not start, a changed file that does not build. */
const CRASH = /\[wrangler:error\]|Uncaught|runtime (crashed|failed to start)|Build failed/;

/** The log of one playground. */
export interface WorkersLog {
  add(text: string): void;
  all(): string;
  /** Calls the listener with the last lines at each crash. No line is reported twice. */
  onCrash(listener: (lines: string) => void): void;
}

/** Starts an empty log. */
export function keepLog(): WorkersLog {
  let written = "";
  let reported = 0;
  let report = (_lines: string) => {};
  return {
    add(text) {
      written += text;
      if (!text.split("\n").some(isCrash)) return;
      report(lastLines(written.slice(reported)));
      reported = written.length;
    },
    all: () => written,
    onCrash(listener) {
      report = listener;
    },
  };
}

const isCrash = (line: string) => CRASH.test(line) && !line.includes(CUT_ON_PURPOSE);

/** Returns the end of a log, about a screenful. */
export const lastLines = (text: string): string => text.trim().split("\n").slice(-LAST_LINES).join("\n");
