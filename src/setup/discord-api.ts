// Discord's REST API with the bot's token: what setup and doctor read and change. Waits when Discord asks for it; refusals are values.
import { ownership, readOwners } from "../discord/rest/application-owners.ts";
import { A_PAGE, lostReason } from "../discord/rest/lost-reason.ts";
import { userAgent } from "../discord/rest/user-agent.ts";
import { parseJson, readFields } from "../model/json-fields.ts";
import type { Application, Server } from "./facts.ts";
import type { Send, SetupClock } from "./ports.ts";

/**
 * Why a request failed. `token`: the token was refused. `blocked`: Discord's network refuses this machine. `endpoint`: Discord could not
 * verify the endpoint URL. `unreachable`: no answer came from Discord itself. `down`: Discord has an error.
 */
export interface DiscordFailure {
  ok: false;
  kind: "token" | "blocked" | "endpoint" | "refused" | "unreachable" | "down";
  /** Discord's own words; never the token. */
  text: string;
}

/** A parsed answer. `date`: the server's clock, in milliseconds since 1970. */
export type DiscordReply = { ok: true; body: unknown; date: number | null } | DiscordFailure;

/** The requests. All may run twice. */
export interface DiscordApi {
  get(path: string): Promise<DiscordReply>;
  patch(path: string, body: object): Promise<DiscordReply>;
  put(path: string, body: object): Promise<DiscordReply>;
}

const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 60_000;

/** Creates the client. `base`: Discord's address, without a trailing slash. */
export function createDiscordApi(send: Send, clock: SetupClock, base: string, token: string): DiscordApi {
  const call = async (method: string, path: string, body?: object, waits = 0): Promise<DiscordReply> => {
    const headers = {
      Authorization: `Bot ${token}`,
      "User-Agent": userAgent("setup"),
      ...(body && { "Content-Type": "application/json" }),
    };
    const answer = await send(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(lostReason);
    if (typeof answer === "string") return { ok: false, kind: "unreachable", text: answer };
    const { response } = answer;
    const json = parseJson(answer.text) ?? null;
    const { retry_after: retryAfter } = (json ?? {}) as { retry_after?: unknown };
    if (response.status === 429 && typeof retryAfter === "number" && waits < MOST_WAITS) {
      await clock.sleep(Math.min(LONGEST_WAIT_MS, retryAfter * 1000));
      return call(method, path, body, waits + 1);
    }
    if (!response.ok) return describeFailure(response.status, json, answer.text);
    // A captive portal answers in the place of every server.
    if (json === null) return { ok: false, kind: "unreachable", text: A_PAGE };
    return { ok: true, body: json, date: readDate(response) };
  };
  return {
    get: (path) => call("GET", path),
    patch: (path, body) => call("PATCH", path, body),
    put: (path, body) => call("PUT", path, body),
  };
}

function describeFailure(status: number, json: unknown, body: string): DiscordFailure {
  const { code, message } = (json ?? {}) as { code?: unknown; message?: unknown };
  const words = typeof message === "string" ? message : "";
  // For a server error or an unknown path, Discord's message already begins with the status.
  const text = words.startsWith(`${status}`) ? words : `${status} ${words}`.trim();
  const failed = (kind: DiscordFailure["kind"]): DiscordFailure => ({ ok: false, kind, text });
  // A page that asks for a login comes from the network, and says nothing about the token.
  if (status === 401) return /^\s*</.test(body) ? { ...failed("unreachable"), text: A_PAGE } : failed("token");
  // Discord's proxy answers with a page, or with this code, before Discord itself has seen the request.
  if (code === 40333 || ((status === 403 || status === 429) && json === null)) return failed("blocked");
  if (JSON.stringify(json ?? "").includes("APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID")) return failed("endpoint");
  return failed(status >= 500 ? "down" : "refused");
}

const readDate = ({ headers }: Response): number | null => {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : date;
};

/** Reads the body of `GET /applications/@me`; null if it is not an application. */
export function readApplication(body: unknown): Application | null {
  const app = (body ?? {}) as Record<string, unknown>;
  const { id, name, verify_key: publicKey } = app;
  if (typeof id !== "string" || typeof publicKey !== "string") return null;
  const { data: owned } = ownership().safeParse(app);
  const owners = owned ? readOwners(owned) : [];
  const team = app.team as { name?: string } | null;
  return {
    id,
    name: typeof name === "string" ? name : "the bot",
    publicKey,
    flags: Number(app.flags ?? 0),
    isPublic: app.bot_public !== false,
    needsCodeGrant: app.bot_require_code_grant === true,
    endpointUrl: typeof app.interactions_endpoint_url === "string" ? app.interactions_endpoint_url : null,
    installSettings: app.integration_types_config ?? null,
    ownerIds: owners.map((owner) => owner.id),
    ownerName: team?.name ?? owners[0]?.name ?? "its owner",
    serverCount: Number(app.approximate_guild_count ?? 0),
  };
}

/** Reads the body of `GET /users/@me/guilds`. */
export const readServers = (body: unknown): Server[] =>
  (Array.isArray(body) ? body : []).flatMap((one) => {
    const { id, name, permissions } = readFields(one) ?? {};
    if (typeof id !== "string") return [];
    return {
      id,
      name: String(name),
      permissions: typeof permissions === "string" && /^\d+$/.test(permissions) ? BigInt(permissions) : 0n,
    };
  });
