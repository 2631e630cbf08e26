// Requests to Discord's REST API and what came back, as values. Knows the wire; decides nothing about retries.
// Every message body passes through one function here, so that nothing that a model says can ping anybody.

import { type BucketState, type Limit, readBucket, readLimit } from "./rate-limits.ts";

/** How a request ended. `unreachable`: no answer was read, so a create may or may not have taken effect. */
export type RestResult =
  | { ok: true; message: SentMessage; bucket?: BucketState | null }
  | {
      ok: false;
      kind: "refused";
      status: number;
      code: number;
      limit: Limit | null;
      text: string;
      bucket?: BucketState | null;
    }
  | { ok: false; kind: "unreachable"; text: string };

/** What we keep of the message that Discord answers with. */
export interface SentMessage {
  id: string;
  content: string;
  /** Discord can force a reply to be ephemeral; then only its token can edit it. */
  ephemeral: boolean;
}

/** A message or an edit. Fields left out of an edit stay as they are. */
export interface MessageBody {
  content?: string;
  components?: object[];
  ephemeral?: boolean;
  /** Lets Discord unfold links. */
  linkPreviews?: boolean;
  file?: { name: string; text: string };
  /** A page of its own below the content. */
  embed?: { title: string; description: string };
  /** Nobody's device makes a sound for it. */
  silent?: boolean;
  /** The message that a new one of the bot points to; no matter whether it is still there. */
  repliesTo?: string;
}

/** The interaction's webhook: lives as long as the token, and needs no membership. */
export interface InteractionEndpoint {
  applicationId: string;
  token: string;
}

/** The channel itself: needs the bot token, and the bot in the guild. */
export interface ChannelEndpoint {
  channelId: string;
}

/** A webhook of the channel, by which a persona speaks under a name and a picture of its own. */
export interface WebhookEndpoint {
  webhookId: string;
  webhookToken: string;
  /** A thread speaks by its parent's webhook. */
  threadId: string | null;
  username: string;
  avatarUrl: string | null;
}

/** The way by which the messages of a reply are reached. */
export type Endpoint = InteractionEndpoint | ChannelEndpoint | WebhookEndpoint;

/** By the bot itself: alone of the three it needs the bot's token, has a nonce and can point to another message. */
export const isByBot = (route: Endpoint): route is ChannelEndpoint => "channelId" in route;

/** The deferred response, known to its webhook without an id. */
export const ORIGINAL = "@original";

/** The requests that a reply needs. No method throws; each sends exactly one request. */
export interface DiscordRest {
  /** By the channel's route, the nonce lets Discord drop a repetition; a webhook has none. */
  create(route: Endpoint, body: MessageBody, nonce?: string): Promise<RestResult>;
  edit(route: Endpoint, messageId: string, body: MessageBody): Promise<RestResult>;
  remove(route: Endpoint, messageId: string): Promise<RestResult>;
  read(route: Endpoint, messageId: string): Promise<RestResult>;
}

/** What the client needs from outside. */
export interface RestPorts {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  baseUrl: string;
  /** `DiscordBot (url, version)`: without it Cloudflare in front of Discord may block (code 40333). */
  userAgent: string;
  /** Null: the routes of channels are closed to us. */
  botToken: string | null;
  /** Told of a request whose answer could not be had or read. */
  onLost?: (method: string, error: unknown) => void;
}

const SUPPRESS_EMBEDS = 1 << 2;
const EPHEMERAL = 1 << 6;
const SUPPRESS_NOTIFICATIONS = 1 << 12;

/** Makes the client. Tokens stand in the path, so a URL is never logged. */
export function createDiscordRest(ports: RestPorts): DiscordRest {
  return {
    create: (route, body, nonce) => send(ports, "POST", route, creationPath(route), body, nonce),
    edit: (route, id, body) => send(ports, "PATCH", route, messagePath(route, id), body),
    remove: (route, id) => send(ports, "DELETE", route, messagePath(route, id), null),
    read: (route, id) => send(ports, "GET", route, messagePath(route, id), null),
  };
}

const webhookPath = (route: InteractionEndpoint | WebhookEndpoint) =>
  "token" in route
    ? `/webhooks/${route.applicationId}/${route.token}`
    : `/webhooks/${route.webhookId}/${route.webhookToken}`;

/** A channel's webhook answers with the message only when it is asked to wait for it. */
function creationPath(route: Endpoint): string {
  if (isByBot(route)) return `/channels/${route.channelId}/messages`;
  return "token" in route ? webhookPath(route) : `${webhookPath(route)}?wait=true${threadQuery(route, "&")}`;
}

