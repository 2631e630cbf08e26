// Reads what was said in the channel since the last question, and how a thread began, while the turn begins. If that fails, the turn runs
// without it.
import type { ChannelStore } from "../../src/channel/store.ts";
import { leftOutBy } from "../../src/core/access/scope-copy.ts";
import { MAX_TRANSCRIPT_ROWS, OVERHEARD_LIMIT_MS } from "../../src/core/limits.ts";
import { transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { createFence } from "../../src/core/taint/untrusted-text.ts";
import {
  type OverheardRules,
  overheardText,
  sinceLastAnswer,
  type ThreadStart,
} from "../../src/core/transcript/overheard.ts";
import { readChannelLine, readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import { readAsBot } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

/** How long a channel is not read again after that failed. */
const FAILURE_LIFE_MS = 60_000;

/**
 * Reads the block of overheard messages for a turn's requests; empty if there is none. Takes 1.5 s at most and ends when the signal fires;
 * never rejects, and may run again.
 */
export async function readOverheard(channel: Channel, turn: TurnRecord, signal: AbortSignal): Promise<string> {
  const { ports, hearing } = channel;
  const most = effectiveSettings(ports).channel_context;
  if (most === 0 || !mayOverhear(channel, turn) || ports.clock() < hearing.linesRetryAt) return "";
  try {
    return await withinLimit(ports.timers, OVERHEARD_LIMIT_MS, signal, (inTime) =>
      readBlock(channel, turn, most, inTime),
    );
  } catch (error) {
    if (signal.aborted) return "";
    hearing.linesRetryAt = ports.clock() + FAILURE_LIFE_MS;
    ports.log.error("what was said in the channel could not be read", { turnId: turn.id, error: String(error) });
    return "";
  }
}

/** Whether the turn may read: the bot is a member, everyone sees the answer, and the asker may read the channel. Reminders read nothing. */
function mayOverhear({ ports }: Channel, { request }: TurnRecord): boolean {
  const { guildId, botIsHere, reminder, permissions = [] } = request;
  const isShared = transcriptOwner(request) === null && guildId !== null && reminder === undefined;
  return isShared && botIsHere === true && ports.config.discord.botToken !== null && permissions.includes(HISTORY);
}

const HISTORY = "READ_MESSAGE_HISTORY";

async function readBlock(channel: Channel, turn: TurnRecord, most: number, signal: AbortSignal): Promise<string> {
  const { store, random } = channel.ports;
  const { channelId } = turn.request;
  const earlier = store.messagesBefore(turn.id, MAX_TRANSCRIPT_ROWS, null);
  const path = `/channels/${channelId}/messages?limit=${most}&before=${askedAt(turn)}`;
  const [json, thread] = await Promise.all([
    readAsBot(channel.ports, path, signal),
    earlier.length === 0 ? readThreadStart(channel, turn, signal) : null,
  ]);
  if (json === undefined) return "";
  const lines = readChannelLines(json, channel.ports.config.discord);
  if (!lines) throw new Error("Discord returned no list of messages");
  const numbers = new Map(earlier.flatMap(({ speaker }) => (speaker ? [[speaker.id, speaker.number] as const] : [])));
  return overheardText({
    lines: sinceLastAnswer(lines, {
      isQuestion: (id) => store.turn(id) !== null,
      readUpTo: readingEnds(store, [...earlier.map(({ turnId }) => turnId), ...lines.map(({ id }) => id)]),
      isLeftOut: leftOutBy(store.scopeNote()),
    }),
    thread,
    fence: createFence(random),
    numbers,
  });
}

/** Returns the id before which a turn's overheard messages end: that of its question's message, or of the interaction that asked. */
const askedAt = ({ request: { messageId, scene, interactionId } }: TurnRecord): string =>
  messageId ?? scene?.id ?? interactionId;

/**
 * Returns a function that finds, for one of the bot's messages, the message up to which its turn had read the channel. Null if that turn is
 * not over, or is a reminder's, which reads nothing. For a message that belongs to none of these turns it is the message itself.
 */
function readingEnds(store: ChannelStore, turnIds: readonly string[]): OverheardRules["readUpTo"] {
  const open = unfinishedTurns(store.state());
  const known = [...new Set(turnIds)].flatMap((id) => store.turn(id) ?? []);
  const unfinished = new Set(open.map(({ id }) => id));
  const ends = new Map<string | null, string | null>();
  for (const turn of [...known, ...open]) {
    const hasRead = turn.startedAt !== null && !turn.request.reminder && !unfinished.has(turn.id);
    for (const { id } of turn.parts) ends.set(id, hasRead ? askedAt(turn) : null);
    if (turn.ping) ends.set(turn.ping.id, null);
  }
  return (id) => ends.get(id) ?? (ends.has(id) ? null : id);
}

/**
 * Reads a thread's title, and the message that it was opened on. That message has the thread's id; in a forum it is in the thread itself, and
 * may be the question. Null outside a thread, and if the message's author has opted out and is not the asker: the title is theirs, too, because
 * Discord names a thread after its message, and a post's author writes its title.
 */
async function readThreadStart(
  { ports, hearing }: Channel,
  { request: { channelId, parentChannelId, userId } }: TurnRecord,
  signal: AbortSignal,
): Promise<ThreadStart | null> {
  if (parentChannelId === undefined) return null;
  const read = (where: string) => readAsBot(ports, `/channels/${where}/messages/${channelId}`, signal);
  const [facts, json] = await Promise.all([hearing.facts.channel(channelId, signal), read(parentChannelId)]);
  const starter = readChannelLine(json ?? (await read(channelId)), ports.config.discord);
  const isLeftOut = starter && leftOutBy(ports.store.scopeNote())(starter.authorId);
  if (isLeftOut && starter.authorId !== userId) return null;
  const isShown = !isLeftOut && starter && !ports.store.turn(starter.id);
  return { title: facts?.name ?? "", starter: isShown ? starter : null };
}
