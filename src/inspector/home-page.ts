// The home page: recent usage by server and channel, and what is happening now.
import { html } from "hono/html";
import { gatewayStatusText } from "../core/copy/gateway.ts";
import { costText, countedText, dayText, homePageText, numberText, sharedText } from "../core/copy/inspector.ts";
import { limitText, moneyText } from "../core/copy/money.ts";
import { utcDay } from "../core/money/lease.ts";
import { NO_USAGE, plusUsage, type UsageSum } from "../core/money/report.ts";
import type { PlaceNames } from "../core/state/inspected.ts";
import { renderChart } from "./chart.ts";
import {
  channelHref,
  channelName,
  costOf,
  type Html,
  type Page,
  ranFor,
  renderFacts,
  renderQuestion,
  renderTable,
  renderTime,
  serverName,
  turnHref,
} from "./layout.ts";
import type { HomeChannel, HomeServer, InspectedHome } from "./reader.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
const LONGEST = 8;

/** Shows the home page. */
export function homePage(home: InspectedHome, names: PlaceNames): Page {
  const { now, gateway, servers, serversLeftOut, channelsNotAsked } = home;
  const today = utcDay(now);
  const days = lastDays(home);
  const asked = servers.flatMap(({ channels }) => channels).filter(({ pulse }) => pulse !== null);
  const note = (text: string) => html`<p class="note">${text}</p>`;
  const body = html`<h1>${homePageText.title}</h1>${renderTiles(days)}
${gateway === "off" ? "" : note(homePageText.gateway(gatewayStatusText(gateway)))}
${servers.length === 0 ? html`<p>${homePageText.nothing}</p>` : ""}
<div class="columns"><section><h2>${homePageText.running}</h2>${renderRunning(asked, now)}</section>
<section><h2>${homePageText.queues}</h2>${renderQueues(asked, names)}</section>
<section><h2>${homePageText.failures}</h2>${renderFailures(asked)}</section></div>
${channelsNotAsked > 0 ? note(homePageText.channelsNotAsked(asked.length, channelsNotAsked)) : ""}
${renderUsage(days)}
<section><h2>${homePageText.servers}</h2>${servers.map((server) => renderServer(server, today, names))}
${serversLeftOut > 0 ? note(homePageText.moreServers(serversLeftOut)) : ""}</section>`;
  return { title: homePageText.title, above: [], body, json: "/inspect/home.json" };
}

interface Day {
  day: string;
  sum: UsageSum;
}

/** Returns all of the last days, including those without a turn. */
function lastDays({ days, now }: InspectedHome): Day[] {
  const known = new Map(days.map(({ day, sum }) => [day, sum]));
  return Array.from({ length: DAYS }, (_, index) => {
    const day = utcDay(now - (DAYS - 1 - index) * DAY_MS);
    return { day, sum: known.get(day) ?? NO_USAGE };
  });
}

/** Returns the cost if it is known, else a dash. */
const moneyOf = ({ microUsd, unpricedTokens }: UsageSum): string =>
  costText(microUsd === 0 && unpricedTokens > 0 ? undefined : microUsd, unpricedTokens);
const tokensIn = ({ inputTokens, outputTokens }: UsageSum): number => inputTokens + outputTokens;

function renderTiles(days: readonly Day[]): Html {
  const all = days.reduce((sum, one) => plusUsage(sum, one.sum), NO_USAGE);
  const today = days.at(-1)?.sum ?? NO_USAGE;
  const tiles = renderFacts([
    [homePageText.today, numberText(today.turns)],
    [homePageText.moneyToday, moneyOf(today)],
    [homePageText.month, numberText(all.turns)],
    [homePageText.moneyMonth, moneyOf(all)],
    [homePageText.tokensMonth, numberText(tokensIn(all))],
  ]);
  return html`<div class="tiles">${tiles}</div>`;
}

function renderRunning(channels: readonly HomeChannel[], now: number): Html {
  const lines = channels.flatMap(({ channel, pulse }) => {
    const turn = pulse?.running;
    if (!turn) return [];
    const href = turnHref(channel, turn.turnId);
    return [
      html`<li><a href="${href}">${renderQuestion(turn)}</a><small>${ranFor(turn, now)} · ${turn.model ?? ""} · ${costOf(turn)}</small></li>`,
    ];
  });
  return lines.length === 0 ? html`<p>${homePageText.noneRunning}</p>` : html`<ul class="list tall">${lines}</ul>`;
}

