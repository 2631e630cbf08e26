// A turn's page: its summary, what happened when, what the model saw, and the reply.
import { html } from "hono/html";
import { turnText } from "../core/copy/inspected-turn.ts";
import { channelText, costText, homePageText, lengthText, numberText, sharedText } from "../core/copy/inspector.ts";
import { inOrder } from "../core/decisions/trace.ts";
import type { InspectedTurn, PlaceNames } from "../core/state/inspected.ts";
import { renderConversation } from "./conversation-view.ts";
import {
  channelHref,
  channelName,
  costOf,
  discordHref,
  type Html,
  type Page,
  ranFor,
  renderFacts,
  renderQuestion,
  renderState,
  renderTable,
  renderTime,
  turnHref,
  watchHref,
} from "./layout.ts";
import { beyondCalls } from "./waterfall.ts";
import { renderWaterfall } from "./waterfall-view.ts";
import { renderWords } from "./words.ts";

/** What the request asks for. */
export interface TurnView {
  /** The name of the object that has the conversation. */
  channel: string;
  /** The model request that is shown in full, counted from 1; null: the last one. */
  request: number | null;
  names: PlaceNames;
}

/** Shows a turn. */
export function turnPage({ channel, request, names }: TurnView, turn: InspectedTurn): Page {
  const href = turnHref(channel, turn.turnId);
  const json = `${href}.json`;
  const { calls } = beyondCalls(turn);
  const body = html`<div class="title"><h1>${renderQuestion(turn)}</h1><button type="button" class="copy" data-copy="${json}" data-copied="${sharedText.copied}">${sharedText.copyJson}</button></div>
${turn.isPrivate ? html`<p class="note">${turnText.privateNote}</p>` : ""}${renderSummary(turn, channel)}
<section><h2>${turnText.waterfall}</h2>${renderWaterfall(turn)}${calls === 0 ? "" : html`<p class="note">${turnText.callsLeftOut(calls)}</p>`}</section>
<section id="conversation"><h2>${turnText.conversation}</h2>${renderConversation(turn, channel, request)}</section>
${turn.thoughts === null ? "" : html`<section><h2>${turnText.thoughts}</h2>${renderWords(turn.thoughts)}</section>`}
<section><h2>${turnText.reply}</h2>${renderMessages(turn)}</section>
<section><h2>${turnText.timeline}</h2>${renderTimeline(turn)}</section>`;
  const above = [
    { title: homePageText.title, href: "/inspect" },
    { title: channelText.title(channelName(channel, names)), href: channelHref(channel) },
  ];
  const watch = mayChange(turn) ? watchHref(channel, turn.turnId) : null;
  return { title: turnText.title(turn.turnId), above, body, json, watch };
}

/** Whether the turn may still change. One whose reply is finished, or that was refused, does not. */
const mayChange = ({ state }: InspectedTurn): boolean => state !== "finished" && state !== "refused";

function renderSummary(turn: InspectedTurn, channel: string): Html {
  const { usage, startedAt, createdAt, deliveredAt, endedAt } = turn;
  const beyond = beyondCalls(turn);
  return renderFacts([
    [sharedText.status, renderState(turn)],
    [turnText.reason, turn.reason?.replaceAll("_", " ") ?? null],
    [
      sharedText.person,
      html`<a href="${channelHref(channel)}?person=${encodeURIComponent(turn.userId.toWellFormed())}"><bdi>${turn.userName ?? turn.userId}</bdi></a>`,
    ],
    [sharedText.started, renderTime(createdAt)],
    [turnText.waited, startedAt === null || startedAt - createdAt < 1000 ? null : lengthText(startedAt - createdAt)],
    [sharedText.duration, ranFor(turn, turn.now)],
    [
      turnText.delivered,
      deliveredAt === null
        ? endedAt === null
          ? null
          : turnText.notDelivered
        : turnText.at(lengthText(deliveredAt - createdAt)),
    ],
    [sharedText.model, turn.model],
    [sharedText.tokens, turnText.usage(usage.inputTokens, usage.cachedInputTokens ?? 0, usage.outputTokens)],
    [sharedText.money, costOf(turn)],
    [turnText.media, beyond.microUsd === 0 ? null : costText(beyond.microUsd)],
    [sharedText.tools, numberText(turn.toolCalls)],
    [sharedText.takeovers, turn.takeovers === 0 ? null : numberText(turn.takeovers)],
    [turnText.strangers, turn.isTainted ? turnText.yes : null],
  ]);
}

function renderMessages({ messages, guildId, channelId }: InspectedTurn): Html {
  if (messages.length === 0) return html`<p>${turnText.noMessages}</p>`;
  const lines = messages.map(({ id }, index) =>
    id === null
      ? html`<li>${turnText.unsent(index + 1)}</li>`
      : html`<li><a href="${discordHref(guildId, channelId, id)}" rel="noreferrer">${turnText.message(index + 1)}</a></li>`,
  );
  return html`<ul>${lines}</ul>`;
}

function renderTimeline({ events, createdAt }: InspectedTurn): Html {
  const rows = inOrder(events).map(({ at, what, detail, forModerators }) => [
    lengthText(Math.max(0, at - createdAt)),
    what.replaceAll("_", " "),
    html`<bdi class="words">${detail ?? ""}</bdi>${forModerators === undefined ? "" : html` <small class="words">${forModerators}</small>`}`,
  ]);
  return renderTable(turnText.timeline, [turnText.after, turnText.event, turnText.detail], rows);
}
