// The inspector's routes: pages for the bot's owner about what the bot does, and the same data as JSON. Loaded only for addresses below /inspect,
// so it delays no turn. It only reads.
import { html } from "hono/html";
import { missingText, signInText } from "../core/copy/inspector.ts";
import type { TurnFilter } from "../core/state/inspected.ts";
import { addressOf, hasCookie, isToken, makeCookie, readBearer, readForm } from "./access.ts";
import { channelPage, FILTERED_STATUSES } from "./channel-page.ts";
import { homePage } from "./home-page.ts";
import { type Page, placeOf, renderPage, turnHref } from "./layout.ts";
import { LIVE_SCRIPT } from "./live-script.ts";
import type { InspectReader } from "./reader.ts";
import { STYLE } from "./style.ts";
import { turnPage } from "./turn-page.ts";

export { createReader } from "./reader.ts";

/** What the pages need. */
export interface InspectorPorts {
  /** INSPECT_TOKEN. */
  token: string;
  reader: InspectReader;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/** A Discord id; for a visitor's object, followed by the person's id. */
const CHANNEL = /^\d{1,20}(:\d{1,20})?$/;
const TURN = /^[\w:.-]{1,100}$/;

/** Answers a request for an address below /inspect. Never rejects. */
export async function answerInspector(request: Request, ports: InspectorPorts): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const isJson = pathname.endsWith(".json");
  const show = (status: number, body: { page: Page; data: unknown }) =>
    isJson ? json(body.data, status) : page(body.page, status);
  if (pathname === "/inspect/style.css") return respond(STYLE, 200, "text/css; charset=utf-8");
  if (pathname === "/inspect/live.js") return respond(LIVE_SCRIPT, 200, "text/javascript; charset=utf-8");
  try {
    if (request.method === "POST") return await signIn(request, pathname + search, ports);
    const access = await checkAccess(request, isJson, ports);
    if (access === "limited") return show(429, note(signInText.title, signInText.tooMany));
    if (access === "refused") return isJson ? json({ error: signInText.wrong }, 401) : signInPage(200, null);
    // The colon is the only encoded character in an id, and decoding a malformed address would throw. Pages used to have shorter addresses.
    const path = pathname
      .replace(/\.json$/, "")
      .replaceAll(/%3a/gi, ":")
      .replace(/^(\/inspect)\/channels\/([^/]+)\/turns\//, "$1/turn/$2/")
      .replace(/^(\/inspect\/channel)s\//, "$1/")
      .split("/")
      .slice(2);
    if (path[0] === "watch") return (await watch(path, ports.reader)) ?? page(nothing.page, nothing.status);
    const found = await find(path, searchParams, ports.reader);
    if ("to" in found) return redirect(found.to + (isJson ? ".json" : ""));
    return show(found.status ?? 200, found);
  } catch (error) {
    ports.logError("the inspector failed", { path: pathname, error: String(error) });
    return show(503, note(missingText.unreachableTitle, missingText.unreachable));
  }
}

type Found = { page: Page; data: unknown; status?: number } | { to: string };

/** Finds what is at a path below /inspect. */
async function find(path: readonly string[], query: URLSearchParams, reader: InspectReader): Promise<Found> {
  const [kind, first = "", second = "", ...more] = path;
  if (kind === undefined || ((kind === "" || kind === "home") && first === "")) {
    const home = await reader.home();
    const channels = home.servers.flatMap(({ guildId, channels: those }) => (guildId === null ? [] : those));
    const ids = channels.map(({ channel }) => placeOf(channel));
    const names = await reader.names(
      home.servers.flatMap(({ guildId }) => guildId ?? []),
      ids,
    );
    return { page: homePage(home, names), data: { ...home, names } };
  }
  if (more.length > 0) return nothing;
  if (kind === "channel" && CHANNEL.test(first) && second === "") {
    const [filter, before] = [readFilter(query), readWhole(query.get("before"))];
    const [channel, turns] = await Promise.all([reader.channel(first), reader.turns(first, filter, before)]);
    const { guildId, parentId } = channel;
    const names =
      guildId === null ? {} : await reader.names([guildId], [placeOf(first), ...(parentId ? [parentId] : [])]);
    const data = { channel, ...turns, names };
    return { page: channelPage({ channel: first, filter, before }, data), data };
  }
  if (kind === "turn" && CHANNEL.test(first) && TURN.test(second)) {
    const turn = await reader.turn(first, second);
    if (turn === null) return noTurn;
    const names = turn.guildId === null ? {} : await reader.names([], [placeOf(first)]);
    return { page: turnPage({ channel: first, request: readWhole(query.get("request")), names }, turn), data: turn };
  }
  if (kind === "turn" && TURN.test(first) && second === "") return findTurn(first, reader);
  return nothing;
}

/** Finds a turn only by its id, in the channels that were used last. */
async function findTurn(turnId: string, reader: InspectReader): Promise<Found> {
  const { servers } = await reader.home();
  const asked = servers.flatMap(({ channels }) => channels).filter(({ pulse }) => pulse !== null);
  const turns = await Promise.all(asked.map(({ channel }) => reader.turn(channel, turnId).catch(() => null)));
  // A turn that continued in a new thread has left an empty one here, which has ended without a status.
  const whole = turns.findIndex((turn) => turn && (turn.status !== null || turn.endedAt === null));
  const channel = asked[whole < 0 ? turns.findIndex((turn) => turn) : whole]?.channel;
  return channel === undefined ? noTurn : { to: turnHref(channel, turnId) };
}

function readFilter(query: URLSearchParams): TurnFilter {
  const person = query.get("person")?.trim() ?? "";
  const status = query.get("status");
  return {
    userId: person === "" ? null : person.slice(0, 40),
    status: FILTERED_STATUSES.find((one) => one === status) ?? null,
  };
}

const readWhole = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;

async function watch([, channel = "", turn, ...more]: readonly string[], reader: InspectReader) {
  if (!CHANNEL.test(channel) || (turn !== undefined && !TURN.test(turn)) || more.length > 0) return null;
  return respond(await reader.watch(channel, turn ?? null), 200, "text/event-stream");
}

/** Checks access: a cookie opens everything, a bearer token only JSON. */
async function checkAccess(request: Request, isJson: boolean, { token, now, reader }: InspectorPorts) {
  if (await hasCookie(request, token, now())) return "open";
  return isJson ? tryBearer(request, token, reader) : "refused";
}

/** Checks a request's bearer token. Wrong ones are counted, wherever they are tried. */
export async function tryBearer(request: Request, token: string, reader: Pick<InspectReader, "mayTry">) {
  const bearer = readBearer(request);
  return bearer === null ? "refused" : tryToken(request, bearer, token, reader);
}

/** Compares the token before the try is counted, so that right ones are never counted. */
async function tryToken(request: Request, given: string, token: string, reader: Pick<InspectReader, "mayTry">) {
  const isRight = await isToken(given, token);
  if (!(await reader.mayTry(addressOf(request), isRight))) return "limited";
  return isRight ? "open" : "refused";
}

/** Handles the form, and redirects to the page that was asked for. */
async function signIn(request: Request, address: string, { token, now, reader }: InspectorPorts): Promise<Response> {
  const access = await tryToken(request, await readForm(request).catch(() => ""), token, reader);
  if (access === "limited") return signInPage(429, signInText.tooMany);
  if (access === "refused") return signInPage(401, signInText.wrong);
  return redirect(address, { "Set-Cookie": await makeCookie(token, now()) });
}

function signInPage(status: number, problem: string | null): Response {
  const body = html`<form class="sign-in" method="post"><h1>${signInText.title}</h1>${problem === null ? "" : html`<p class="problem" role="alert">${problem}</p>`}
<label for="token">${signInText.label}</label><input id="token" name="token" type="password" required autofocus autocomplete="current-password" aria-describedby="hint">
<p id="hint" class="note">${signInText.hint}</p><button>${signInText.button}</button></form>`;
  return page({ title: signInText.title, above: [], body }, status);
}

/** Builds a page with only a message. */
const note = (title: string, text: string): { page: Page; data: unknown } => ({
  page: { title, above: [], body: html`<h1>${title}</h1><p>${text}</p>` },
  data: { error: text },
});
const nothing = { ...note(missingText.title, missingText.page), status: 404 };
const noTurn = { ...note(missingText.title, missingText.turn), status: 404 };

const respond = (body: string | ReadableStream<Uint8Array>, status: number, type: string): Response =>
  new Response(body, { status, headers: { ...HEADERS, "Content-Type": type } });
const page = (content: Page, status: number): Response =>
  respond(renderPage(content), status, "text/html; charset=utf-8");
const json = (data: unknown, status: number): Response =>
  respond(JSON.stringify(data, null, 2), status, "application/json; charset=utf-8");
const redirect = (to: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { ...HEADERS, ...headers, Location: to } });
