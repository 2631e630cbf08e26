// Which of a channel's messages is the answer to a question, for both sweeps: the deferred response of an interaction, or the reply to a
// message. And which files of answers nothing waits for.
/** A message of a channel, as far as it can be an answer to another. */
interface Replying {
  author: { bot: boolean };
  content: string;
  repliesTo?: { id: string } | null;
}

/** The first line of an answer by webhook, which can be no reply: the link to its question. */
const LINK_LINE = /^https:\/\/discord\.com\/channels\/\d+\/\d+\/(\d+)\n/;

/** Is this the bot's answer to the message with this id? */
export const isReplyTo =
  (questionId: string) =>
  ({ author, repliesTo, content }: Replying): boolean =>
    author.bot && (repliesTo?.id ?? LINK_LINE.exec(content)?.[1]) === questionId;

/** The content of an answer without the link to its question. */
export const withoutLink = (content: string): string => content.replace(LINK_LINE, "");

/** The first message of the answer to a question. */
export const answerTo = <Shown extends Replying & { id: string }>(
  shown: readonly Shown[],
  { messageId, questionId }: { messageId: string; questionId?: string },
): Shown | undefined =>
  questionId === undefined ? shown.find(({ id }) => id === messageId) : shown.find(isReplyTo(questionId));

/** A reply that waits for Continue keeps its files. */
export const FILES_LEFT =
  "SELECT id FROM reply_files WHERE turn_id NOT IN (SELECT id FROM turns WHERE json_extract(record, '$.undelivered'))";
