// What a person reads about files of theirs that an answer could not use.
import type { UnusedFiles } from "../state/ending.ts";

/** One line for each way in which files were of no use. */
export function fileNotices({ skipped, unseen, unread }: UnusedFiles): string[] {
  const line = (names: string[], sentence: string) => (names.length > 0 ? [`-# ⚠️ ${sentence}`] : []);
  return [
    ...line(
      skipped,
      `I skipped ${fileNames(skipped)}. I read only images and text files, and only so much text at once. Paste the part that matters.`,
    ),
    ...line(
      unseen,
      `I can't look at ${fileNames(unseen)} because this model reads only text. Describe ${them(unseen)} in words instead.`,
    ),
    ...line(unread, `I could not read ${fileNames(unread)}. Send ${them(unread)} again with \`/ask-long\`.`),
  ];
}

const fileNames = (names: string[]) => names.map((name) => `\`${name.replaceAll("`", "'")}\``).join(", ");
const them = (names: string[]) => (names.length === 1 ? "it" : "them");
