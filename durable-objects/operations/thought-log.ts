// Posts a turn's thoughts into the channel chosen for them, as the bot and without a ping. Thoughts from direct messages, private channels
// and private turns are never posted, and no thoughts go into their own turn's channel. A failure is only logged: no one is waiting for them.
import { settingRules } from "../../src/channel/settings.ts";
import { THOUGHT_LOG, thoughtPages } from "../../src/core/copy/thought-log.ts";
import { SEND_WINDOW_MS } from "../../src/core/limits.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { buildMessageLink } from "../../src/discord/message-link.ts";
import type { ChannelEndpoint, MessageBody } from "../../src/discord/rest/rest.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { GenerationTurnResult, ThoughtLogOwner } from "../../src/turn/build-result.ts";
import { FACTS_LIFE_MS } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";
import { readReplyLinks } from "../replies/reply-links.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { findThoughtLog } from "../settings/thought-log-channel.ts";

/** How often to try to look the channel up. So many short answers may end at once, and each look-up takes most of a window's requests. */
const TRIES = 12;
const READING_LIMIT_MS = 5000;

/** Posts a turn's thoughts, if there are any and there is a channel for them. At most once. */
export async function postThoughts(channel: Channel, turn: TurnRecord, result: GenerationTurnResult): Promise<void> {
  const { ports } = channel;
  const { guildId } = turn.request;
  const { thought_log_channel: wanted, private: isPrivate } = effectiveSettings(ports);
  if (wanted === null || wanted === turn.request.channelId) return;
  if (isPrivate || guildId === null || transcriptOwner(turn.request) !== null) return;
  if (ports.config.discord.botToken === null) return;
  const { thoughtLog = "", thoughtLogOwner = { type: "default" }, hiddenNotices, ending } = result;
  const pages = thoughtPages({
    source: describeSource(turn, thoughtLogOwner),
    reasoning: thoughtLog,
    tools: hiddenNotices,
    ending,
  });
  const { shown } = readReplyLinks(ports, turn.id);
  const posts = pages.map((page) => ({ title: THOUGHT_LOG, description: shown(page) }));
  if (posts.length === 0 || (await mayBePrivate(channel, turn))) return;
  const { thoughtsClosed } = channel.hearing;
  if (thoughtsClosed?.channelId === wanted && ports.clock() < thoughtsClosed.until) return;
  const found = await findPatiently(ports, guildId);
  if (found === "closed") channel.hearing.thoughtsClosed = { channelId: wanted, until: ports.clock() + FACTS_LIFE_MS };
  if (isForgotten(ports.store.turn(turn.id))) return;
  if (found !== null && typeof found === "object") await postPages(ports, found, turn.id, posts);
  else
    ports.log.warn("the thought log was not posted", { turnId: turn.id, text: `its channel is ${found ?? "not set"}` });
}

/** Posts them as the bot, in order and each at most once. Stops at the first failure and logs it. */
async function postPages(
  { rest, log }: Channel["ports"],
  endpoint: ChannelEndpoint,
  turnId: string,
  pages: NonNullable<MessageBody["embed"]>[],
): Promise<void> {
  for (const [index, embed] of pages.entries()) {
    const result = await rest.create(endpoint, { embed, silent: true }, `${turnId}-t${index}`);
    if (!result.ok) return log.warn("the thought log was not posted", { turnId, text: result.text });
  }
}

/**
 * Whether the turn may be in a thread of a private channel. For a question by message, the settings of the thread's parent may not have been
 * read. If they can't be read now either, the answer is yes.
 */
async function mayBePrivate(
  { ports, hearing }: Channel,
  { request: { channelId, messageId, parentChannelId } }: TurnRecord,
): Promise<boolean> {
  if (messageId === undefined || Object.keys(ports.store.parentSettings()).length > 0) return false;
  const read = async (signal: AbortSignal): Promise<boolean> => {
    const facts = parentChannelId === undefined ? await hearing.facts.channel(channelId, signal) : null;
    if (facts?.isThread === false) return false;
    const parent = parentChannelId ?? facts?.parentId;
    return !parent || settingRules.private.read((await ports.settingsOf(parent)).private ?? "", []) === true;
  };
  return withinLimit(ports.timers, READING_LIMIT_MS, null, read).catch(() => true);
}

/** Whether the turn, its person or its words were forgotten meanwhile. If so, its thoughts are not posted. */
const isForgotten = (turn: TurnRecord | null): boolean =>
  turn === null || turn.checkpoint.kind !== "send" || turn.forgotten === true || turn.removal !== undefined;

/** Looks for the channel, several times if necessary: after short answers our own rate limiter may forbid the look-up for a moment. */
async function findPatiently(ports: Channel["ports"], guildId: string): ReturnType<typeof findThoughtLog> {
  for (let tries = 1; ; tries++) {
    const found = await findThoughtLog(ports, guildId);
    if (found !== "unchecked" || tries === TRIES) return found;
    await ports.timers.wait(SEND_WINDOW_MS);
  }
}

function describeSource(
  { request: { guildId, channelId, userId }, parts }: TurnRecord,
  owner: ThoughtLogOwner,
): string {
  const id = parts[0]?.id;
  const source = id ? buildMessageLink(guildId, channelId, id) : `<#${channelId}>`;
  return [source, `<@${userId}>`, ...(owner.type === "persona" ? [`**${owner.personaId}**`] : [])].join(" · ");
}
