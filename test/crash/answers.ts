// For both sweeps: finds which of a channel's messages answers a question (an interaction's deferred response, or the reply to a message),
// whether questions were taken in order, which files of answers nothing needs any more, and where forgotten words are still stored.
import type { ModelRequest } from "../../src/turn/ports.ts";
import { question } from "./scenario.ts";

/** The fields of a channel's message that show whether it answers another one. */
interface Replying {
  author: { bot: boolean };
  content: string;
  repliesTo?: { id: string } | null;
}

/** The first line of an answer by webhook, which can't be a reply: the link to its question. */
const LINK_LINE = /^https:\/\/discord\.com\/channels\/\d+\/\d+\/(\d+)\n/;

/** Whether this is the bot's answer to the message with this id. */
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

/** Checks that questions reach the model in the order in which they were asked, unless a follow-up changed it. */
export function orderFaults(requests: readonly ModelRequest[], asked: readonly { text: string }[]): string[] {
  const order = requests.flatMap((request) => {
    const newest = question(request);
    const place = asked.findIndex(({ text }) => newest.endsWith(`\n${text}`));
    // Nobody asked for the turn of a reminder.
    return place < 0 ? [] : [place];
  });
  const firsts = [...new Set(order)];
  const sorted = [...firsts].sort((a, b) => a - b);
  return firsts.join() === sorted.join()
    ? []
    : [`asked in the order ${sorted.join()}, taken in the order ${firsts.join()}`];
}

/** The names of the tables in which these words are still stored. The runtime's own tables can't be read. */
export function tablesWith(words: string, run: (query: string) => { toArray(): object[] }): string[] {
  const names = run("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'").toArray();
  return names
    .map((row) => String((row as { name: unknown }).name))
    .filter((name) => JSON.stringify(run(`SELECT * FROM "${name}"`).toArray()).includes(words));
}
