// Draws a turn's trace as lines of text for a terminal: the same lanes as on the inspector's page, aligned even if characters are wide.
import { contentsText, turnText } from "../core/copy/inspected-turn.ts";
import { costText, countedText, lengthText, sharedText, timeText, turnStates } from "../core/copy/inspector.ts";
import { displayWidth } from "../core/markdown/display-width.ts";
import type { InspectedModelCall, InspectedRow, InspectedTurn } from "../core/state/inspected.ts";
import { type BarKind, beyondCalls, buildWaterfall, endOf, type Lane, type Waterfall } from "../inspector/waterfall.ts";

const LABEL_COLUMNS = 30;
const TOOK_COLUMNS = 12;
const LEAST_TRACK = 20;
const INDENT = "    ";
/** A character for each kind of bar. Later kinds cover earlier ones. */
const LETTERS: Readonly<Record<BarKind, string>> = { first: "▒", work: "█", wait: "·", fail: "x", mark: "◆" };
/** Characters that would move the cursor, color the terminal or change the direction of writing. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns the lines; none is wider than `columns`. */
export function traceLines(turn: InspectedTurn, columns: number): string[] {
  const waterfall = buildWaterfall(turn);
  const track = Math.max(LEAST_TRACK, columns - LABEL_COLUMNS - TOOK_COLUMNS - 2);
  const lines = [
    ...summaryLines(turn),
    "",
    `${" ".repeat(LABEL_COLUMNS + 1)}${axisText(waterfall, track)}`,
    ...waterfall.lanes.flatMap((lane) => laneLines(lane, waterfall, track, turn)),
    "",
    legendText(),
    ...requestLines(turn),
    ...(turn.thoughts === null ? [] : ["", turnText.thoughts, `${INDENT}${flat(turn.thoughts)}`]),
  ];
  return lines.map((line) => shorten(line, columns).trimEnd());
}

function summaryLines(turn: InspectedTurn): string[] {
  const { usage, startedAt, endedAt, createdAt, now, question, isPrivate } = turn;
  const ran = startedAt === null ? null : `${sharedText.duration}: ${lengthText((endedAt ?? now) - startedAt)}`;
  const waited = startedAt === null ? 0 : startedAt - createdAt;
  const state = turnStates[turn.status ?? turn.state];
  const parts = [
    turn.reason === null ? state : `${state} (${turn.reason.replaceAll("_", " ")})`,
    flat(turn.userName ?? turn.userId),
    `${timeText(createdAt)} UTC`,
    waited >= 1000 ? `${turnText.waited}: ${lengthText(waited)}` : null,
    ran,
    turn.takeovers > 0 ? `${sharedText.takeovers}: ${turn.takeovers}` : null,
  ];
  const beyond = beyondCalls(turn);
  const used = turnText.usage(usage.inputTokens, usage.cachedInputTokens ?? 0, usage.outputTokens);
  return [
    turnText.title(turn.turnId),
    ...(question === null ? [] : [flat(question)]),
    ...(isPrivate ? [turnText.privateNote] : []),
    parts.filter((part) => part !== null).join(" · "),
    [
      `${sharedText.tokens}: ${used}`,
      `${sharedText.money}: ${costText(usage.microUsd, usage.unpriced)}`,
      ...(beyond.microUsd === 0 ? [] : [`${turnText.media}: ${costText(beyond.microUsd)}`]),
    ].join(" · "),
    ...(beyond.calls === 0 ? [] : [turnText.callsLeftOut(beyond.calls)]),
  ];
}

function legendText(): string {
  const kinds: BarKind[] = ["wait", "first", "work", "fail", "mark"];
  return kinds.map((kind) => `${LETTERS[kind]} ${turnText.legend[kind]}`).join("   ");
}

const columnOf = (at: number, { from, to }: Waterfall, track: number): number =>
  Math.min(track - 1, Math.max(0, Math.floor((track * (at - from)) / (to - from))));

