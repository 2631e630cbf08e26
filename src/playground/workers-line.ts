// Reads a line of the Workers' output for the page's log. Pure.

/** A line with its level. `request`: wrangler's own line about a request. */
export type WorkersLine = { level: "info" | "warn" | "error" | "request"; text: string };

/** The colors of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin.
const ANSI = /\u001b\[[\d;]*m/g;
/** The page's own requests, of which there are many, and the list of variables at each start. */
const CHATTER = /^\[wrangler:info\] \w+ \/(local|launcher)\/|^env\.\w+ /;
const REQUEST = /^\[wrangler:info\] ([A-Z]+ \/.*)$/;
const PREFIX = /^(?:\[[\w-]+\] )?(?:✘ \[ERROR\] |▲ \[WARNING\] )?/;

/** Removes colors: wrangler always colors warnings and errors. */
export const withoutColors = (output: string): string => output.replace(ANSI, "");

/** Reads a line; null: nobody wants to read it. */
export function readWorkersLine(output: string): WorkersLine | null {
  const line = withoutColors(output).trimEnd();
  if (line.trim() === "" || CHATTER.test(line)) return null;
  const [, request] = REQUEST.exec(line) ?? [];
  if (request !== undefined) return { level: "request", text: request };
  const text = line.replace(PREFIX, "");
  return { level: levelOf(line, text), text };
}

function levelOf(line: string, text: string): WorkersLine["level"] {
  const [, said] = /^\{"level":"(info|warn|error)"/.exec(text) ?? [];
  if (said !== undefined) return said as WorkersLine["level"];
  if (/\[wrangler:error\]|\[ERROR\]|Uncaught|runtime (crashed|failed)/.test(line)) return "error";
  return /\[wrangler:warn\]|\[WARNING\]/.test(line) ? "warn" : "info";
}
