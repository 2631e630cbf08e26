// The timeline of one turn for people, `/bot trace`: makes text from the events in the turn's record.
import { KEPT_TURNS } from "../limits.ts";
import type { TurnRecord, TurnRequest, TurnState, TurnStatus } from "./record.ts";
import type { TurnEvent } from "./turn-events.ts";

/** What `/bot trace` shows of one turn. Times are epoch milliseconds. */
export interface TraceReport {
  turnId: string;
  userId: string;
  state: TurnState;
  status: TurnStatus | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  usage: TurnRecord["usage"];
  events: TurnEvent[];
}

/** A turn in the list of choices. */
export interface TraceChoice {
  turnId: string;
  userName: string;
  text: string;
  state: TurnState;
  status: TurnStatus | null;
}

/** Builds the report of a record. */
export function buildTrace(turn: TurnRecord): TraceReport {
  const { id: turnId, request, state, status, createdAt, startedAt, endedAt, usage, events } = turn;
  return { turnId, userId: request.userId, state, status, createdAt, startedAt, endedAt, usage, events };
}

/** Builds a turn's entry in the list of choices. */
export function buildTraceChoice({ id: turnId, request, state, status }: TurnRecord): TraceChoice {
  const { userName, text }: Pick<TurnRequest, "userName" | "text"> = request;
  return { turnId, userName, text: text.slice(0, CHOICE_CHARS), state, status };
}

const CHOICE_CHARS = 60;
/** Discord's limit of a message, minus room for the text before and after the timeline. */
const MAX_TIMELINE_CHARS = 1600;
const MAX_DETAIL_CHARS = 160;

/** A choice as text; at most 100 characters (Discord). */
export function traceChoiceText({ userName, text, state, status }: TraceChoice): string {
  const end = ` (${wordFor(status ?? state)})`;
  const line = `${userName}: ${text.replaceAll(/\s+/g, " ")}`;
  return [...line].slice(0, 100 - end.length).join("") + end;
}

/** The whole answer to `/bot trace`. A null report means that there is no such turn. */
export function traceText(report: TraceReport | null, now: number): string {
  if (!report) return `There is no such turn here (any more). The newest ${KEPT_TURNS} are kept.`;
  const { turnId, userId, createdAt, startedAt, endedAt, events } = report;
  const lasted = span((endedAt ?? now) - (startedAt ?? createdAt));
  const waited = startedAt === null ? "" : `, waited ${span(startedAt - createdAt)}`;
  return [
    `**Turn ${turnId}** of <@${userId}>: ${wordFor(report.status ?? report.state)}, ran ${lasted}${waited}`,
    "```",
    ...bounded(events.map((event) => describeEvent(event, createdAt))),
    "```",
    `-# ${tokens(report.usage)}`,
  ].join("\n");
}

const tokens = ({ modelCalls, inputTokens, outputTokens }: TurnRecord["usage"]) =>
  `${modelCalls} model ${modelCalls === 1 ? "call" : "calls"}, ${inputTokens} tokens read, ${outputTokens} written`;

const wordFor = (what: string): string => what.replaceAll("_", " ");
const span = (ms: number): string => (ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 60_000).toFixed(1)} min`);

function describeEvent({ at, what, detail }: TurnEvent, from: number): string {
  const line = `+${span(at - from).padStart(8)}  ${wordFor(what)}${detail === undefined ? "" : `: ${detail}`}`;
  // Nothing in it may end the code block that it is in, or be longer than a readable line.
  const safe = line.replaceAll("`", "'").replaceAll(/\s*\n\s*/g, " ");
  return [...safe].length > MAX_DETAIL_CHARS ? `${[...safe].slice(0, MAX_DETAIL_CHARS).join("")}…` : safe;
}

/** A long timeline loses its middle: people look for how a turn began and ended. */
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
