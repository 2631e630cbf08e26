// Shows the conversation as the model saw it, request by request. Only one request is open: a long turn has a hundred of them, and each repeats
// most messages of the one before.
import { html } from "hono/html";
import { contentsText, modelOutcomes, turnText } from "../core/copy/inspected-turn.ts";
import type { InspectedModelCall, InspectedRow, InspectedTurn } from "../core/state/inspected.ts";
import { type Html, turnHref } from "./layout.ts";
import { renderWords } from "./words.ts";

/** Shows the requests of a turn. `open`: which one is shown in full, counted from 1; null: the last. */
export function renderConversation(turn: InspectedTurn, channel: string, open: number | null): Html {
  const { modelCalls } = turn;
  const shown = Math.min(modelCalls.length, Math.max(1, open ?? modelCalls.length));
  const href = turnHref(channel, turn.turnId);
  const requests = modelCalls.map((call, index) => {
    const number = index + 1;
    const title = turnText.request(number, call.model);
    const about = html`<small>${describeRequest(call, rowsOf(call, index, turn).length)}</small>`;
    return number === shown
      ? html`<li><article class="request" id="request"><h3>${title} ${about}</h3>${renderRequest(call, index, turn, channel)}</article></li>`
      : html`<li class="request"><a href="${href}?request=${number}#request">${title}</a> ${about}</li>`;
  });
  return html`<ol class="requests">${requests}</ol>`;
}

function describeRequest({ contents, usage }: InspectedModelCall, rows: number): string {
  if (contents === null) return turnText.notRecorded;
  const messages = rows === 0 ? [] : [turnText.messages(rows)];
  return [...messages, ...contentsText(contents, usage?.cachedInputTokens ?? 0)].join(" · ");
}

/**
 * Returns the rows of a request: the history, then the turn's question and its own rows before the request's answer. If that was not stored, the
 * rows before the next stored answer.
 */
function rowsOf(call: InspectedModelCall, index: number, turn: InspectedTurn): InspectedRow[] {
  const { turnId, modelCalls, rows } = turn;
  if (call.contents === null) return [];
  const question = rows.find((row) => row.turnId === turnId);
  const from = call.contents.fromSeq ?? question?.seq ?? 0;
  const end =
    modelCalls.slice(index).find(({ seq }) => seq !== null)?.seq ?? partOf(turn)?.seq ?? Number.POSITIVE_INFINITY;
  return rows.filter((row) => (row === question || row.seq >= from) && row.seq < end);
}

/** Returns the part of an answer that was never completed, which was stored at the turn's end. */
function partOf({ turnId, modelCalls, rows }: InspectedTurn): InspectedRow | undefined {
  const last = rows.at(-1);
  const isPart =
    last?.turnId === turnId && last.role === "assistant" && !modelCalls.some(({ seq }) => seq === last.seq);
  return isPart ? last : undefined;
}

function answerTo(call: InspectedModelCall, index: number, turn: InspectedTurn): InspectedRow | undefined {
  if (call.seq !== null) return turn.rows.find(({ seq }) => seq === call.seq);
  return index === turn.modelCalls.length - 1 ? partOf(turn) : undefined;
}

function renderRequest(call: InspectedModelCall, index: number, turn: InspectedTurn, channel: string): Html {
  const rows = rowsOf(call, index, turn);
  const answer = answerTo(call, index, turn);
  const line = (row: InspectedRow) => renderRow(row, turn, channel);
  if (rows.length === 0 && !answer) return html`<p>${turn.isPrivate ? turnText.privateNote : turnText.noRows}</p>`;
  const outcome = call.outcome === null ? "" : html` <small>${modelOutcomes[call.outcome]}</small>`;
  return html`<ol class="rows">${rows.map(line)}</ol>${answer ? html`<h4>${turnText.answer}${outcome}</h4><ol class="rows">${line(answer)}</ol>` : ""}`;
}

function renderRow(row: InspectedRow, turn: InspectedTurn, channel: string): Html {
  const { role, speaker, text, chars, calls, turnId, seq } = row;
  const who = role === "assistant" ? turnText.bot : (speaker ?? turnText.someone);
  const from = turnId === turn.turnId ? "" : html` · <a href="${turnHref(channel, turnId)}">${turnText.fromTurn}</a>`;
  const words =
    text === null ? html`<p>${turnText.hidden(turnText.chars(chars))}</p>` : text === "" ? "" : renderWords(text);
  const made = turn.toolCallList.filter(({ messageSeq }) => messageSeq === seq);
  const links = made.map(
    ({ tool, messageSeq, position }) => html`<a href="#tool-${messageSeq}-${position}">${tool}</a> `,
  );
  const called = calls.length === 0 ? "" : html` · ${links.length > 0 ? links : turnText.calls(calls.join(", "))}`;
  const isCut = text !== null && chars > text.length ? ` · ${turnText.cut(turnText.chars(chars))}` : "";
  return html`<li class="${role}"><p class="who"><bdi>${who}</bdi> <small>#${seq}${from}${called}${isCut}</small></p>${words}</li>`;
}
