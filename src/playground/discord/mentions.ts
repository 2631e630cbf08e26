// Finds whom a message mentions (docs: resources/message, "Allowed Mentions Object"): from its text, the message that it replies to, and what
// its sender allowed. Changes nothing.
import { MESSAGE_TYPES } from "./message-types.ts";
import type { NewMessage } from "./messages.ts";
import type { Payload } from "./rules.ts";
import type { Message, World } from "./world.ts";

/** The mentions of one message, each id once. */
export interface Mentions {
  users: string[];
  roles: string[];
  everyone: boolean;
  /** The author of the message that this one replies to with the ping on; null otherwise. */
  replied: string | null;
}

const USER_OR_ROLE = /<@(?:!?|(&))(\d+)>/g;
const EVERYONE = /@(everyone|here)\b/;

/** Finds the mentions of a message that is about to be made or changed. */
export function findMentions(
  world: World,
  about: Pick<NewMessage, "channelId" | "type">,
  { content, allowed_mentions: allowed, message_reference: reference }: Payload,
): Mentions {
  const text = content ?? "";
  const lets = (kind: "users" | "roles", id: string): boolean =>
    !allowed || Boolean(allowed.parse?.includes(kind)) || Boolean(allowed[kind]?.includes(id));
  const users = new Set<string>();
  const roles = new Set<string>();
  for (const [, role, id = ""] of text.matchAll(USER_OR_ROLE)) {
    if (role && isRole(world, about.channelId, id) && lets("roles", id)) roles.add(id);
    if (!role && isUser(world, id) && lets("users", id)) users.add(id);
  }
  const pings = !allowed || allowed.replied_user === true;
  const replied = pings && about.type === MESSAGE_TYPES.reply ? authorOf(world, reference?.message_id) : null;
  if (replied !== null) users.add(replied);
  const everyone = EVERYONE.test(text) && (!allowed || Boolean(allowed.parse?.includes("everyone")));
  return { users: [...users], roles: [...roles], everyone, replied };
}

/** Finds the mentions of a changed message. A reply still mentions whom it replies to. */
export function mentionsAfterEdit(world: World, message: Message, payload: Payload): Mentions {
  const { replied } = message.mentions;
  const found = findMentions(world, message, payload);
  const users = replied === null ? found.users : [...new Set([...found.users, replied])];
  return { ...found, users, replied };
}

const isUser = ({ people, applicationId }: World, id: string): boolean => people.has(id) || id === applicationId;

/** Whether this is a role that can be mentioned by its id. A direct message has no roles, and @everyone is mentioned by its name. */
function isRole({ channels, servers }: World, channelId: string, id: string): boolean {
  const server = servers.get(channels.get(channelId)?.serverId ?? "");
  return server !== undefined && id !== server.id && server.roles.some((role) => role.id === id);
}

/** Finds whom a reply pings. The author of an interaction's answer can't be pinged (discord/discord-api-docs#5395), nor can a webhook. */
function authorOf(world: World, messageId = ""): string | null {
  const to = world.messages.get(messageId);
  return to && to.webhook === null && to.interactionId === null ? to.authorId : null;
}