/** Returns the axis with as many times as fit. */
function axisText(waterfall: Waterfall, track: number): string {
  let text = "";
  for (const at of waterfall.ticks) {
    const column = columnOf(at, waterfall, track);
    const label = lengthText(at - waterfall.from);
    if (column + label.length <= track && column >= text.length + (text === "" ? 0 : 1))
      text = text.padEnd(column) + label;
  }
  return text;
}

function laneLines(lane: Lane, waterfall: Waterfall, track: number, turn: InspectedTurn): string[] {
  const { label, note, at, ms, subject } = lane;
  const cells = Array.from({ length: track }, () => " ");
  for (const kind of Object.keys(LETTERS) as BarKind[])
    for (const bar of lane.bars)
      if (bar.kind === kind) {
        const last = columnOf(Math.max(bar.from, bar.to - 1), waterfall, track);
        for (let column = columnOf(bar.from, waterfall, track); column <= last; column++) cells[column] = LETTERS[kind];
      }
  const took =
    subject.of === "event"
      ? `+${lengthText(at - waterfall.from)}`
      : ms === null
        ? `${lengthText(endOf(lane, turn.now) - at)}…`
        : lengthText(ms);
  const name = pad(flat(note === "" ? label : `${label} ${note}`), LABEL_COLUMNS);
  return [`${name} ${cells.join("")} ${took.padStart(TOOK_COLUMNS)}`, ...detailLines(lane)];
}

/** Lists the failed tries of a call, and a tool's arguments and result. */
function detailLines({ subject }: Lane): string[] {
  if (subject.of === "model")
    return (subject.call.retries ?? []).map(
      ({ reason, waitMs }) => `${INDENT}${turnText.retry(reason.replaceAll("_", " "), lengthText(waitMs))}`,
    );
  if (subject.of !== "tool") return [];
  const { retries, arguments: asked, result } = subject.call;
  return [
    ...retries.map(({ error, ms, waitMs }) => turnText.attempt(flat(error), lengthText(ms), lengthText(waitMs))),
    ...(asked === null ? [] : [`${turnText.arguments}: ${flat(asked)}`]),
    ...(result === null ? [] : [`${turnText.result}: ${flat(result)}`]),
  ].map((line) => INDENT + line);
}

/** Lists what each request contained, and then the conversation's messages. */
function requestLines({ modelCalls, rows }: InspectedTurn): string[] {
  const about = ({ contents, usage, model }: InspectedModelCall, index: number) => {
    const what = contents === null ? [turnText.notRecorded] : contentsText(contents, usage?.cachedInputTokens ?? 0);
    return `${INDENT}${turnText.request(index + 1, flat(model))}: ${what.join(" · ")}`;
  };
  if (modelCalls.length === 0) return [];
  return ["", turnText.conversation, ...modelCalls.map(about), ...(rows.length > 0 ? ["", ...rows.map(rowLine)] : [])];
}

function rowLine({ seq, role, speaker, text, chars, calls }: InspectedRow): string {
  const who = role === "assistant" ? turnText.bot : (speaker ?? turnText.someone);
  const words = text === null ? countedText(chars, "character") : flat(text);
  const called = calls.length === 0 ? "" : flat(turnText.calls(calls.join(", ")));
  return `${pad(`#${seq} ${flat(who)}`, 16)} ${[words, called].filter((part) => part !== "").join(" · ")}`;
}

/** Returns a text as one line, without characters that a terminal would act upon. */
const flat = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(UNSAFE, "\ufffd").toWellFormed();

/** Cuts a text to this many columns. */
function shorten(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let [kept, used] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 8))) {
    used += displayWidth(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Cuts or fills a text to exactly this many columns. */
function pad(text: string, columns: number): string {
  const shown = shorten(text, columns);
  return shown + " ".repeat(Math.max(0, columns - displayWidth(shown)));
}
