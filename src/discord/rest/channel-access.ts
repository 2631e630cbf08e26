// Checks whether a person can see a channel of a server, with the bot's own token. An id in a setting is only a text, so the interaction says
// nothing about it.
import { computePermissions } from "../../core/state/channel-permissions.ts";
import { type BotPorts, botRequest } from "./bot-request.ts";
import { type ChannelFacts, readChannelFacts, readGuildFacts, readMemberRoles } from "./place-facts.ts";

/**
 * `elsewhere`: not a channel of that server, or one in which nobody can write. `closed`: the bot itself can't see it. `unchecked`: Discord did
 * not say, or not in time.
 */
export type ChannelSight = "visible" | "hidden" | "elsewhere" | "closed" | "unchecked";

/** Which person and which channel. Without a person, only the server is checked. */
export interface SightQuestion {
  channelId: string;
  guildId: string;
  userId: string | null;
}

/** Asks Discord about one channel. Reads only, so it may run twice. Never throws. */
export type SeeChannel = (question: SightQuestion, signal: AbortSignal) => Promise<ChannelSight>;

const VIEW_CHANNEL = 1n << 10n;
const MANAGE_THREADS = 1n << 34n;
const PRIVATE_THREAD = 12;
/** Categories, directories, forums and media channels contain no messages themselves. */
const WITHOUT_MESSAGES = [4, 14, 15, 16];

/** Creates the function that asks. */
export function createSeeChannel(ports: BotPorts): SeeChannel {
  return async ({ channelId, guildId, userId }, signal) => {
    const ask = (path: string) => botRequest(ports, channelId, { method: "GET", kind: "sight", path, signal });
    const get = async (path: string): Promise<unknown> => {
      const answer = await ask(path);
      return answer.ok ? answer.json : null;
    };
    const [found, guild, roles] = await Promise.all([
      ask(`/channels/${channelId}`),
      userId === null ? null : get(`/guilds/${guildId}`).then(readGuildFacts),
      userId === null
        ? null
        : get(`/guilds/${guildId}/members/${userId}`).then((json) => readMemberRoles(json, guildId)),
    ]);
    if (!found.ok) return found.retryable || signal.aborted ? "unchecked" : "closed";
    const channel = readChannelFacts(found.json);
    if (!channel) return "unchecked";
    if (channel.guildId !== guildId || WITHOUT_MESSAGES.includes(channel.type)) return "elsewhere";
    if (userId === null) return "visible";
    if (!guild || !roles) return "unchecked";
    const place = channel.isThread ? await readParent(channel, get) : channel;
    if (!place) return "unchecked";
    const held = computePermissions({
      guildId,
      userId,
      roles,
      guild,
      overwrites: place.overwrites,
    });
    const isVisible = (held & VIEW_CHANNEL) !== 0n;
    // Finding out whether a person is in a private thread would take another request. Those who manage threads see all of them.
    const isOpen = channel.type !== PRIVATE_THREAD || (held & MANAGE_THREADS) !== 0n;
    return isVisible && isOpen ? "visible" : "hidden";
  };
}

/** Reads a thread's parent, whose permissions the thread has. */
async function readParent(
  { parentId }: ChannelFacts,
  get: (path: string) => Promise<unknown>,
): Promise<ChannelFacts | null> {
  return parentId === null ? null : readChannelFacts(await get(`/channels/${parentId}`));
}
