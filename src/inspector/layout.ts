// The frame of every page, and the small parts that pages share. The `html` helper escapes all text; characters that no page can show are
// replaced.
import { html } from "hono/html";
import { costText, lengthText, numberText, sharedText, timeText, turnStates } from "../core/copy/inspector.ts";
import type { InspectedTurnLine, PlaceNames } from "../core/state/inspected.ts";

/** A piece of a page. */
export type Html = ReturnType<typeof html>;

/** A whole page. */
export interface Page {
  title: string;
  /** The pages above it, starting with the home page. */
  above: readonly { title: string; href: string }[];
  body: Html;
  /** The address of the same data as JSON. */
  json?: string;
  /** The address of the events that report changes; null if nothing will change. */
  watch?: string | null;
}

/** Control characters except tabs and line breaks: browsers drop them or refuse the page. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
const UNSHOWABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Renders the whole document. */
export function renderPage({ title, above, body, json, watch = null }: Page): string {
  const crumbs = above.map((one) => html`<li><a href="${one.href}">${one.title}</a></li>`);
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${title} · ${sharedText.name}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/inspect/style.css"><script src="/inspect/live.js" defer></script></head>
<body><a class="skip" href="#content">${sharedText.skip}</a>
<header><a class="home" href="/inspect">${sharedText.name}</a>
<nav aria-label="${sharedText.path}"><ol>${crumbs}<li aria-current="page">${title}</li></ol></nav>
<p id="live" role="status" data-live="${sharedText.live}" data-paused="${sharedText.paused}"></p>
${json === undefined ? "" : html`<a class="json" href="${json}">${sharedText.json}</a>`}</header>
<main id="content" tabindex="-1"${watch === null ? "" : html` data-watch="${watch}"`}>${body}</main>
<footer>${sharedText.utc}</footer></body></html>`;
  return String(document).replace(UNSHOWABLE, "\ufffd");
}

const pathPart = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":");

/** Builds the address of a channel's page. */
export const channelHref = (channel: string): string => `/inspect/channels/${pathPart(channel)}`;

/** Builds the address of a turn's page. */
export const turnHref = (channel: string, turnId: string): string =>
  `${channelHref(channel)}/turns/${pathPart(turnId)}`;

/** Returns the channel's id from the name of an object. A visitor's object also has the person's id in its name. */
export const placeOf = (channel: string): string => channel.split(":")[0] ?? channel;

/** Returns a channel's name, or else the name of its object. */
export function channelName(channel: string, names: PlaceNames): string {
  const [id = "", person] = channel.split(":");
  const name = names[id];
  return name === undefined ? channel : sharedText.channelName(name, person);
}

/** Returns a server's name and its id, which `/owner` needs. */
export const serverName = (id: string, names: PlaceNames): string => (names[id] ? `${names[id]} (${id})` : id);

/** Builds the address of the events that report changes of a channel or of one of its turns. */
export const watchHref = (channel: string, turnId: string | null): string =>
  `/inspect/watch/${pathPart(channel)}${turnId === null ? "" : `/${pathPart(turnId)}`}`;

/** Builds the address of a message in Discord or, for null, of the channel. */
export const discordHref = (guildId: string | null, channelId: string, messageId: string | null): string =>
  ["https://discord.com/channels", guildId === null ? "@me" : pathPart(guildId), pathPart(channelId).split(":")[0]]
    .concat(messageId === null ? [] : [pathPart(messageId)])
    .join("/");

/** Renders a time, for people and for programs. */
export const renderTime = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${timeText(at)}</time>`;

/** Returns what a turn does now, or how it ended. */
const stateOf = ({ state, status }: Pick<InspectedTurnLine, "state" | "status">): keyof typeof turnStates =>
  status ?? state;

/** Renders a turn's state as a colored label. */
export const renderState = (turn: Pick<InspectedTurnLine, "state" | "status">): Html =>
  html`<span class="state is-${stateOf(turn)}">${turnStates[stateOf(turn)] ?? stateOf(turn)}</span>`;

/** Returns how long a turn ran, or has been running. */
export const ranFor = ({ startedAt, endedAt }: InspectedTurnLine, now: number): string =>
  startedAt === null ? sharedText.none : lengthText(Math.max(0, (endedAt ?? now) - startedAt));

/** Returns all tokens of a turn. */
export const tokensOf = ({ usage }: InspectedTurnLine): string => numberText(usage.inputTokens + usage.outputTokens);

/** Returns what a turn cost. */
export const costOf = ({ usage }: InspectedTurnLine): string => costText(usage.microUsd, usage.unpriced);

/** Renders the beginning of a question, or what is shown instead. */
export function renderQuestion({ question, isPrivate, isReminder }: InspectedTurnLine): Html {
  const mark = isReminder ? html`<span class="mark">${sharedText.reminder}</span> ` : "";
  if (question !== null) return html`${mark}<bdi>${question === "" ? sharedText.none : question}</bdi>`;
  return html`${mark}<span class="mark">${isPrivate ? sharedText.privateTurn : sharedText.none}</span>`;
}

/** Renders names and values. A fact whose value is null is left out. */
export const renderFacts = (facts: readonly (readonly [string, Html | string | number | null])[]): Html =>
  html`<dl class="facts">${facts.map(([name, value]) => (value === null ? "" : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>`;

/** A table with up to this many columns fits a narrow window; a wider one becomes a list there. */
const MOST_NARROW = 5;

/** Renders a table. Each cell has its column's name as an attribute, for narrow windows. `numeric`: the columns that are right-aligned. */
export function renderTable(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string | number)[])[],
  numeric: readonly number[] = [],
): Html {
  const kind = (index: number, ...more: string[]) => {
    const names = [...(numeric.includes(index) ? ["n"] : []), ...more];
    return names.length === 0 ? "" : html` class="${names.join(" ")}"`;
  };
  const isNothing = (cell: Html | string | number) => cell === "0" || cell === sharedText.none;
  const cells = (row: readonly (Html | string | number)[]) =>
    row.map(
      (cell, index) =>
        html`<td data-name="${columns[index] ?? ""}"${kind(index, ...(isNothing(cell) ? ["none"] : []))}>${cell}</td>`,
    );
  return html`<table${columns.length > MOST_NARROW ? html` class="wide"` : ""}><caption class="unseen">${caption}</caption><thead><tr>${columns.map((name, index) => html`<th scope="col"${kind(index)}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table>`;
}
