// The waterfall on a turn's page: each lane is a line with its bars, and opens to show its details. Bars are in percent of the whole time.
import { html } from "hono/html";
import { modelOutcomes, requestMethods, turnText } from "../core/copy/inspected-turn.ts";
import { costText, lengthText, numberText, sharedText, sizeText } from "../core/copy/inspector.ts";
import type {
  InspectedModelCall,
  InspectedRequest,
  InspectedToolCall,
  InspectedTurn,
} from "../core/state/inspected.ts";
import { type Html, renderFacts, renderTable, renderTime } from "./layout.ts";
import { type Bar, type BarKind, buildWaterfall, endOf, type Lane, type Waterfall } from "./waterfall.ts";
import { renderJson } from "./words.ts";

/** The minimum width of a bar, in percent, so that it can be seen. */
const LEAST_WIDTH = 0.35;
const BAR_HEIGHT = 12;
const LANE_HEIGHT = 20;
const KINDS: readonly BarKind[] = ["wait", "first", "work", "fail", "mark"];

/** Draws what happened when. */
export function renderWaterfall(turn: InspectedTurn): Html {
  const waterfall = buildWaterfall(turn);
  const legend = KINDS.map(
    (kind) =>
      html`<li><svg width="14" height="12" aria-hidden="true">${legendBar(kind)}</svg> ${turnText.legend[kind]}</li>`,
  );
  return html`<ul class="legend">${legend}</ul><div class="axis">${renderAxis(waterfall)}</div>
<ol class="lanes">${waterfall.lanes.map((lane) => renderLane(lane, waterfall, turn))}</ol>`;
}

const legendBar = (kind: BarKind): Html =>
  kind === "mark"
    ? html`<circle class="mark" cx="7" cy="6" r="5"/>`
    : html`<rect class="${kind}" y="1" width="14" height="10" rx="2"/>`;

const scaled = ({ from, to }: Waterfall, at: number): number =>
  Math.min(100, Math.max(0, (100 * (at - from)) / (to - from)));
const percent = (value: number): string => `${value.toFixed(3)}%`;

function renderAxis(waterfall: Waterfall): Html {
  const texts = waterfall.ticks.map((at) => {
    const x = scaled(waterfall, at);
    const anchor = x < 4 ? "start" : x > 94 ? "end" : "middle";
    return html`<text x="${percent(x)}" y="12" text-anchor="${anchor}">${lengthText(at - waterfall.from)}</text>`;
  });
  return html`<svg width="100%" height="16" aria-hidden="true">${texts}</svg>`;
}

function renderLane(lane: Lane, waterfall: Waterfall, turn: InspectedTurn): Html {
  const { id, label, note, at, ms } = lane;
  const length = ms === null ? turnText.lasts(lengthText(endOf(lane, turn.now) - at)) : lengthText(ms);
  const took = lane.subject.of === "event" ? turnText.at(lengthText(at - waterfall.from)) : length;
  return html`<li><details id="lane-${id}"><summary><span class="what"><bdi>${label}</bdi>${note === "" ? "" : html` <small>${note}</small>`}</span>
<span class="took">${took}</span>${renderTrack(lane, waterfall)}</summary>
<div class="detail" id="${id}">${renderDetail(lane, turn, waterfall)}</div></details></li>`;
}

function renderTrack({ bars }: Lane, waterfall: Waterfall): Html {
  const line = (at: number, kind: string) => {
    const x = percent(scaled(waterfall, at));
    return html`<line class="${kind}" x1="${x}" x2="${x}" y1="0" y2="${LANE_HEIGHT}"/>`;
  };
  return html`<svg class="track" width="100%" height="${LANE_HEIGHT}" aria-hidden="true">${waterfall.ticks.map((at) => line(at, "grid"))}${waterfall.takeovers.map((at) => line(at, "takeover"))}${waterfall.stops.map((at) => line(at, "stop"))}${bars.map((bar) => renderBar(bar, waterfall))}</svg>`;
}

