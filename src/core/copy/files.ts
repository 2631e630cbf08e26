// What a person reads about files: their own that an answer could not use, and those that are missing from the answer.
import { MAX_REPLY_FILE_BYTES, MAX_REPLY_FILES } from "../limits.ts";
import { cutText } from "../markdown/code-points.ts";
import type { UnusedFiles } from "../state/ending.ts";

/** Writes one line for each reason why files could not be used. */
export function fileNotices(files: UnusedFiles): string[] {
  const { skipped, unseen, unread, unheard = [], misheard = [], shortened = [] } = files;
  const line = (names: string[], sentence: string) => (names.length > 0 ? [`-# ⚠️ ${sentence}`] : []);
  return [
    ...line(
      skipped,
      `I skipped ${fileNames(skipped)}. I read only images and text files, and only so much text at once. Paste the part that matters.`,
    ),
    ...line(shortened, `I read only the beginning of ${fileNames(shortened)}. Paste the part that matters.`),
    ...line(
      unseen,
      `I can't look at ${fileNames(unseen)} because this model reads only text. Describe ${them(unseen)} in words instead.`,
    ),
    ...line(unheard, `I can't listen to ${fileNames(unheard)}. Write what ${they(unheard)} instead.`),
    ...line(
      misheard,
      `I could not listen to ${fileNames(misheard)}. Send ${them(misheard)} again, or write what ${they(misheard)}.`,
    ),
    ...line(unread, `I could not read ${fileNames(unread)}. Send ${them(unread)} again with \`/ask-long\`.`),
  ];
}

/** Names the files that tools or the model made but that did not fit into the reply; null if there are none. */
export const filesLeftOut = (names: string[]): string | null =>
  names.length === 0
    ? null
    : `-# ⚠️ I left out ${fileNames(names)}. I can attach only ${MAX_REPLY_FILES} files with ${MAX_REPLY_FILE_BYTES / 1_048_576} MiB in all. Ask for fewer or smaller ones.`;

/** Names the files that Discord did not accept with an answer. */
export const filesRefused = (names: string[]): string =>
  `-# ⚠️ Discord did not accept ${fileNames(names)}. Ask a moderator, if there is one, whether I may attach files here.`;

/** Short enough that the names of ten files and the sentence around them fit into one message. */
const NAME_UNITS = 100;
const fileNames = (names: string[]) =>
  names.map((name) => `\`${cutText(name.replaceAll("`", "'"), NAME_UNITS)}\``).join(", ");
const they = (names: string[]) => (names.length === 1 ? "it says" : "they say");
const them = (names: string[]) => (names.length === 1 ? "it" : "them");
