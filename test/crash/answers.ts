// Which of a channel's messages is the answer to a question, for both sweeps: the deferred response of an interaction, or the reply to a
// message. And which files of answers nothing waits for.
/** A message of a channel, as far as it can be an answer to another. */
interface Replying {
  author: { bot: boolean };
  repliesTo?: { id: string } | null;
}

/** Is this the bot's answer to the message with this id? */
export const isReplyTo =
  (questionId: string) =>
  ({ author, repliesTo }: Replying): boolean =>
    author.bot && repliesTo?.id === questionId;

/** The first message of the answer to a question. */
export const answerTo = <Shown extends Replying & { id: string }>(
  shown: readonly Shown[],
  { messageId, questionId }: { messageId: string; questionId?: string },
): Shown | undefined =>
  questionId === undefined ? shown.find(({ id }) => id === messageId) : shown.find(isReplyTo(questionId));

/** A reply that waits for Continue keeps its files. */
export const FILES_LEFT =
  "SELECT id FROM reply_files WHERE turn_id NOT IN (SELECT id FROM turns WHERE json_extract(record, '$.undelivered'))";
