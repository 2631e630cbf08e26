// Which messages show their content to a bot without the Message Content intent (docs: events/gateway, "Message Content Intent").
import type { Message, World } from "./world.ts";

/** Whether the bot may read the content: of its own messages, direct messages, and those that mention it, as a reply to it with a ping does. */
export function readsContent(world: World, { authorId, channelId, webhook, mentions }: Message): boolean {
  const { applicationId, options } = world;
  const { type, serverId = "" } = world.channels.get(channelId) ?? {};
  // Every webhook here belongs to the application.
  if (authorId === applicationId || webhook !== null || type === 1) return true;
  if (mentions.users.includes(applicationId)) return true;
  const own = world.servers.get(serverId)?.members.get(applicationId) ?? [];
  return options.roleMentionShowsContent && own.some((role) => mentions.roles.includes(role));
}
