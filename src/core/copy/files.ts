// What a person reads about files of theirs that an answer could not use.
import type { UnusedFiles } from "../state/ending.ts";

/** One line for each way in which files were of no use. */
export function fileNotices({ skipped, unseen, unread }: UnusedFiles): string[] {
  const line = (names: string[], sentence: string) => (names.length > 0 ? [`-# ⚠️ ${sentence}`] : []);
  return [
    ...line(skipped, `I skipped ${fileNames(skipped)}: I read only pictures and text files, and not too much of them.`),
    ...line(unseen, `I can't look at ${fileNames(unseen)}: this model reads text only.`),
    ...line(unread, `I could not read ${fileNames(unread)}. Send it with \`/ask-long\`, so that I can.`),
  ];
}

const fileNames = (names: string[]) => names.map((name) => `\`${name.replaceAll("`", "'")}\``).join(", ");
