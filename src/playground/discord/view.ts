// A channel as one person sees it: everything public, and the ephemeral messages for this person.
import { applicationOwners } from "./account-routes.ts";
import { shownName } from "./file-name.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { canSee, findRank, type Rank } from "./permissions.ts";
import { FLAGS } from "./rules.ts";
import { attachmentPath, BOT_NAME } from "./wire.ts";
import { type Attachment, findPerson, type Message, type Origin, type Reaction, type World } from "./world.ts";

/** A message on a person's screen. Times are milliseconds. */
export interface LocalMessage {
  id: string;
  channelId: string;
  author: { id: string; name: string; bot: boolean; avatarUrl?: string };
  content: string;
  ephemeral: boolean;
  /** "Parley is thinking…" */
  loading: boolean;
  /** Discord's raw components. */
  components: unknown[];
  embeds: unknown[];
  attachments: { filename: string; size: number; url: string; text?: string }[];
  /** The command, button or form that it answers. */
  interaction?: Origin;
  /** What its author sent along to recognize it. */
  nonce?: string;
  createdAt: number;
  editedAt: number | null;
  /** How often it was edited, including the edit that fills a "thinking" message. */
  edits: number;
  /** The message that it replies to; null once that is deleted. */
  repliesTo?: { id: string; author: string; content: string; pings: boolean } | null;
  /** It mentions its viewer. */
  mentionsYou?: true;
  /** The text of the message that it forwards. */
  forwarded?: string;
  /** The client's own sentence about an interaction without an answer. */
  failed?: string;
  /** Discord's own line about the channel, instead of an author's words. */
  deed?: string;
  poll?: { question: string; answers: string[]; expiresAt: number; mayChooseSeveral: boolean };
  /** `mine`: its viewer gave this reaction. */
  reactions?: { emoji: string; count: number; mine?: true }[];
  pinned?: true;
  /** The thread that starts here. */
  thread?: { id: string; name: string };
  /** The people whom Discord would have notified; always empty for Parley's messages. */
  pings: string[];
}

/** A person as the page shows them. */
export interface LocalPerson {
  id: string;
  name: string;
  /** They or their team own the application. */
  owner: boolean;
  /** They installed the application for themselves. */
  installed: boolean;
  /** Their rank in each server that they are a member of, by server id. */
  ranks: Record<string, Rank>;
}

/** Lists everyone, in the order in which they came. */
export function viewPeople(world: World): LocalPerson[] {
  return [...world.people.values()].map(({ id, name, installed }) => {
    const ranks = [...world.servers.values()].flatMap((server): [string, Rank][] => {
      const rank = findRank(server, id);
      return rank ? [[server.id, rank]] : [];
    });
    return { id, name, installed, owner: applicationOwners(world).includes(id), ranks: Object.fromEntries(ranks) };
  });
}

/** Lists the messages of a channel that `personId` can see, oldest first. */
export function messagesFor(world: World, channelId: string, personId: string): LocalMessage[] {
  const channel = world.channels.get(channelId);
  // A test may look from outside with an id that belongs to nobody.
  const isSomebody = world.people.has(personId);
  if (isSomebody && channel && !canSee(world, channel, personId)) return [];
  return [...world.messages.values()]
    .filter((message) => message.channelId === channelId && (message.addressee ?? personId) === personId)
    .map((message) => localMessage(world, message, personId));
}

/** Finds the newest message of somebody else in each channel, by the channel's id. Ephemeral messages don't count: their person is there. */
export function newestOfOthers(world: World, personId: string): Map<string, string> {
  const shared = [...world.messages.values()].filter(
    ({ authorId, addressee }) => addressee === null && authorId !== personId,
  );
  return new Map(shared.map(({ id, channelId }) => [channelId, id]));
}

function localMessage(world: World, message: Message, personId: string): LocalMessage {
  const { users, everyone } = message.mentions;
  return {
    id: message.id,
    channelId: message.channelId,
    author: showAuthor(world, message),
    content: message.content,
    ephemeral: message.addressee !== null,
    loading: Boolean(message.flags & FLAGS.loading),
    components: message.components,
    embeds: message.embeds,
    attachments: message.attachments.map((file) => localFile(world, message, file)),
    ...(message.origin && { interaction: message.origin }),
    ...(message.nonce !== null && { nonce: String(message.nonce) }),
    createdAt: message.createdAt,
    editedAt: message.editedAt,
    edits: message.edits,
    ...showReference(world, message),
    ...((everyone || users.includes(personId)) && { mentionsYou: true as const }),
    ...(message.failed !== null && { failed: message.failed }),
    ...showTokens(world, message, personId),
    pings: message.pings,
  };
}

function showReference(world: World, { type, repliesTo, forwarded, mentions }: Message): Partial<LocalMessage> {
  if (forwarded) return { forwarded: forwarded.content };
  if (repliesTo === null || type !== MESSAGE_TYPES.reply) return {};
  const to = world.messages.get(repliesTo);
  if (!to) return { repliesTo: null };
  const author = showAuthor(world, to).name;
  return { repliesTo: { id: to.id, author, content: to.content, pings: mentions.replied !== null } };
}

/** Shows what was added to a message: poll, reactions, pin, thread. */
function showTokens(world: World, message: Message, personId: string): Partial<LocalMessage> {
  const { poll, reactions, pinned, type } = message;
  const started = [...world.channels.values()].find(({ id, type: kind }) => kind === 11 && id === message.id);
  return {
    ...(type === MESSAGE_TYPES.pinned && { deed: "pinned a message to this channel." }),
    ...(type === MESSAGE_TYPES.threadLine && { deed: "started a thread:" }),
    ...(poll && { poll }),
    ...(reactions.length > 0 && { reactions: reactions.map((one) => showReaction(one, personId)) }),
    ...(pinned && { pinned }),
    ...(started && { thread: { id: started.id, name: started.name } }),
  };
}

const showReaction = ({ emoji, by }: Reaction, personId: string) => ({
  emoji,
  count: by.length,
  ...(by.includes(personId) && { mine: true as const }),
});

function showAuthor(world: World, { authorId, webhook }: Message): LocalMessage["author"] {
  if (webhook) {
    const { name, avatarUrl } = webhook;
    // Two personas of one webhook appear as two people.
    return { id: `${authorId}/${name}`, name, bot: true, ...(avatarUrl !== null && { avatarUrl }) };
  }
  const bot = authorId === world.applicationId;
  return { id: authorId, name: bot ? BOT_NAME : findPerson(world, authorId).name, bot };
}

function localFile(world: World, message: Message, file: Attachment): LocalMessage["attachments"][number] {
  const isText = /^text\/|json/.test(file.contentType);
  return {
    filename: shownName(file),
    size: file.bytes.length,
    url: `${world.cdnUrl}${attachmentPath(file, message.addressee !== null)}`,
    ...(isText && { text: new TextDecoder().decode(file.bytes) }),
  };
}
