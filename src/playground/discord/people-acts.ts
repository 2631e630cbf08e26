// What people do without the application: they write, reply, forward, edit, delete, react and type. Says why Discord's client would not let
// them.
import type { PickedFile } from "./acts.ts";
import { ANSWERABLE, MESSAGE_TYPES } from "./message-types.ts";
import { createMessage, deleteMessage, editMessage, pickedFile } from "./messages.ts";
import { canSee, computePermissions, MANAGE_MESSAGES, MENTION_EVERYONE } from "./permissions.ts";
import { addReaction, removeReaction } from "./reactions.ts";
import { FLAGS } from "./rules.ts";
import type { Channel } from "./servers.ts";
import { typeIn } from "./typing.ts";
import { findChannel, findPerson, type Message, type World } from "./world.ts";

/** An ordinary message. Mentions are in the text as Discord writes them: `<@id>`, `<@&role>`, `@everyone`. */
export interface Words {
  as: string;
  channel: string;
  content: string;
  file?: PickedFile;
  /** Makes the file a voice message of this length in seconds. The text must be empty. */
  voice?: number;
  /** The id of the message that it replies to, in the same channel. */
  replyTo?: string;
  /** Whether the reply notifies the person it answers; by default it does. */
  ping?: boolean;
  /** The id of the message that it forwards. The text must be empty. */
  forward?: string;
  nonce?: string;
}

/** Another thing that a person does with a message. */
export type Touch =
  | { kind: "edit"; as: string; messageId: string; content: string }
  | { kind: "delete"; as: string; messageId: string }
  | { kind: "react" | "unreact"; as: string; messageId: string; emoji: string };

/** The result of an act. */
export type Done = { ok: true; messageId: string } | { ok: false; error: string };

const MAX_CONTENT = 2000;

/** Writes an ordinary message. */
export function write(world: World, words: Words): Done {
  const channel = findChannel(world, words.channel);
  const person = findPerson(world, words.as, channel.serverId);
  if (!canSee(world, channel, person.id)) return { ok: false, error: "They don't see this channel." };
  const to = words.replyTo === undefined ? null : findHere(world, words, words.replyTo);
  const forwarded = words.forward === undefined ? null : (world.messages.get(words.forward) ?? null);
  const error = refusal(words, to, forwarded);
  if (error !== null) return { ok: false, error };
  const about = {
    channelId: channel.id,
    authorId: person.id,
    type: to ? MESSAGE_TYPES.reply : MESSAGE_TYPES.plain,
    ...(forwarded && { forwarded }),
    flags: (forwarded ? FLAGS.hasSnapshot : 0) | (words.voice === undefined ? 0 : FLAGS.voiceMessage),
  };
  const payload = {
    content: words.content,
    allowed_mentions: { parse: mayMention(world, channel, person.id), replied_user: words.ping ?? true },
    ...(to && { message_reference: { message_id: to.id } }),
    ...(words.nonce !== undefined && { nonce: words.nonce }),
  };
  const seconds = words.voice === undefined ? {} : { seconds: words.voice };
  const files = words.file ? [{ ...pickedFile(words.file), ...seconds }] : [];
  return { ok: true, messageId: createMessage(world, about, payload, files).id };
}

/** Edits or deletes the person's own message, or reacts to any message that they see. A moderator may delete everyone's. */
export function touch(world: World, act: Touch): Done {
  const message = world.messages.get(act.messageId);
  const channel = world.channels.get(message?.channelId ?? "");
  if (!message || !channel || (message.addressee ?? act.as) !== act.as)
    return { ok: false, error: "There is no such message." };
  const person = findPerson(world, act.as);
  const isTheirs = message.authorId === person.id;
  if (act.kind === "edit") {
    if (!isTheirs) return { ok: false, error: "Only its author can edit a message." };
    if (message.flags & FLAGS.voiceMessage) return { ok: false, error: "A voice message can't be edited." };
    if (act.content.length > MAX_CONTENT) return { ok: false, error: TOO_LONG };
    const allowed_mentions = { parse: mayMention(world, channel, person.id) };
    editMessage(world, message, { content: act.content, allowed_mentions }, []);
  }
  if (act.kind === "delete") {
    if (!isTheirs && !may(world, channel, person.id, MANAGE_MESSAGES))
      return { ok: false, error: "Only a moderator can delete this message." };
    deleteMessage(world, message.id);
  }
  if (act.kind === "react" && !addReaction(world, message, act.emoji, person.id))
    return { ok: false, error: "This message already has 20 different reactions." };
  if (act.kind === "unreact") removeReaction(world, message, act.emoji, person.id);
  return { ok: true, messageId: message.id };
}

/** Shows a person as typing, as the client does while they write. */
export function typeAs(world: World, { as, channel }: { as: string; channel: string }): void {
  typeIn(world, findChannel(world, channel).id, findPerson(world, as).id);
}

const may = (world: World, channel: Channel, personId: string, permission: bigint): boolean =>
  (computePermissions(world, channel, personId) & permission) !== 0n;

const mayMention = (world: World, channel: Channel, personId: string): string[] => [
  ...["users", "roles"],
  ...(may(world, channel, personId, MENTION_EVERYONE) ? ["everyone"] : []),
];

const TOO_LONG = `A message has at most ${MAX_CONTENT} characters.`;

const findHere = (world: World, { channel, as }: Words, id: string): Message | undefined => {
  const message = world.messages.get(id);
  return message?.channelId === channel && (message.addressee ?? as) === as ? message : undefined;
};

/** Returns why the client would not send the message; null if it would. */
function refusal(words: Words, to: Message | null | undefined, forwarded: Message | null): string | null {
  if (to === undefined) return "There is no such message to reply to.";
  if (to && !ANSWERABLE.has(to.type)) return "This message can't be replied to.";
  if (words.forward !== undefined && !forwarded) return "There is no such message to forward.";
  if (forwarded && (words.content !== "" || to || words.file))
    return "A forwarded message can't have text or files of its own.";
  if (words.voice !== undefined && (words.content !== "" || !words.file))
    return "A voice message must be one file without text.";
  if ([...words.content].length > MAX_CONTENT) return TOO_LONG;
  return words.content.trim() === "" && !words.file && !forwarded ? "The message is empty." : null;
}
