// Sends a reply's requests to Discord's REST API and returns their results as values. Knows the wire format; decides nothing about retries.
// Every message body passes through one function here, so that a model's text can't ping anyone.

import type { MadeFile } from "../../core/state/reply-files.ts";
import { type BucketState, readBucket } from "./rate-limits.ts";
import { parseObject, type Refused, refusalFrom, TOKEN_REFUSED } from "./refusal.ts";
import { wireJson } from "./wire-json.ts";

/** How a request ended. */
export type RestResult = { ok: true; message: SentMessage; status?: number; bucket?: BucketState | null } | RestFailure;

/** `unreachable`: no answer could be read, so a create may or may not have taken effect. */
export type RestFailure = Refused | { ok: false; kind: "unreachable"; text: string };

/** What we keep of the message in Discord's answer. */
export interface SentMessage {
  id: string;
  content: string;
  /** Discord can force a reply to be ephemeral; then only its token can edit it. */
  ephemeral: boolean;
}

/** A message or an edit. Fields that an edit leaves out stay as they are. */
export interface MessageBody {
  content?: string;
  components?: object[];
  ephemeral?: boolean;
  /** Whether Discord may show link previews. */
  linkPreviews?: boolean;
  /** At most ten files. An edit replaces those that the message has. */
  files?: readonly MessageFile[];
  /** Removes the files that the message has. */
  withoutFiles?: true;
  /** An embed below the content. */
  embed?: { title: string; description: string };
  /** Sends no push notification or sound. */
  silent?: boolean;
  /** The one person that this message may ping. */
  pings?: string;
  /** The message that a new message of the bot replies to, even if it has been deleted. */
  repliesTo?: string;
}

/** A file of a message. */
export type MessageFile = Omit<MadeFile, "data"> & { data: Uint8Array | string };

/** An interaction's webhook. It works as long as the token does, and the bot need not be a member. */
export interface InteractionEndpoint {
  applicationId: string;
  token: string;
}

/** The channel itself. It needs the bot's token, and the bot as a member of the server. */
export interface ChannelEndpoint {
  channelId: string;
}

/** A webhook of the channel, with which a persona speaks under its own name and picture. */
export interface WebhookEndpoint {
  webhookId: string;
  webhookToken: string;
  /** A thread uses its parent's webhook. */
  threadId: string | null;
  username: string;
  avatarUrl: string | null;
}

/** Where requests about a reply's messages are sent. */
export type Endpoint = InteractionEndpoint | ChannelEndpoint | WebhookEndpoint;

/** Whether this is the bot's own endpoint. Only that one needs the bot's token, accepts a nonce and can reply to another message. */
export const isByBot = (endpoint: Endpoint): endpoint is ChannelEndpoint => "channelId" in endpoint;

/** Names the deferred response at its webhook, in place of an id. */
export const ORIGINAL = "@original";

/** The requests that a reply needs. No method throws; each sends exactly one request. */
export interface DiscordRest {
  /** May run twice at a channel endpoint, where the nonce lets Discord drop the repetition. A webhook has no nonce. */
  create(endpoint: Endpoint, body: MessageBody, nonce?: string): Promise<RestResult>;
  edit(endpoint: Endpoint, messageId: string, body: MessageBody): Promise<RestResult>;
  remove(endpoint: Endpoint, messageId: string): Promise<RestResult>;
  read(endpoint: Endpoint, messageId: string): Promise<RestResult>;
}

/** What the client needs from outside. */
export interface RestPorts {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  baseUrl: string;
  /** `DiscordBot (url, version)`. Without it, Cloudflare in front of Discord may block requests (code 40333). */
  userAgent: string;
  /** If null, requests at a channel endpoint are not sent; they fail as if Discord had refused the token. */
  botToken: string | null;
  /** Called for a request whose answer did not arrive or could not be read. */
  onLost?: (method: string, error: unknown) => void;
}

const SUPPRESS_EMBEDS = 1 << 2;
const EPHEMERAL = 1 << 6;
const SUPPRESS_NOTIFICATIONS = 1 << 12;

/** Creates the client. Paths contain tokens, so a URL is never logged. */
export function createDiscordRest(ports: RestPorts): DiscordRest {
  return {
    create: (endpoint, body, nonce) => send(ports, "POST", endpoint, creationPath(endpoint), body, nonce),
    edit: (endpoint, id, body) => send(ports, "PATCH", endpoint, messagePath(endpoint, id), body),
    remove: (endpoint, id) => send(ports, "DELETE", endpoint, messagePath(endpoint, id), null),
    read: (endpoint, id) => send(ports, "GET", endpoint, messagePath(endpoint, id), null),
  };
}

const webhookPath = (endpoint: InteractionEndpoint | WebhookEndpoint) =>
  "token" in endpoint
    ? `/webhooks/${endpoint.applicationId}/${endpoint.token}`
    : `/webhooks/${endpoint.webhookId}/${endpoint.webhookToken}`;

