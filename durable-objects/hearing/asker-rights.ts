// Reads what the asker of a message may do in its channel. An interaction brings that along; for a message it is computed from the server's
// roles and the channel's overwrites. What is not known grants nothing.
import { computePermissions } from "../../src/core/state/channel-permissions.ts";
import { isModerator, permissionsIn, WITHOUT_THREADS } from "../../src/discord/interactions/permissions.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import type { Channel } from "../live-channel.ts";

/** The rights, as a turn's request has them, and whether only adults can read the channel; unknown counts as no. */
export interface AskerRights {
  moderator: boolean;
  permissions: readonly string[];
  ageRestricted: boolean;
}

/** Adds the author's roles to the message. Discord names them in an event, but not in a message that is read after a gap. Never throws. */
export async function withRoles(
  { hearing: { facts } }: Channel,
  message: GatewayMessage,
  signal: AbortSignal,
): Promise<GatewayMessage> {
  const { author, place } = message;
  if (author.roles || !("guildId" in place)) return message;
  return { ...message, author: { ...author, roles: await facts.roles(place.guildId, author.id, signal) } };
}

/** Who asks, and where. */
type Asker = Pick<GatewayMessage, "place" | "channelId"> & { author: Pick<GatewayMessage["author"], "id" | "roles"> };

/** In a direct message with the bot the person has every right, as with a command. */
export const IN_PRIVATE: AskerRights = { moderator: true, permissions: WITHOUT_THREADS, ageRestricted: false };

/**
 * Reads the rights. `parentId`: the channel of a thread, because a thread has no permissions of its own; null if it is not known. `isHidden`:
 * it is known that the asker can't see the channel. Never throws.
 */
export async function readAskerRights(
  { hearing: { facts } }: Channel,
  { place, author, channelId }: Asker,
  parentId: string | null,
  signal: AbortSignal,
): Promise<{ rights: AskerRights; isHidden: boolean }> {
  if (!("guildId" in place)) return { rights: IN_PRIVATE, isHidden: false };
  const { guildId } = place;
  const holder = place.kind === "thread" ? parentId : channelId;
  const [guild, channel] = await Promise.all([
    facts.guild(guildId, signal),
    holder === null ? null : facts.channel(holder, signal),
  ]);
  const { roles, id: userId } = author;
  const overwrites = channel?.overwrites ?? null;
  const bits = computePermissions({ guildId, userId, roles, guild, overwrites });
  const rights = {
    moderator: isModerator(String(bits)),
    permissions: permissionsIn(String(bits), place.kind === "thread"),
    ageRestricted: channel?.isAgeRestricted ?? false,
  };
  return { rights, isHidden: bits === 0n && guild !== null && roles !== null && overwrites !== null };
}
