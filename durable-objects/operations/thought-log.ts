// Posts what a turn thought into the channel that was chosen for it: by the bot, without a ping, never from a direct message or a
// private channel, and never into the channel that the turn was in. What can't be posted is logged and nothing else: nobody waits for it.
import { say } from "../../src/core/copy/notices.ts";
import { thoughtPages } from "../../src/core/copy/thought-log.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { GenerationTurnResult } from "../../src/turn/build-result.ts";
import type { Channel } from "../live-channel.ts";
import { postSilently } from "../replies/side-messages.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

/** Posts a turn's thoughts, if there are any and somebody wants them, detached. */
export function postThoughts(channel: Channel, turn: TurnRecord, result: GenerationTurnResult): void {
  const { ports } = channel;
  const { thought_log_channel: channelId, private: isPrivate } = effectiveSettings(ports);
  const { guildId, channelId: here } = turn.request;
  if (channelId === null || channelId === here || isPrivate || guildId === null) return;
  if (ports.config.discord.botToken === null) return;
  const { thoughtLog = "", hiddenNotices, ending } = result;
  const pages = thoughtPages({ source: describeSource(turn), reasoning: thoughtLog, tools: hiddenNotices, ending });
  const posts = pages.map((description) => ({ title: say.thoughtLogTitle, description }));
  if (posts.length > 0) ports.keepAlive(postSilently(ports, { channelId }, turn.id, posts));
}

function describeSource({ request: { guildId, channelId, userId }, parts }: TurnRecord): string {
  const id = parts[0]?.id;
  const source = id ? `https://discord.com/channels/${guildId}/${channelId}/${id}` : `<#${channelId}>`;
  return `${source} · <@${userId}>`;
}
