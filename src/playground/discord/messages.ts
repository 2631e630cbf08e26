// Makes, changes and deletes messages that the rules have allowed: fields, files, flags, and who would be notified. Refuses nothing.
import type { PickedFile } from "./acts.ts";
import { storedName } from "./file-name.ts";
import { findMentions, mentionsAfterEdit } from "./mentions.ts";
import { buildPoll } from "./poll.ts";
import { FLAGS, type Payload } from "./rules.ts";
import type { Attachment, Message, Origin, Upload, World } from "./world.ts";

/** What a new message needs besides its payload. */
export interface NewMessage {
  channelId: string;
  authorId: string;
  type: number;
  addressee?: string | null;
  webhook?: Message["webhook"];
  interactionId?: string | null;
  origin?: Origin | null;
  /** Flags on top of the payload's own. */
  flags?: number;
  failed?: string;
  /** The message that it forwards. */
  forwarded?: Message | null;
}

/** Adds a message to the world. */
export function createMessage(world: World, about: NewMessage, payload: Payload, files: readonly Upload[]): Message {
  const message: Message = {
    id: world.snowflake(),
    channelId: about.channelId,
    authorId: about.authorId,
    type: about.type,
    content: payload.content ?? "",
    embeds: payload.embeds ?? [],
    components: payload.components ?? [],
    attachments: [],
    poll: payload.poll ? buildPoll(payload.poll, world.now()) : null,
    reactions: [],
    pinned: false,
    flags: (payload.flags ?? 0) | (about.flags ?? 0),
    createdAt: world.now(),
    editedAt: null,
    edits: 0,
    addressee: about.addressee ?? null,
    webhook: about.webhook ?? null,
    interactionId: about.interactionId ?? null,
    origin: about.origin ?? null,
    nonce: payload.nonce ?? null,
    repliesTo: about.forwarded ? null : (payload.message_reference?.message_id ?? null),
    forwarded: about.forwarded ?? null,
    mentions: findMentions(world, about, payload),
    failed: about.failed ?? null,
    pings: about.webhook || about.authorId === world.applicationId ? findPings(payload) : [],
  };
  message.attachments = storeFiles(world, message.channelId, payload, files);
  world.messages.set(message.id, message);
  world.typing.get(message.channelId)?.delete(message.authorId);
  world.happened({ kind: "message-created", message });
  return message;
}

/** Changes a message in place. Absent fields stay. The edit that fills a "thinking" message leaves no "edited" mark. */
export function editMessage(world: World, message: Message, payload: Payload, files: readonly Upload[]): Message {
  const { content, embeds, components, flags } = payload;
  if (content !== undefined) message.content = content ?? "";
  if (embeds !== undefined) message.embeds = embeds ?? [];
  if (components !== undefined) message.components = components ?? [];
  const settable = FLAGS.suppressEmbeds | FLAGS.componentsV2;
  if (flags != null) message.flags = (message.flags & ~settable) | (flags & settable);
  message.attachments = [...keepAttachments(message, payload), ...storeFiles(world, message.channelId, payload, files)];
  message.pings.push(...findPings(payload));
  if (content !== undefined) message.mentions = mentionsAfterEdit(world, message, payload);
  message.edits += 1;
  if (message.flags & FLAGS.loading) message.flags &= ~FLAGS.loading;
  else message.editedAt = world.now();
  world.happened({ kind: "message-edited", message });
  return message;
}

/** Removes a message. Later requests do not find it. */
export function deleteMessage(world: World, id: string): boolean {
  const message = world.messages.get(id);
  if (!message) return false;
  world.messages.delete(id);
  world.happened({ kind: "message-deleted", message });
  return true;
}

/** An edit that lists attachments keeps only those in the list (docs: resources/message, "Editing Message Attachments"). */
function keepAttachments(message: Message, { attachments }: Payload): Attachment[] {
  if (attachments === undefined) return message.attachments;
  const listed = new Set((attachments ?? []).map(({ id }) => id));
  return message.attachments.filter(({ id }) => listed.has(id));
}

function storeFiles(world: World, channelId: string, payload: Payload, files: readonly Upload[]): Attachment[] {
  return files.map((file) => {
    const named = payload.attachments?.find(({ id }) => id === `${file.index}`);
    const filename = named?.filename ?? file.filename;
    return storeAttachment(world, channelId, { ...file, filename }, named?.description ?? null);
  });
}

/** Turns a text into a file that can be stored. */
function textFile(filename: string, text: string, contentType = "text/plain"): Upload {
  return { filename, contentType, bytes: Uint8Array.from(new TextEncoder().encode(text)) };
}

/** Turns a file that a person picks into one that can be stored. */
export function pickedFile({ filename, contentType, text = "", bytes, base64 }: PickedFile): Upload {
  const file = textFile(filename, text, contentType);
  const given = base64 === undefined ? bytes : Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  return given ? { ...file, bytes: given } : file;
}

/** Stores a file and gives it an id and, through wire.ts, a URL. */
export function storeAttachment(
  world: World,
  channelId: string,
  file: Upload,
  description: string | null = null,
): Attachment {
  const id = world.snowflake();
  const attachment = { ...file, ...storedName(file.filename, id), id, channelId, description };
  world.attachments.set(attachment.id, attachment);
  return attachment;
}

/** Finds the people whom Discord would notify: the content's mentions that `allowed_mentions` permits (all if it is absent). */
function findPings({ content, allowed_mentions: allowed }: Payload): string[] {
  const text = content ?? "";
  const lets = (kind: "users" | "roles" | "everyone", id?: string): boolean =>
    !allowed ||
    allowed.parse?.includes(kind) ||
    (id !== undefined && kind !== "everyone" && !!allowed[kind]?.includes(id));
  const found: string[] = [];
  for (const [, role, id = ""] of text.matchAll(/<@(?:!?|(&))(\d+)>/g))
    if (lets(role ? "roles" : "users", id)) found.push(id);
  if (/@(everyone|here)\b/.test(text) && lets("everyone")) found.push("everyone");
  return found;
}

/** Returns the only person who may see an answer with these flags; null if everyone may. */
export function findAddressee(flags: number, forced: boolean, personId: string): string | null {
  return forced || flags & FLAGS.ephemeral ? personId : null;
}