function renderQueues(channels: readonly HomeChannel[], names: PlaceNames): Html {
  const queues = channels
    .map(({ channel, pulse }) => ({ channel, queued: pulse?.queued ?? 0 }))
    .filter(({ queued }) => queued > 0)
    .toSorted((a, b) => b.queued - a.queued)
    .slice(0, LONGEST);
  if (queues.length === 0) return html`<p>${homePageText.noQueues}</p>`;
  const line = ({ channel, queued }: (typeof queues)[number]) =>
    html`<li><a href="${channelHref(channel)}">${channelName(channel, names)}</a><small>${homePageText.waiting(queued)}</small></li>`;
  return html`<ul class="list">${queues.map(line)}</ul>`;
}

function renderFailures(channels: readonly HomeChannel[]): Html {
  const counts = new Map<string, number>();
  for (const { reason, count } of channels.flatMap(({ pulse }) => pulse?.failures ?? []))
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  const rows = [...counts].toSorted((a, b) => b[1] - a[1]);
  if (rows.length === 0) return html`<p>${homePageText.noFailures}</p>`;
  const columns = [homePageText.reason, homePageText.count];
  const cells = rows.map(([reason, count]) => [reason.replaceAll("_", " "), numberText(count)]);
  return renderTable(homePageText.failures, columns, cells, [1]);
}

/** Draws money by day, or tokens if no price is known. */
function renderUsage(days: readonly Day[]): Html {
  const isPriced = days.some(({ sum }) => sum.microUsd > 0);
  const title = isPriced ? homePageText.money : homePageText.tokens;
  const amount = ({ sum }: Day) => (isPriced ? sum.microUsd : tokensIn(sum));
  const write = isPriced ? moneyText : numberText;
  const bars = days.map((day) => ({
    label: day.day,
    amount: amount(day),
    title: homePageText.bar(day.day, write(amount(day)), day.sum.turns),
  }));
  const highest = write(Math.max(...days.map(amount)));
  const used = days.filter(({ sum }) => sum.turns > 0).toReversed();
  const columns = [homePageText.day, homePageText.answers, sharedText.tokens, sharedText.money];
  const rows = used.map(({ day, sum }) => [day, numberText(sum.turns), numberText(tokensIn(sum)), moneyOf(sum)]);
  return html`<section><h2>${title}</h2>${renderChart(bars, homePageText.chart(title, days.length, highest), isPriced ? limitText : write)}
<details id="by-day"><summary>${homePageText.asTable}</summary>${renderTable(title, columns, rows, [1, 2, 3])}</details></section>`;
}

function renderServer(server: HomeServer, today: string, names: PlaceNames): Html {
  const { guildId, sum, channels, channelsLeftOut, isListed } = server;
  const title = guildId === null ? homePageText.outside : homePageText.server(serverName(guildId, names));
  const columns = [
    sharedText.channel,
    homePageText.lastTurn,
    homePageText.now,
    homePageText.answers,
    sharedText.tokens,
    sharedText.money,
  ];
  const rows = channels.map(({ channel, lastDay, pulse, sum: used }) => [
    html`<a href="${channelHref(channel)}">${channelName(channel, names)}</a>`,
    pulse?.lastTurnAt ? renderTime(pulse.lastTurnAt) : dayText(lastDay, today),
    nowText(pulse),
    numberText(used.turns),
    numberText(tokensIn(used)),
    moneyOf(used),
  ]);
  return html`<section><h3>${title} <small>${countedText(sum.turns, "answer")} · ${moneyOf(sum)}</small></h3>
${isListed && rows.length > 0 ? renderTable(title, columns, rows, [3, 4, 5]) : html`<p>${homePageText.notListed}</p>`}
${channelsLeftOut > 0 ? html`<p class="note">${homePageText.moreChannels(channelsLeftOut)}</p>` : ""}</section>`;
}

function nowText(pulse: HomeChannel["pulse"]): string {
  if (pulse === null) return sharedText.none;
  const { running, queued, failures } = pulse;
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    running === null ? "" : homePageText.running,
    queued > 0 ? homePageText.waiting(queued) : "",
    failed > 0 ? homePageText.failed(failed) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? sharedText.none : parts.join(", ");
}
