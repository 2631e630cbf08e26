// What comes with a message besides its words, in Discord's JSON (docs: resources/message).
import { array, literal, looseObject, number, optional, type output, string, union } from "zod/mini";
import type { Asides } from "../core/transcript/asides.ts";

const maybe = optional(union([string(), literal(null)]));
const content = {
  content: maybe,
  attachments: optional(array(looseObject({ filename: string(), content_type: maybe, size: optional(number()) }))),
  embeds: optional(array(looseObject({ type: maybe, title: maybe, description: maybe }))),
};

/** Stickers and polls. */
export const extrasShape = {
  sticker_items: optional(array(looseObject({ name: string() }))),
  poll: optional(union([looseObject({ question: looseObject({ text: maybe }) }), literal(null)])),
};
const extras = looseObject(extrasShape);

/** Everything. */
export const asidesShape = {
  ...content,
  ...extrasShape,
  message_snapshots: optional(array(looseObject({ message: looseObject(content) }))),
};
const asides = looseObject(asidesShape);

/** The stickers and the poll of a message. */
export const readExtras = ({ sticker_items: stickers = [], poll }: output<typeof extras>): Asides => ({
  ...(stickers.length > 0 && { stickers: stickers.map(({ name }) => name.toWellFormed()) }),
  ...(poll && { poll: (poll.question.text ?? "").toWellFormed() }),
});

/** All that comes with a message. The previews of its links are no embeds of it. */
export function readAsides(json: output<typeof asides>): Asides {
  const { attachments = [], embeds = [], message_snapshots: snapshots = [] } = json;
  const files = attachments.map(({ filename, content_type: contentType = null, size = 0 }) => ({
    filename: filename.toWellFormed(),
    contentType,
    size,
  }));
  const rich = embeds.filter(({ type }) => (type ?? "rich") === "rich");
  const [snapshot] = snapshots;
  return {
    ...(files.length > 0 && { files }),
    ...readExtras(json),
    ...(rich.length > 0 && {
      embeds: rich.map(({ title, description }) => (title ?? description ?? "").toWellFormed()),
    }),
    ...(snapshot && { forwarded: (snapshot.message.content ?? "").toWellFormed() }),
  };
}
