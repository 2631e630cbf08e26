// Keeps in memory, for one life of the object, what concerns the messages that it hears over the gateway: which are being read, in which
// order they came, and what Discord has said about the place.
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

/** How long Discord's facts about a place are used, and how long something that failed or was refused is not tried again. */
export const FACTS_LIFE_MS = 300_000;
const FAILURE_LIFE_MS = 5000;

/** What one life remembers about messages. */
export interface Hearing {
  /** The questions that are being read, by their message's id: a repeated one joins the first. */
  underWay: Map<string, Promise<AnswerTo | null>>;
  /** Settles when every question that has come so far is admitted or dropped. */
  inOrder: Promise<void>;
  facts: PlaceFacts;
  /** When to look for a thread's parent again, after it was not found. */
  parentRetryAt: number;
  /** When to read the channel's messages again, after they could not be read. */
  linesRetryAt: number;
  /** When to look for a personas' webhook again, after there was none. */
  voiceRetryAt: number;
  /** When to open a thread for a message again, after the bot was not allowed to. */
  threadsRetryAt: number;
  /** The channel for thoughts was closed to the bot: it is not looked up again until then. */
  thoughtsClosed: { channelId: string; until: number } | null;
}

/** Creates the hearing of a new life. */
export const beginHearing = (ports: ChannelPorts): Hearing => ({
  underWay: new Map(),
  inOrder: Promise.resolve(),
  facts: new PlaceFacts(ports),
  parentRetryAt: Number.NEGATIVE_INFINITY,
  linesRetryAt: Number.NEGATIVE_INFINITY,
  voiceRetryAt: Number.NEGATIVE_INFINITY,
  threadsRetryAt: Number.NEGATIVE_INFINITY,
  thoughtsClosed: null,
});

/** Reads channels, servers and members' roles with the bot's token, and remembers them for five minutes. Each method resolves with null if unknown. */
class PlaceFacts {
  readonly #ports: ChannelPorts;
  /** Results by path. Questions that come at the same time share a request. */
  readonly #kept = new Map<string, { value: Promise<unknown>; until: number }>();

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
    return this.#read(`/guilds/${guildId}/members/${userId}`, (json) => readMemberRoles(json, guildId), signal);
  }

  #read<Facts>(path: string, read: (json: unknown) => Facts | null, signal: AbortSignal): Promise<Facts | null> {
    const { clock, log } = this.#ports;
    const known = this.#kept.get(path);
    if (known && clock() < known.until) return known.value as Promise<Facts | null>;
    // Messages may name any number of channels that don't exist, so old entries are dropped.
    for (const [old, { until }] of this.#kept) if (until <= clock()) this.#kept.delete(old);
    const value = readAsBot(this.#ports, path, signal).then((json) => {
      const facts = read(json);
      if (facts === null) {
        log.error("a place could not be read", { path });
        kept.until = clock() + FAILURE_LIFE_MS;
      }
      return facts;
    });
    const kept = { value, until: clock() + FACTS_LIFE_MS };
    this.#kept.set(path, kept);
    return value;
  }
}

/**
 * Sends one GET with the bot's token. Resolves with null without an answer, and with undefined while a rate limit forbids asking. Rate limits are
 * counted separately from those of requests that post to the channel, and for single messages separately from lists of them. Never throws.
 */
export async function readAsBot(
  { discord, config }: ChannelPorts,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (config.discord.botToken === null || signal.aborted) return null;
  const answer = await botRequest(discord, path.replace(/\d+$|\?.*$/, ""), {
    method: "GET",
    kind: "sight",
    path,
    signal,
  });
  if (answer.ok) return answer.json;
  return answer.retryAfterMs === undefined ? null : undefined;
}
