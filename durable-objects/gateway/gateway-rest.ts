// What the gateway's object asks Discord by REST, with the bot's token: the gateway's address, the switch for the text of all messages, the
// bot's role in a server, and what was said in a channel during a gap. Reads only.
import {
  readContentSwitch,
  readGatewayBot,
  readMessages,
  readOwnRole,
} from "../../src/discord/gateway/rest-answers.ts";
import { fetchAsBot } from "../../src/discord/rest/bot-fetch.ts";
import { refusalFrom } from "../../src/discord/rest/refusal.ts";
import type { RestPorts } from "../../src/discord/rest/rest.ts";
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
  /** A page of messages, or when to ask for it again. */
  messages(page: Read): Promise<{ messages: GatewayMessage[]; isLast: boolean } | { retryAfterMs: number | null }>;
}

/** No `json`: Discord gave none, and the failure says why. */
interface Answer {
  json?: unknown;
  failure?: Pick<NotFound, "status" | "retryAfterMs">;
}

const NO_ANSWER = { status: null, retryAfterMs: null };

/** Makes the client. `fetch` must have a limit in time. */
export function createGatewayRest(ports: RestPorts): GatewayRest {
  const get = async (path: string): Promise<Answer> => {
    try {
      const response = await fetchAsBot(ports, "GET", path);
      const text = await response.text();
      if (response.ok) return { json: JSON.parse(text) };
      const { status, limit } = refusalFrom(response, text);
      return { failure: { status, retryAfterMs: limit?.retryAfterMs ?? null } };
    } catch (error) {
      ports.onLost?.("GET", error);
      return { failure: NO_ANSWER };
    }
  };
  return {
    async lookUp(generation) {
      const [bot, application] = await Promise.all([get("/gateway/bot"), get("/applications/@me")]);
      // Discord always has the second answer. Where a program in its place has none, nobody has the switch.
      const failure = bot.failure ?? (application.failure?.status === 404 ? undefined : application.failure);
      const found = readGatewayBot(bot.json);
      if (failure || !found) return { kind: "not_found", generation, ...(failure ?? NO_ANSWER) };
      return { kind: "found", generation, ...found, readsContent: readContentSwitch(application.json) };
    },
    ownRole: async (guildId, userId) => readOwnRole((await get(`/guilds/${guildId}/roles`)).json, userId),
    async messages({ channelId, place, after, limit }) {
      const { json, failure = NO_ANSWER } = await get(`/channels/${channelId}/messages?after=${after}&limit=${limit}`);
      const isClosed = failure.status === 403 || failure.status === 404;
      return readMessages(json, place, limit) ?? { retryAfterMs: isClosed ? null : (failure.retryAfterMs ?? 0) };
    },
  };
}
