// Requests to Discord's REST API and what came back, as values. Knows the wire; decides nothing about retries.
// Every message body passes through one function here, so that nothing that a model says can ping anybody.

/** How a request ended. `unreachable`: no answer was read, so a create may or may not have taken effect. */
export type RestResult =
  | { ok: true; message: SentMessage }
  | { ok: false; kind: "refused"; status: number; code: number; retryAfterMs: number | null; text: string }
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
  file?: { name: string; text: string };
}

/** The interaction's webhook: lives as long as the token. */
export interface ReplyRoute {
  applicationId: string;
  token: string;
}

/** The routes that a reply needs. No method throws; each sends exactly one request. */
export interface DiscordRest {
  editOriginal(route: ReplyRoute, body: MessageBody): Promise<RestResult>;
  createFollowup(route: ReplyRoute, body: MessageBody): Promise<RestResult>;
  editFollowup(route: ReplyRoute, messageId: string, body: MessageBody): Promise<RestResult>;
  deleteFollowup(route: ReplyRoute, messageId: string): Promise<RestResult>;
  readMessage(route: ReplyRoute, messageId: string): Promise<RestResult>;
}

/** What the client needs from outside. */
export interface RestPorts {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  baseUrl: string;
  /** `DiscordBot (url, version)`: without it Cloudflare in front of Discord may block (code 40333). */
  userAgent: string;
}

const SUPPRESS_EMBEDS = 1 << 2;
const EPHEMERAL = 1 << 6;

/** Makes the client. Tokens stand in the path, so a URL is never logged. */
export function createDiscordRest(ports: RestPorts): DiscordRest {
  const webhook = (route: ReplyRoute) => `${ports.baseUrl}/webhooks/${route.applicationId}/${route.token}`;
  return {
    editOriginal: (route, body) => send(ports, "PATCH", `${webhook(route)}/messages/@original`, body),
    createFollowup: (route, body) => send(ports, "POST", webhook(route), body),
    editFollowup: (route, id, body) => send(ports, "PATCH", `${webhook(route)}/messages/${id}`, body),
    deleteFollowup: (route, id) => send(ports, "DELETE", `${webhook(route)}/messages/${id}`, null),
    readMessage: (route, id) => send(ports, "GET", `${webhook(route)}/messages/${id}`, null),
  };
}

type Method = "PATCH" | "POST" | "GET" | "DELETE";

async function send(ports: RestPorts, method: Method, url: string, body: MessageBody | null): Promise<RestResult> {
  const headers: Record<string, string> = { "User-Agent": ports.userAgent };
  const init: RequestInit = { method, headers };
  if (body) {
    const json = wireBody(method, body);
    if (!body.file) headers["Content-Type"] = "application/json";
    init.body = body.file ? multipart(json, body.file) : JSON.stringify(json);
  }
  try {
    return await read(await ports.fetch(url, init));
  } catch (error) {
    return { ok: false, kind: "unreachable", text: error instanceof Error ? error.message : String(error) };
  }
}

/** `allowed_mentions` rides on every create and edit: Discord does not remember it from the message before. */
function wireBody(method: Method, body: MessageBody): Record<string, unknown> {
  const { content, components, file } = body;
  // An edit sets the flags anew, but can't change whether a message is ephemeral.
  const flags = SUPPRESS_EMBEDS | (method === "POST" && body.ephemeral ? EPHEMERAL : 0);
  return {
    ...(content === undefined ? {} : { content }),
    ...(components === undefined ? {} : { components }),
    ...(file ? { attachments: [{ id: 0, filename: file.name }] } : {}),
    flags,
    allowed_mentions: { parse: [] },
  };
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
  if (response.ok) {
    const { id, content, flags } = json;
    const ephemeral = (Number(flags ?? 0) & EPHEMERAL) !== 0;
    return { ok: true, message: { id: String(id ?? ""), content: String(content ?? ""), ephemeral } };
  }
  return {
    ok: false,
    kind: "refused",
    status: response.status,
    code: Number(json.code ?? 0),
    retryAfterMs: retryAfter(response, json),
    text: text.slice(0, 500),
  };
}

/** Milliseconds to wait, as the body (exact) or the header (whole seconds) says. */
function retryAfter(response: Response, json: Record<string, unknown>): number | null {
  const seconds = Number(json.retry_after ?? response.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : null;
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
