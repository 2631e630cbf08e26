// What the gateway's object asks Discord by REST, with the bot's token: the gateway's address, the application's switch for the text of
// all messages, its role in a server, and what was said in a channel during a gap. Reads only.
import {
  readContentSwitch,
  readGatewayBot,
  readMessages,
  readOwnRole,
} from "../../src/discord/gateway/rest-answers.ts";
import { type RestPorts, refusalFrom } from "../../src/discord/rest/rest.ts";
import type { GatewayAction, GatewayInput } from "../../src/gateway/inputs-and-actions.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";

type Found = Extract<GatewayInput, { kind: "found" }>;
type NotFound = Extract<GatewayInput, { kind: "not_found" }>;
type Read = Extract<GatewayAction, { kind: "read" }>;

/** The requests. None rejects, and each may run twice. */
export interface GatewayRest {
  lookUp(generation: number): Promise<Found | NotFound>;
  /** Null: Discord did not say. `roleId` null: there is none. */
  ownRole(guildId: string, userId: string): Promise<{ roleId: string | null } | null>;
  /** A page of messages; null: Discord did not give one. */
  messages(page: Read): Promise<{ messages: GatewayMessage[]; isLast: boolean } | null>;
}

type Answer = { ok: true; json: unknown } | { ok: false; status: number | null; retryAfterMs: number | null };

/** Makes the client. `fetch` must have a limit in time. */
export function createGatewayRest({ fetch, baseUrl, userAgent, botToken, onLost }: RestPorts): GatewayRest {
  const get = async (path: string): Promise<Answer> => {
    try {
      const headers = { "User-Agent": userAgent, Authorization: `Bot ${botToken}` };
      const response = await fetch(baseUrl + path, { headers });
      const text = await response.text();
      if (response.ok) return { ok: true, json: JSON.parse(text) };
      const { status, limit } = refusalFrom(response, text);
      return { ok: false, status, retryAfterMs: limit?.retryAfterMs ?? null };
    } catch (error) {
      onLost?.("GET", error);
      return { ok: false, status: null, retryAfterMs: null };
    }
  };
  const read = async <Value>(path: string, by: (json: unknown) => Value | null): Promise<Value | null> => {
    const answer = await get(path);
    return answer.ok ? by(answer.json) : null;
  };
  return {
    async lookUp(generation) {
      const [bot, application] = await Promise.all([get("/gateway/bot"), get("/applications/@me")]);
      const failed = [bot, application].find((answer) => !answer.ok);
      if (failed && !failed.ok)
        return { kind: "not_found", generation, status: failed.status, retryAfterMs: failed.retryAfterMs };
      const found = bot.ok ? readGatewayBot(bot.json) : null;
      if (!found) return { kind: "not_found", generation, status: null, retryAfterMs: null };
      return {
        ...{ kind: "found", generation, ...found },
        readsContent: application.ok && readContentSwitch(application.json),
      };
    },
    ownRole: (guildId, userId) => read(`/guilds/${guildId}/roles`, (json) => readOwnRole(json, userId)),
    messages: ({ channelId, place, after, limit }) =>
      read(`/channels/${channelId}/messages?after=${after}&limit=${limit}`, (json) => readMessages(json, place, limit)),
  };
}
