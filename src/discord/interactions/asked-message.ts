// The message that "Ask about this" was used on: its words, its embeds and a forwarded message as one text, and its files.
import { array, looseObject, nullish, optional, type output, string, catch as withFallback } from "zod/mini";
import { say } from "../../core/copy/notices.ts";
import { quoteLines } from "../../core/copy/quotes.ts";
import { once } from "../../core/once.ts";
import type { Attachment } from "../../core/state/attachments.ts";
import { asideLines } from "../../core/transcript/asides.ts";
import { extrasShape, readExtras, wordsIn } from "../message-asides.ts";
import { attachmentFrom, attachmentJson } from "./attachment-json.ts";
import { shownFiles } from "./shown-files.ts";

/** The message in our form. */
export interface AskedMessage {
  /** Missing if the message is only quoted. */
  id?: string;
  author: string;
  authorId: string | null;
  /** The application that made it, as an answer to an interaction or by a webhook. */
  applicationId: string | null;
  /** Empty when the message has nothing to read. */
  text: string;
  attachments: Attachment[];
  /** Set if others than its author may have written a part of it: a message that it forwards, or a page whose preview it shows. */
  hasOthers?: true;
}

const text = once(() => nullish(string()));
const embedJson = once(() =>
  looseObject({
    title: text(),
    description: text(),
    url: text(),
    author: optional(looseObject({ name: text() })),
    fields: optional(array(looseObject({ name: text(), value: text() }))),
    footer: optional(looseObject({ text: text() })),
  }),
);
const contentJson = once(() =>
  looseObject({
    content: text(),
    embeds: optional(array(embedJson())),
    attachments: optional(array(attachmentJson())),
    ...extrasShape(),
  }),
);

/** The shape of a message's author. */
export const authorJson = once(() => looseObject({ id: text(), username: text(), global_name: text() }));

/** The shape of a message (docs: resources/message, "Message Object"). `message_snapshots` carries a forwarded message. */
export const messageJson = once(() =>
  looseObject({
    ...contentJson().shape,
    author: optional(authorJson()),
    application_id: text(),
    message_snapshots: withFallback(optional(array(looseObject({ message: contentJson() }))), undefined),
  }),
);

/** Converts Discord's message. Never throws. */
export function askedMessage(json: output<ReturnType<typeof messageJson>>): AskedMessage {
  const { author, application_id: applicationId = null, message_snapshots: forwarded = [] } = json;
  const contents = [json, ...forwarded.map(({ message }) => message)];
  return {
    author: author?.global_name ?? author?.username ?? say.unknownAuthor,
    authorId: author?.id ?? null,
    applicationId,
    text: contents
      .flatMap((one) => [readMessageText(one), ...asideLines(readExtras(one))])
      .filter(isSaid)
      .join("\n\n"),
    attachments: contents.flatMap((one) => [...(one.attachments ?? []).map(attachmentFrom), ...shownFiles(one)]),
    ...((forwarded.length || json.embeds?.length) && { hasOthers: true as const }),
  };
}

/** Returns the text that the model gets: the message, quoted as its author's words rather than the asker's. */
export function questionAbout({ author, text }: Pick<AskedMessage, "author" | "text">): string {
  return [say.askAbout(author), ...(text === "" ? [] : [quoteLines(text)])].join("\n");
}

const readMessageText = (json: output<ReturnType<typeof contentJson>>): string =>
  [wordsIn(json), ...(json.embeds ?? []).map(embedText)].filter(isSaid).join("\n\n");

const embedText = ({
  author,
  title,
  url,
  description,
  fields = [],
  footer,
}: output<ReturnType<typeof embedJson>>): string =>
  [
    author?.name,
    title,
    url,
    description,
    ...fields.map(({ name, value }) => [name, value].filter(isSaid).join(": ")),
    footer?.text,
  ]
    .filter(isSaid)
    .join("\n");

const isSaid = (part: string | null | undefined): part is string => typeof part === "string" && part.trim() !== "";
