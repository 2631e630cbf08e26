// Reads messages as Discord lists them for a channel (docs: resources/message), with what comes with them.
import { array, looseObject, nullish, number, optional, string } from "zod/mini";
import { once } from "../../core/once.ts";
import type { Self } from "../../core/state/self.ts";
import type { ChannelLine } from "../../core/transcript/overheard.ts";
import { asidesShape, readAsides, wordsIn } from "../message-asides.ts";
import { nameOf, personJson } from "../person-json.ts";

const maybe = once(() => nullish(string()));
const person = once(() => looseObject({ ...personJson().shape, id: string() }));
const line = once(() =>
  looseObject({
    ...asidesShape(),
    id: string(),
    type: optional(number()),
    flags: optional(number()),
    timestamp: string(),
    author: person(),
    application_id: maybe(),
    mentions: optional(array(person())),
    message_reference: optional(looseObject({ message_id: maybe() })),
  }),
);
/** The types of ordinary messages, replies, and answers to commands and menus. All others are Discord's own lines and have no words. */
export const SPOKEN_TYPES = [0, 19, 20, 23];
/** The type among them that replies to another message. */
export const REPLY = 19;
const LOADING = 1 << 7;

/** Reads one message; null if the JSON isn't one. */
export function readChannelLine(json: unknown, self: Self): ChannelLine | null {
  const { data } = line().safeParse(json);
  if (!data) return null;
  const { id, author, type = 0, flags = 0, mentions = [], message_reference: reference, message_snapshots } = data;
  const inForwarded = array(person()).safeParse(message_snapshots?.[0]?.message.mentions).data ?? [];
  return {
    id,
    authorId: author.id,
    authorName: nameOf(author),
    isOurs: author.id === self.userId || data.application_id === self.applicationId,
    isLoading: (flags & LOADING) !== 0,
    isSaid: SPOKEN_TYPES.includes(type),
    at: Date.parse(data.timestamp) || 0,
    text: wordsIn(data).toWellFormed(),
    names: Object.fromEntries([...inForwarded, ...mentions].map((one) => [`@${one.id}`, nameOf(one).toWellFormed()])),
    asides: readAsides(data),
    ...(type === REPLY && reference?.message_id && { repliesTo: reference.message_id }),
  };
}

/** Reads Discord's list, which is newest first, and returns it oldest first; null if it isn't a list, or none of its messages can be read. */
export function readChannelLines(json: unknown, self: Self): ChannelLine[] | null {
  if (!Array.isArray(json)) return null;
  const lines = json.flatMap((one) => readChannelLine(one, self) ?? []).reverse();
  return lines.length === 0 && json.length > 0 ? null : lines;
}
