// Reads what the gateway's object needs over Discord's REST API, with the bot's token: the gateway's address, the switch for the text of all
// messages, the bot's role in a server, and what was said in a channel during a gap.
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
  /** Reads the bot's role in a server; `roleId` is null if it has none. Resolves with null if Discord did not say. */
  ownRole(guildId: string, userId: string): Promise<{ roleId: string | null } | null>;
  /** Reads a page of messages, or returns when to ask for it again. */
  messages(page: Read): Promise<{ messages: GatewayMessage[]; isLast: boolean } | { retryAfterMs: number | null }>;
}

/** Discord's answer. Without `json`, the failure says why. */
interface Answer {
  json?: unknown;
  failure?: Pick<NotFound, "status" | "retryAfterMs">;
}

const NO_ANSWER = { status: null, retryAfterMs: null };

/** Creates the client. `fetch` must have a time limit. */
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
      // Discord always gives the second answer. A program in its place may answer 404: then nobody has the switch.
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
