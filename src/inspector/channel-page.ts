// A channel's page: the running turn, all turns with filters, settings and reminders.
import { html } from "hono/html";
import { channelText, homePageText, numberText, sharedText, turnStates } from "../core/copy/inspector.ts";
import type {
  InspectedChannel,
  InspectedTurnLine,
  InspectedTurns,
  PlaceNames,
  TurnFilter,
} from "../core/state/inspected.ts";
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
  serverName,
  tokensOf,
  turnHref,
  watchHref,
} from "./layout.ts";

/** The statuses that the filter offers. */
export const FILTERED_STATUSES = [
  "running",
  "completed",
  "error",
  "timeout",
  "empty_response",
  "stopped_by_user",
  "follow_up_interrupt",
  "cleared",
  "superseded",
  "steered",
] as const;

/** What the request asks for. */
export interface ChannelView {
  /** The name of the object that has the conversation. */
  channel: string;
  filter: TurnFilter;
  before: number | null;
}

/** The data of the page, as in its JSON. */
export interface ChannelData extends InspectedTurns {
  channel: InspectedChannel;
  names: PlaceNames;
}

/** Shows a channel. */
export function channelPage(view: ChannelView, { channel: info, turns, before, names }: ChannelData): Page {
  const { channel, filter } = view;
  const { running, now } = info;
  const title = channelText.title(channelName(channel, names));
  const runningPart = running
    ? html`<section class="now"><h2>${channelText.running}</h2><p><a href="${turnHref(channel, running.turnId)}">${renderQuestion(running)}</a>
<small>${ranFor(running, now)} · ${running.model ?? ""} · ${tokensOf(running)} ${sharedText.tokens.toLowerCase()} · ${costOf(running)}</small></p></section>`
    : "";
  const body = html`<h1>${title}</h1>${renderInfo(info, names)}${runningPart}
<section><h2>${channelText.turns}</h2>${renderFilter(view)}
${turns.length === 0 ? html`<p>${channelText.noTurns}</p>` : renderTurns(turns, view, now)}
<nav class="pages" aria-label="${channelText.turns}">${view.before === null ? "" : html`<a href="${hrefFor(channel, filter, null)}">${channelText.newest}</a>`}
${before === null ? "" : html`<a href="${hrefFor(channel, filter, before)}">${channelText.older}</a>`}</nav></section>
<div class="columns"><section><h2>${channelText.settings}</h2>${renderSettings(info)}</section>
<section><h2>${channelText.reminders}</h2>${renderReminders(info)}</section></div>`;
  return {
    title,
    above: [{ title: homePageText.title, href: "/inspect" }],
    body,
    json: hrefFor(channel, filter, view.before, ".json"),
    watch: watchHref(channel, null),
  };
}

function hrefFor(channel: string, { userId, status }: TurnFilter, before: number | null, ending = ""): string {
  const query = new URLSearchParams({
    ...(userId !== null && { person: userId }),
    ...(status !== null && { status }),
    ...(before !== null && { before: String(before) }),
  });
  return `${channelHref(channel)}${ending}${query.size > 0 ? `?${query}` : ""}`;
}

function renderInfo(info: InspectedChannel, names: PlaceNames): Html {
  const { channelId, guildId, parentId, queued, parked, memories, summarizedMessages } = info;
  return renderFacts([
    [channelText.server, guildId === null ? channelText.directMessages : serverName(guildId, names)],
    [
      channelText.parent,
      parentId === null ? null : html`<a href="${channelHref(parentId)}">${channelName(parentId, names)}</a>`,
    ],
    [channelText.queued, numberText(queued)],
    [channelText.parked, parked === 0 ? null : numberText(parked)],
    [channelText.memories, numberText(memories)],
    [channelText.summarized, summarizedMessages === 0 ? null : numberText(summarizedMessages)],
    ["Discord", html`<a href="${discordHref(guildId, channelId, null)}" rel="noreferrer">${channelText.inDiscord}</a>`],
  ]);
}

function renderFilter({ channel, filter }: ChannelView): Html {
  const options = FILTERED_STATUSES.map(
    (status) =>
      html`<option value="${status}"${filter.status === status ? html` selected` : ""}>${turnStates[status]}</option>`,
  );
  const isFiltered = filter.status !== null || filter.userId !== null;
  return html`<form class="filter" method="get" action="${channelHref(channel)}">
<label>${sharedText.status} <select name="status"><option value="">${channelText.anyStatus}</option>${options}</select></label>
<label>${channelText.personId} <input name="person" value="${filter.userId ?? ""}" inputmode="numeric" autocomplete="off" size="20"></label>
<button>${channelText.filter}</button>${isFiltered ? html` <a href="${channelHref(channel)}">${channelText.clear}</a>` : ""}</form>`;
}

function renderTurns(turns: readonly InspectedTurnLine[], { channel, filter }: ChannelView, now: number): Html {
  const columns = [
    ...[sharedText.question, sharedText.person, sharedText.status, sharedText.started, sharedText.model],
    ...[sharedText.duration, sharedText.tokens, sharedText.money, sharedText.tools, sharedText.takeovers],
  ];
  const rows = turns.map((turn) => [
    html`<a href="${turnHref(channel, turn.turnId)}">${renderQuestion(turn)}</a>`,
    html`<a href="${hrefFor(channel, { ...filter, userId: turn.userId }, null)}"><bdi${turn.userName === null ? html` class="k id"` : ""}>${turn.userName ?? turn.userId}</bdi></a>`,
    html`${renderState(turn)}${turn.reason === null ? "" : html` <small>${turn.reason.replaceAll("_", " ")}</small>`}`,
    renderTime(turn.createdAt),
    html`<span class="k">${turn.model ?? sharedText.none}</span>`,
    ranFor(turn, now),
    tokensOf(turn),
    costOf(turn),
    numberText(turn.toolCalls),
    numberText(turn.takeovers),
  ]);
  return renderTable(channelText.turns, columns, rows, [5, 6, 7, 8, 9]);
}

const renderSettings = ({ settings }: InspectedChannel): Html =>
  renderTable(
    channelText.settings,
    [channelText.setting, channelText.value, channelText.source],
    settings.map(({ key, value, source }) => [
      html`<code>${key}</code>`,
      html`<bdi class="words">${value}</bdi>`,
      source,
    ]),
  );

function renderReminders({ reminders }: InspectedChannel): Html {
  if (reminders.length === 0) return html`<p>${channelText.noReminders}</p>`;
  const columns = [channelText.reminderNumber, sharedText.person, channelText.due, channelText.repeats];
  const rows = reminders.map(({ number, userId, dueAt, isRecurring, isPaused }) => [
    ...[number, html`<bdi>${userId}</bdi>`, isPaused ? channelText.paused : renderTime(dueAt)],
    isRecurring ? channelText.yes : channelText.no,
  ]);
  return renderTable(channelText.reminders, columns, rows);
}
