// The product's log as a person at the terminal reads it: one line for each turn, and one for each thing that went wrong.
import { parkedLine, problemLine, turnLine } from "../core/copy/laptop.ts";
import { parseJson } from "../core/json.ts";
import { withoutColors } from "../playground/workers-line.ts";

/** One line. */
export interface LogLine {
  level: "turn" | "problem";
  text: string;
}

/** The line for a line of the runtime's output; null for what only `--verbose` shows. The runtime marks warnings and errors in front. */
export function readLogLine(output: string): LogLine | null {
  const written = withoutColors(output);
  const entry = (parseJson(written.slice(Math.max(0, written.indexOf("{")))) ?? {}) as Record<string, unknown>;
  const { level, line, channel, server, model, tool, reason, kind } = entry;
  if (typeof line !== "string") return null;
  const place = typeof channel === "string" ? channel : null;
  if (line === "turn released the lock") return { level: "turn", text: readTurn(entry, place ?? "") };
  // The turn's own line says so.
  if (line === "a turn failed") return null;
  return level === "error" || level === "warn"
    ? {
        level: "problem",
        text: problemLine(line, place, [server, model, tool].find(isName), [reason, kind].find(isWord)),
      }
    : null;
}

/** What the owner or the code has named. A name has no blanks, so that it is not what people say. */
const isName = (name: unknown): name is string => typeof name === "string" && /^[\w@./:-]{1,80}$/.test(name);

/** A reason in more than a word may quote what people say. */
const isWord = (reason: unknown): reason is string => typeof reason === "string" && /^[a-z_]{1,40}$/.test(reason);

/** As in src/toolkit/run/scrub.ts: a shorter text, such as what a server without keys is given, is part of ordinary words. */
const MIN_SECRET_CHARS = 8;

/** A line of output with its secrets covered, whoever wrote them. */
export const coverSecrets = (output: string, secrets: readonly string[]): string =>
  secrets.reduce((line, one) => (one.length < MIN_SECRET_CHARS ? line : line.replaceAll(one, "…")), output);

function readTurn({ state, status, ending, ms }: Record<string, unknown>, channelId: string): string {
  if (state === "parked") return parkedLine(channelId);
  return turnLine({ status: String(status), ending: String(ending ?? ""), ms: Number(ms ?? 0), channelId });
}
