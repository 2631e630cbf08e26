// The shapes in which the page receives the local world. Needs no browser.

/** A server. */
export type Server = { id: string; name: string };
/**
 * A channel, with Discord's `type`. Outside a server it is a direct message (1) or a group of people (3). `newest`: the id of the newest
 * message there from somebody else.
 */
export type Channel = {
  id: string;
  name: string;
  type: number;
  serverId?: string;
  parentId?: string;
  newest?: string | undefined;
};
/**
 * A person who can speak here. `owner`: they own the bot. `installed`: they installed it for themselves. `ranks`: their rank in each server
 * that they are a member of.
 */
export type Person = {
  id: string;
  name: string;
  owner: boolean;
  installed: boolean;
  ranks: Record<string, "owner" | "moderator" | "member">;
};

/** A button as Discord describes it: styles 1 primary, 2 secondary, 3 success, 4 danger, 5 link (with `url`). */
export type Button = {
  type: number;
  style?: number;
  label?: string;
  emoji?: { name?: string };
  custom_id?: string;
  url?: string;
  disabled?: boolean;
};
/** A row of buttons below a message. */
export type ActionRow = { type: number; components?: Button[] };

/**
 * One message as the local Discord shows it to this person. `loading`: a deferred response without text yet. `failed`: the client's own
 * sentence about an interaction without an answer.
 */
export type LocalMessage = {
  id: string;
  channelId: string;
  author: { id: string; name: string; bot: boolean; avatarUrl?: string };
  content: string;
  ephemeral: boolean;
  loading: boolean;
  components: ActionRow[];
  embeds?: { title?: string; description?: string; url?: string }[];
  attachments: { filename: string; size: number; url?: string; text?: string }[];
  interaction?: { userId: string; name: string; command: string; text: string };
  createdAt: number | string;
  editedAt?: number | string | null;
  failed?: string;
  /** Discord's own line about what the author did, instead of words. */
  deed?: string;
  poll?: { question: string; answers: string[]; expiresAt: number; mayChooseSeveral: boolean };
  reactions?: { emoji: string; count: number; mine?: boolean }[];
  pinned?: true;
  thread?: { id: string; name: string };
  /** The message that it replies to; null once that is deleted. `pings`: the reply notifies its author. */
  repliesTo?: { id: string; author: string; content: string; pings: boolean } | null;
  /** The text of the message that it forwards. */
  forwarded?: string;
  mentionsYou?: boolean;
};

/** The bot. `listens`: it is connected to the Gateway, and so receives messages. */
export type Bot = { id: string; name: string; listens: boolean };
/** An event of `/local/events`. `typing` are ids. */
export type Seen = { bot: Bot; channels: Channel[]; messages: LocalMessage[]; typing: string[] };
/** The answer of `/local/state`. */
export type WorldState = Seen & { servers: Server[]; people: Person[] };
