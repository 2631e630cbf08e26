// The product's log for a person at the terminal: one line for each turn, and one for each problem.
import { parkedLine, problemLine, turnLine } from "../core/copy/laptop.ts";
import { parseJson } from "../core/json.ts";
import { withoutColors } from "../playground/workers-line.ts";

/** One line. */
export interface LogLine {
  level: "turn" | "problem";
  text: string;
}

/** Reads a line of the runtime's output, which may begin with the runtime's own mark. Null: only `--verbose` shows it. */
export function readLogLine(output: string): LogLine | null {
  const written = withoutColors(output);
  const entry = (parseJson(written.slice(Math.max(0, written.indexOf("{")))) ?? {}) as Record<string, unknown>;
  const { level, line, channel, server, model, tool, reason, kind } = entry;
  if (typeof line !== "string") return null;
  const place = typeof channel === "string" ? channel : null;
  if (line === "turn released the lock") return { level: "turn", text: readTurn(entry, place ?? "") };
  // The turn's own line already reports this.
  if (line === "a turn failed") return null;
  return level === "error" || level === "warn"
    ? {
        level: "problem",
        text: problemLine(line, place, [server, model, tool].find(isName), [reason, kind].find(isWord)),
      }
    : null;
}

/** Whether this is a name that the owner or the code chose. A name has no spaces, so it can't be something that people said. */
const isName = (name: unknown): name is string => typeof name === "string" && /^[\w@./:-]{1,80}$/.test(name);

/** Whether this is a single word. A longer reason may quote what people said. */
const isWord = (reason: unknown): reason is string => typeof reason === "string" && /^[a-z_]{1,40}$/.test(reason);

/** As in src/toolkit/run/scrub.ts: anything shorter, such as the dummy key for a server without keys, also occurs in ordinary words. */
const MIN_SECRET_CHARS = 8;

/** Replaces the secrets in a line of output, whoever wrote them. */
export const coverSecrets = (output: string, secrets: readonly string[]): string =>
  secrets.reduce((line, one) => (one.length < MIN_SECRET_CHARS ? line : line.replaceAll(one, "…")), output);

function readTurn({ state, status, ending, ms }: Record<string, unknown>, channelId: string): string {
  if (state === "parked") return parkedLine(channelId);
  return turnLine({ status: String(status), ending: String(ending ?? ""), ms: Number(ms ?? 0), channelId });
}
