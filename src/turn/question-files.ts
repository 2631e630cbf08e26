// The files of a turn's question. They are read once in each life, before its first request, and included in every request. Only their
// names are stored, so a later life reads them again.

import { INLINED_TEXT_BYTES } from "../core/limits.ts";
import { type Attachment, attachmentKind, isExpired } from "../core/state/attachments.ts";
import type { UnusedFiles } from "../core/state/ending.ts";
import { withoutHeaders } from "../core/transcript/speaker.ts";
import type { Message } from "../core/transcript/transcript.ts";
import type { AttachmentReader, Model } from "./ports.ts";

/** The readable content of the files. */
export interface QuestionFiles {
  texts: { name: string; text: string; isCut: boolean }[];
  images: { name: string; url: string }[];
  /** They are neither images nor text, or there was no room left. */
  skipped: string[];
  /** Discord did not deliver these. */
  unread: string[];
  /** Sounds that nothing here can listen to, and sounds that could not be transcribed: see sounds.ts. */
  unheard?: string[];
  misheard?: string[];
}

/** A question without files. */
export const NO_FILES: QuestionFiles = { texts: [], images: [], skipped: [], unread: [] };

/** Reads the files in their order; the texts share one size limit. Never throws; stops early when the signal fires. May run again. */
export async function readFiles(
  attachments: readonly Attachment[],
  reader: AttachmentReader,
  signal: AbortSignal,
  now: number,
): Promise<QuestionFiles> {
  const files: QuestionFiles = { texts: [], images: [], skipped: [], unread: [] };
  let left = INLINED_TEXT_BYTES;
  for (const attachment of attachments) {
    const name = attachment.filename;
    const kind = attachmentKind(attachment);
    const url = kind === "image" && !isExpired(attachment.url, now) ? reader.imageUrl(attachment) : null;
    if (url !== null) files.images.push({ name, url });
    else if (kind === "image") files.unread.push(name);
    else if (kind === "sound") continue;
    else if (kind === "other" || left === 0) files.skipped.push(name);
    else if (signal.aborted) files.unread.push(name);
    else {
      const read = await reader.readText(attachment, left, signal);
      if (read.ok) files.texts.push({ name, text: read.text, isCut: read.bytes < attachment.size });
      else files[read.reason === "not_text" ? "skipped" : "unread"].push(name);
      left -= read.ok ? read.bytes : 0;
    }
  }
  return files;
}

/** Whether the model accepts pictures. This is not always configured; most models do. */
export const isSighted = ({ images }: Pick<Model, "images">): boolean => images !== false;

/** Returns the files that the answer could not use, or only partly, to show to the person; null when it could use all. */
export function unusedFiles(
  { texts, images, skipped, unread, unheard = [], misheard = [] }: QuestionFiles,
  model: Pick<Model, "images">,
): UnusedFiles | null {
  const unseen = isSighted(model) ? [] : images.map(({ name }) => name);
  const shortened = texts.filter(({ isCut }) => isCut).map(({ name }) => name);
  const unused = { skipped, unseen, unread, unheard, misheard, shortened };
  return Object.values(unused).some(({ length }) => length > 0) ? unused : null;
}

/** Returns the question with its files. */
export function withFiles(question: Message, files: QuestionFiles, model: Pick<Model, "images">): Message {
  if (question.role !== "user") return question;
  const unused = unusedFiles(files, model);
  const texts = files.texts.map(({ name, text, isCut }) =>
    withoutHeaders([`[content of ${name}${isCut ? ", only its beginning" : ""}]`, text, `[end of ${name}]`].join("\n")),
  );
  const missing = unused ? [...unused.skipped, ...unused.unseen, ...unused.unread] : [];
  const note = missing.length > 0 ? [`[you can't see these files: ${missing.join(", ")}]`] : [];
  const silent = [...(unused?.unheard ?? []), ...(unused?.misheard ?? [])];
  if (silent.length > 0) note.push(`[you can't listen to these files: ${silent.join(", ")}]`);
  const images = isSighted(model) ? files.images.map(({ url }) => url) : [];
  return {
    ...question,
    text: [question.text, ...texts, ...note.map(withoutHeaders)].join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}