/** Returns the path that creates a message. A channel's webhook returns the message only if asked to wait for it. */
function creationPath(endpoint: Endpoint): string {
  if (isByBot(endpoint)) return `/channels/${endpoint.channelId}/messages`;
  return "token" in endpoint
    ? webhookPath(endpoint)
    : `${webhookPath(endpoint)}?wait=true${threadQuery(endpoint, "&")}`;
}

function messagePath(endpoint: Endpoint, id: string): string {
  if (isByBot(endpoint)) return `/channels/${endpoint.channelId}/messages/${id}`;
  return `${webhookPath(endpoint)}/messages/${id}${"token" in endpoint ? "" : threadQuery(endpoint, "?")}`;
}

const threadQuery = ({ threadId }: WebhookEndpoint, before: "?" | "&") =>
  threadId ? `${before}thread_id=${threadId}` : "";

type Method = "PATCH" | "POST" | "GET" | "DELETE";

async function send(
  ports: RestPorts,
  method: Method,
  endpoint: Endpoint,
  path: string,
  body: MessageBody | null,
  nonce?: string,
): Promise<RestResult> {
  if (isByBot(endpoint) && ports.botToken === null) return TOKEN_REFUSED;
  const headers: Record<string, string> = { "User-Agent": ports.userAgent };
  // A webhook's token is enough; with the bot's as well, Discord would count the request against the bot.
  if (isByBot(endpoint)) headers.Authorization = `Bot ${ports.botToken}`;
  const init: RequestInit = { method, headers };
  if (body) {
    const own = method === "POST" ? buildOwnFields(endpoint, body, nonce) : {};
    const json = { ...wireBody(method, body), ...own };
    if (!body.files) headers["Content-Type"] = "application/json";
    init.body = body.files ? multipart(json, body.files) : wireJson(json);
  }
  try {
    return await read(await ports.fetch(ports.baseUrl + path, init), method);
  } catch (error) {
    ports.onLost?.(method, error);
    return { ok: false, kind: "unreachable", text: error instanceof Error ? error.message : String(error) };
  }
}

/** Builds a body. Every create and edit has `allowed_mentions`, because Discord does not remember it from the earlier message. */
function wireBody(method: Method, body: MessageBody): Record<string, unknown> {
  const { content, components, files, withoutFiles, embed, linkPreviews, ephemeral, silent, pings } = body;
  // An edit replaces the flags, but can't change whether a message is ephemeral or silent.
  const once = method === "POST" ? (ephemeral ? EPHEMERAL : 0) | (silent ? SUPPRESS_NOTIFICATIONS : 0) : 0;
  // This flag would suppress our own embeds together with those of links.
  const flags = (linkPreviews || embed ? 0 : SUPPRESS_EMBEDS) | once;
  // Fields that are undefined don't appear in the JSON.
  return {
    content,
    components,
    embeds: embed && [embed],
    // The n of files[n] as a string, as in Discord's schema; the examples in its docs show a number.
    attachments: withoutFiles ? [] : files?.map(({ name }, n) => ({ id: `${n}`, filename: name })),
    flags,
    allowed_mentions: { parse: [], users: pings === undefined ? pings : [pings] },
  };
}

/**
 * Builds the fields that only a new message at this endpoint can have: a nonce and a reply for the bot, a name and a picture for a
 * channel's webhook.
 */
function buildOwnFields(
  endpoint: Endpoint,
  { repliesTo }: MessageBody,
  nonce: string | undefined,
): Record<string, unknown> {
  if (isByBot(endpoint))
    return {
      ...(nonce !== undefined && { nonce, enforce_nonce: true }),
      ...(repliesTo !== undefined && { message_reference: { message_id: repliesTo, fail_if_not_exists: false } }),
    };
  return "token" in endpoint ? {} : { username: endpoint.username, avatar_url: endpoint.avatarUrl ?? undefined };
}

function multipart(json: object, files: readonly MessageFile[]): FormData {
  const form = new FormData();
  form.set("payload_json", wireJson(json));
  for (const [n, { name, type, data }] of files.entries())
    form.set(`files[${n}]`, new Blob([data as Uint8Array<ArrayBuffer> | string], { type }), name);
  return form;
}

async function read(response: Response, method: Method): Promise<RestResult> {
  const text = await response.text();
  const bucket = readBucket(response.headers);
  if (response.ok) {
    const json = text === "" ? {} : parseObject(text);
    const { id = null, content, flags } = json ?? {};
    // A deletion returns nothing, and an edit need not. For any other request an answer without a message leaves the outcome unknown.
    const needsNone = json !== null && id === null && (method === "PATCH" || method === "DELETE");
    if (typeof id !== "string" && !needsNone) throw new Error("Discord answered with something that is not a message");
    const { status } = response;
    const ephemeral = (Number(flags ?? 0) & EPHEMERAL) !== 0;
    return { ok: true, message: { id: String(id ?? ""), content: String(content ?? ""), ephemeral }, status, bucket };
  }
  return refusalFrom(response, text);
}
