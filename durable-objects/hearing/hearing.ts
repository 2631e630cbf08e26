// What one life of the object keeps in memory about the messages that it hears over the gateway: which are under way, in which order they
// came, and what Discord has said about the place.
import type { AnswerTo } from "../../src/core/state/answer-to.ts";
import { botRequest } from "../../src/discord/rest/bot-request.ts";
import {
  type ChannelFacts,
  type GuildFacts,
  readChannelFacts,
  readGuildFacts,
  readMemberRoles,
} from "../../src/discord/rest/place-facts.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** How long Discord's words about a place are believed, and how long none are asked for after a failure. */
export const FACTS_LIFE_MS = 300_000;
const FAILURE_LIFE_MS = 60_000;

/** One life's hearing. */
export interface Hearing {
  /** The questions that are being read, by their message's id: a repeated one joins the first. */
  underWay: Map<string, Promise<AnswerTo | null>>;
  /** Settles when every question that came so far is admitted or dropped. */
  inOrder: Promise<void>;
  facts: PlaceFacts;
  /** A thread's parent that was not found is looked for again from then on. */
  parentRetryAt: number;
  /** The channel's messages are not read before, because they could not be read. */
  linesRetryAt: number;
}

/** Makes the hearing of a new life. */
export const beginHearing = (ports: ChannelPorts): Hearing => ({
  underWay: new Map(),
  inOrder: Promise.resolve(),
  facts: new PlaceFacts(ports),
  parentRetryAt: Number.NEGATIVE_INFINITY,
  linesRetryAt: Number.NEGATIVE_INFINITY,
});

/** Reads channels, servers and the roles of members with the bot's token, and remembers them for five minutes. Null: not known. */
export class PlaceFacts {
  readonly #ports: ChannelPorts;
  readonly #kept = new Map<string, { value: unknown; until: number }>();

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  channel(id: string, signal: AbortSignal): Promise<ChannelFacts | null> {
    return this.#read(`/channels/${id}`, readChannelFacts, signal);
  }

  guild(id: string, signal: AbortSignal): Promise<GuildFacts | null> {
    return this.#read(`/guilds/${id}`, readGuildFacts, signal);
  }

  roles(guildId: string, userId: string, signal: AbortSignal): Promise<readonly string[] | null> {
    return this.#read(`/guilds/${guildId}/members/${userId}`, readMemberRoles, signal);
  }

  async #read<Facts>(path: string, read: (json: unknown) => Facts | null, signal: AbortSignal): Promise<Facts | null> {
    const { clock, log } = this.#ports;
    const kept = this.#kept.get(path);
    if (kept && clock() < kept.until) return kept.value as Facts | null;
    const json = await readAsBot(this.#ports, path, signal);
    const value = json === null ? null : read(json);
    if (value === null) log.error("a place could not be read", { path });
    this.#kept.set(path, { value, until: clock() + (value === null ? FAILURE_LIFE_MS : FACTS_LIFE_MS) });
    return value;
  }
}

/**
 * One GET with the bot's token; null without an answer. Counted apart from what is sent to the channel, whose limits it does not share.
 * Never throws.
 */
export async function readAsBot(
  { discord, rateLimiter, clock, config }: ChannelPorts,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (config.discord.botToken === null || signal.aborted) return null;
  const bot = { ...discord, rateLimiter, clock };
  const answer = await botRequest(bot, path.replace(/\/\d+$|\?.*$/, ""), {
    method: "GET",
    kind: "sight",
    path,
    signal,
  });
  return answer.ok ? answer.json : null;
}