function renderBar({ kind, from, to }: Bar, waterfall: Waterfall): Html {
  const x = scaled(waterfall, from);
  const y = (LANE_HEIGHT - BAR_HEIGHT) / 2;
  if (kind === "mark")
    return html`<circle class="mark" cx="${percent(Math.max(0.6, Math.min(99.4, x)))}" cy="${LANE_HEIGHT / 2}" r="5"/>`;
  const width = Math.max(from === to ? 0 : LEAST_WIDTH, scaled(waterfall, to) - x);
  if (width === 0) return html``;
  return html`<rect class="${kind}" x="${percent(Math.min(x, 100 - width))}" y="${y}" width="${percent(width)}" height="${BAR_HEIGHT}" rx="2"><title>${turnText.legend[kind]}: ${lengthText(to - from)}</title></rect>`;
}

function renderDetail({ subject, at, ms }: Lane, turn: InspectedTurn, { from }: Waterfall): Html {
  const when: [string, Html | string] = [
    turnText.when,
    html`${renderTime(at)} <small>${turnText.at(lengthText(at - from))}</small>`,
  ];
  const took: [string, string | null] = [turnText.took, ms === null ? null : lengthText(ms)];
  switch (subject.of) {
    case "wait":
      return renderFacts([when, took]);
    case "event":
      return renderFacts([when, [turnText.detail, subject.event.detail ?? null]]);
    case "model":
      return renderModelCall(subject.call, [when, took]);
    case "tool":
      return renderToolCall(subject.call, [when, took]);
    case "discord":
      return renderRequests(subject.requests, turn, from);
  }
}

type Facts = [string, Html | string | null][];

function renderModelCall(call: InspectedModelCall, facts: Facts): Html {
  const { firstMs, outcome, reason, usage, model, retries = [] } = call;
  const result = outcome === null ? turnText.noOutcome : modelOutcomes[outcome];
  const tries = retries.map(
    (retry) =>
      html`<li>${turnText.retry(retry.reason.replaceAll("_", " "), lengthText(retry.waitMs))} <small>${renderTime(retry.at)}</small></li>`,
  );
  return html`${renderFacts([
    [sharedText.model, model],
    ...facts,
    [turnText.firstWord, firstMs === null ? null : turnText.at(lengthText(firstMs))],
    [turnText.outcome, reason === undefined ? result : `${result}: ${reason.replaceAll("_", " ")}`],
    [
      sharedText.tokens,
      usage &&
        html`${turnText.usage(usage.inputTokens, usage.cachedInputTokens ?? 0, usage.outputTokens)}${usage.isEstimate ? html` <small>(${turnText.estimated})</small>` : ""}`,
    ],
    [sharedText.money, usage && costText(usage.costMicroUsd)],
  ])}${tries.length === 0 ? "" : html`<h3>${turnText.retries}</h3><ol>${tries}</ol>`}`;
}

function renderToolCall(call: InspectedToolCall, facts: Facts): Html {
  const { status, attempts, isCached, retries, argumentBytes, resultBytes } = call;
  const tries = retries.map(
    ({ error, ms, waitMs }) => html`<li>${turnText.attempt(error, lengthText(ms), lengthText(waitMs))}</li>`,
  );
  const content = (text: string | null, bytes: number) =>
    text === null
      ? html`<p>${turnText.hidden(sizeText(bytes))}</p>`
      : [text.endsWith("…") && turnText.cut(sizeText(bytes)), renderJson(text)];
  return html`${renderFacts([
    ...facts,
    [turnText.outcome, `${status ?? turnText.noOutcome}${isCached ? `, ${turnText.cached}` : ""}`],
    [turnText.attempts, numberText(attempts)],
  ])}${tries.length === 0 ? "" : html`<h3>${turnText.retries}</h3><ol>${tries}</ol>`}
<h3>${turnText.arguments}</h3>${content(call.arguments, argumentBytes)}
${status === null ? "" : html`<h3>${turnText.result}</h3>${content(call.result, resultBytes)}`}`;
}

function renderRequests(requests: readonly InspectedRequest[], turn: InspectedTurn, from: number): Html {
  const columns = [turnText.after, turnText.method, turnText.httpStatus, turnText.took, turnText.limitWait];
  const rows = requests.map(({ at, method, status, ms, waitMs }) => [
    lengthText(at - from),
    requestMethods[method],
    status ?? turnText.noAnswer,
    ms === null ? sharedText.none : lengthText(ms),
    waitMs === 0 ? sharedText.none : lengthText(waitMs),
  ]);
  const rest = turn.requestsLeftOut;
  return html`${renderTable(turnText.discord, columns, rows, [2, 3, 4])}${rest > 0 ? html`<p class="note">${turnText.requestsLeftOut(rest)}</p>` : ""}`;
}
