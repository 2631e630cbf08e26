// What one life of the object keeps in memory about the messages that it hears over the gateway: which of them are being read, in which
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

/** How long Discord's words about a place are believed, and how long none are asked for after a failure, which grants nothing. */
export const FACTS_LIFE_MS = 300_000;
const FAILURE_LIFE_MS = 5000;

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
  /** No webhook for personas is looked for before, because there was none to be had. */
  voiceRetryAt: number;
  /** No thread is opened for a message before, because the bot may not open any here. */
  threadsRetryAt: number;
  /** The channel for thoughts was closed to the bot, and is not asked for before. */
  thoughtsClosed: { channelId: string; until: number } | null;
}

/** Makes the hearing of a new life. */
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

/** Reads channels, servers and the roles of members with the bot's token, and remembers them for five minutes. Null: not known. */
class PlaceFacts {
  readonly #ports: ChannelPorts;
  /** Questions that come at once share a request. */
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
    // A message may name any number of channels that don't exist.
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
 * One GET with the bot's token; null without an answer, undefined where a limit forbids to ask for a moment. Counted apart from what is sent to
 * the channel, whose limits it does not share, and single messages apart from lists of them. Never throws.
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
