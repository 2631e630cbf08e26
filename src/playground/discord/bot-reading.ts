// Which messages show their content to a bot without the Message Content intent (docs: events/gateway, "Message Content Intent").
import type { Message, World } from "./world.ts";

/** True for its own messages, direct ones, and those that mention it; a reply with the ping on mentions whom it answers. */
export function readsContent(world: World, { authorId, channelId, webhook, mentions }: Message): boolean {
  const { applicationId, options } = world;
  const { type, serverId = "" } = world.channels.get(channelId) ?? {};
  // Every webhook here is the application's.
  if (authorId === applicationId || webhook !== null || type === 1) return true;
  if (mentions.users.includes(applicationId)) return true;
  const own = world.servers.get(serverId)?.members.get(applicationId) ?? [];
  return options.roleMentionShowsContent && own.some((role) => mentions.roles.includes(role));
}
