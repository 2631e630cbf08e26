// Writes the timeline of one turn for `/bot trace`.

import type { TraceChoice, TraceReport } from "../decisions/trace.ts";
import { KEPT_TURNS } from "../limits.ts";
import { firstPoints } from "../markdown/code-points.ts";
import type { TurnUsage } from "../money/usage.ts";
import type { TurnEvent } from "../state/turn-events.ts";
import { counted } from "./counts.ts";
import { moneyText } from "./money.ts";

/** Leaves room for the lines around the timeline within Discord's limit for a message. */
const MAX_TIMELINE_CHARS = 1600;
const MAX_DETAIL_CHARS = 160;
/** Up to 300 characters of a provider's message are kept; its status and code come before it. */
const MAX_HIDDEN_CHARS = 400;

/** Writes a choice, in at most 100 characters (Discord's limit). `newer`: how many newer choices have the same words. */
export function traceChoiceText({ turnId, userName, text, state, status }: TraceChoice, newer = 0): string {
  const end = ` (${wordFor(status ?? state)})${newer > 0 ? ` #${newer + 1}` : ""}`;
  const line = `${userName || turnId}: ${text.replaceAll(/\s+/g, " ")}`;
  return firstPoints(line, 100 - end.length) + end;
}

/** Writes the whole answer to `/bot trace`; null: no turn that this person may see. `readsAll`: includes a provider's own words. */
export function traceText(report: TraceReport | null, now: number, readsAll = false): string {
  if (!report)
    return `There is no such turn here that you can see. I keep only the newest ${KEPT_TURNS}, and only moderators see other people's turns. Choose one from the list that \`/bot trace\` offers.`;
  const { turnId, userId, createdAt, startedAt, endedAt, events } = report;
  const ran = startedAt === null ? "" : `, ran ${span((endedAt ?? now) - startedAt)}`;
  const waited = span((startedAt ?? endedAt ?? now) - createdAt);
  return [
    `**Turn ${turnId}** for <@${userId}>: ${wordFor(report.status ?? report.state)}${ran}, waited ${waited}`,
    "```",
    ...bounded(events.flatMap((event) => describeEvent(event, createdAt, readsAll))),
    "```",
    `-# ${tokens(report.usage)}`,
  ].join("\n");
}

function tokens({ modelCalls, inputTokens, outputTokens, cachedInputTokens = 0, microUsd, unpriced }: TurnUsage) {
  const cached = cachedInputTokens > 0 ? ` (${cachedInputTokens} cached)` : "";
  const cost = microUsd === undefined ? "" : `, ${moneyText(microUsd, unpriced)}`;
  return `${counted(modelCalls, "model call")}, ${inputTokens} tokens read${cached}, ${outputTokens} written${cost}`;
}

/** Stored names that don't read well. */
const PLAIN: Readonly<Record<string, string>> = { "went on": "continued" };
const wordFor = (what: string): string => PLAIN[what] ?? what.replaceAll("_", " ");
const span = (ms: number): string => (ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 60_000).toFixed(1)} min`);

function describeEvent({ at, what, detail, forModerators }: TurnEvent, from: number, readsAll: boolean): string[] {
  const line = `+${span(at - from).padStart(8)}  ${wordFor(what)}${detail === undefined ? "" : `: ${detail}`}`;
  const hidden = readsAll && forModerators ? [safe(`${INDENT}${forModerators}`, MAX_HIDDEN_CHARS)] : [];
  return [safe(line, MAX_DETAIL_CHARS), ...hidden];
}

/** Makes a line safe to show: nothing in it may end the block around it, and it may not be longer than people read. */
function safe(line: string, maxChars: number): string {
  const flat = line.replaceAll("`", "'").replaceAll(/\s*\n\s*/g, " ");
  const kept = firstPoints(flat, maxChars);
  return kept === flat ? flat : `${kept}…`;
}

/** As wide as a time. */
const INDENT = " ".repeat(11);

/** Cuts the middle of a long timeline: people look for how it began and how it ended. */
function bounded(lines: string[]): string[] {
  const size = (some: string[]) => some.reduce((sum, line) => sum + line.length + 1, 0);
  if (size(lines) <= MAX_TIMELINE_CHARS) return lines;
  const first: string[] = [];
  const last: string[] = [];
  const left = [...lines];
  for (;;) {
    const side = first.length <= last.length ? first : last;
    const next = side === first ? left[0] : left.at(-1);
    if (next === undefined || size([...first, ...last, next]) > MAX_TIMELINE_CHARS - GAP_CHARS) break;
    if (side === first) first.push(left.shift() ?? "");
    else last.unshift(left.pop() ?? "");
  }
  return [...first, `… ${left.length} more …`, ...last];
}

const GAP_CHARS = 20;