function messagePath(route: Endpoint, id: string): string {
  if (isByBot(route)) return `/channels/${route.channelId}/messages/${id}`;
  return `${webhookPath(route)}/messages/${id}${"token" in route ? "" : threadQuery(route, "?")}`;
}

const threadQuery = ({ threadId }: WebhookEndpoint, before: "?" | "&") =>
  threadId ? `${before}thread_id=${threadId}` : "";

type Method = "PATCH" | "POST" | "GET" | "DELETE";

async function send(
  ports: RestPorts,
  method: Method,
  route: Endpoint,
  path: string,
  body: MessageBody | null,
  nonce?: string,
): Promise<RestResult> {
  const headers: Record<string, string> = { "User-Agent": ports.userAgent };
  // A webhook's token stands for itself; with the bot's beside it Discord would count the request against the bot.
  if (isByBot(route)) headers.Authorization = `Bot ${ports.botToken}`;
  const init: RequestInit = { method, headers };
  if (body) {
    const own = method === "POST" ? buildOwnFields(route, body, nonce) : {};
    const json = { ...wireBody(method, body), ...own };
    if (!body.file) headers["Content-Type"] = "application/json";
    init.body = body.file ? multipart(json, body.file) : JSON.stringify(json);
  }
  try {
    return await read(await ports.fetch(ports.baseUrl + path, init));
  } catch (error) {
    ports.onLost?.(method, error);
    return { ok: false, kind: "unreachable", text: error instanceof Error ? error.message : String(error) };
  }
}

/** `allowed_mentions` rides on every create and edit: Discord does not remember it from the message before. */
function wireBody(method: Method, body: MessageBody): Record<string, unknown> {
  const { content, components, file, embed, linkPreviews, ephemeral, silent } = body;
  // An edit sets the flags anew, but can't change whether a message is ephemeral or silent.
  const once = method === "POST" ? (ephemeral ? EPHEMERAL : 0) | (silent ? SUPPRESS_NOTIFICATIONS : 0) : 0;
  // Our own embeds would be suppressed with those of links.
  const flags = (linkPreviews || embed ? 0 : SUPPRESS_EMBEDS) | once;
  return {
    ...(content === undefined ? {} : { content }),
    ...(components === undefined ? {} : { components }),
    ...(embed ? { embeds: [embed] } : {}),
    ...(file ? { attachments: [{ id: 0, filename: file.name }] } : {}),
    flags,
    allowed_mentions: { parse: [] },
  };
}

/** What only a new message by this way can have: the bot's a nonce and a reply, a channel webhook's a name and a picture. */
function buildOwnFields(
  route: Endpoint,
  { repliesTo }: MessageBody,
  nonce: string | undefined,
): Record<string, unknown> {
  if (isByBot(route))
    return {
      ...(nonce === undefined ? {} : { nonce, enforce_nonce: true }),
      ...(repliesTo === undefined ? {} : { message_reference: { message_id: repliesTo, fail_if_not_exists: false } }),
    };
  if ("token" in route) return {};
  return { username: route.username, ...(route.avatarUrl === null ? {} : { avatar_url: route.avatarUrl }) };
}

function multipart(json: object, file: { name: string; text: string }): FormData {
  const form = new FormData();
  form.set("payload_json", JSON.stringify(json));
  form.set("files[0]", new Blob([file.text], { type: "text/markdown; charset=utf-8" }), file.name);
  return form;
}

async function read(response: Response): Promise<RestResult> {
  const text = await response.text();
  const json = parseJson(text);
  const bucket = readBucket(response.headers);
  if (response.ok) {
    const { id, content, flags } = json ?? {};
    // A deletion brings nothing back. Where anything else is no message, one may have been made or not.
    if (text !== "" && typeof id !== "string") throw new Error("Discord answered something that is no message");
    const ephemeral = (Number(flags ?? 0) & EPHEMERAL) !== 0;
    return { ok: true, message: { id: String(id ?? ""), content: String(content ?? ""), ephemeral }, bucket };
  }
  return refusalFrom(response, text);
}

/** How an answer that is no success reads; `text` is its body. */
export function refusalFrom(response: Response, text: string): Extract<RestResult, { kind: "refused" }> {
  const json = parseJson(text);
  const { status, headers } = response;
  return {
    ok: false,
    kind: "refused",
    status,
    code: Number(json?.code ?? 0),
    limit: status === 429 ? readLimit(headers, json) : null,
    text: text.slice(0, 500),
    bucket: readBucket(headers),
  };
}

/** Null for what is no JSON object. */
function parseJson(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
