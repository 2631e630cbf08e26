// Checks that everything that was said can be read, or could be until somebody deleted it. Judged by what people see and by the requests that
// Discord got.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import { say } from "../../src/core/copy/notices.ts";
import { TOKEN_RENEWAL_MS } from "../../src/core/limits.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { type LogEntry, PEOPLE } from "../../src/playground/discord/world.ts";
import type { FaultHarness } from "../support/fault-harness.ts";

/** The channel or the message is gone, or closed to us: nothing can reach the asker. */
const CLOSED = new Set([10003, 10008, 10015, 50001, 50013]);
const GONE = 10008;
/** The token is over. */
const OVER = 50027;
/** Discord's filters refuse the words. */
const BLOCKED = new Set([200000, 240000]);
/** Endings after which the words need not be shown. */
const UNSAID: ReadonlySet<string> = new Set(["gone", "superseded", "steered"]);
/** How many of the last characters of an answer identify it. */
const TAIL_CHARS = 300;
const TEXTS = "SELECT text FROM messages WHERE turn_id = ? AND role = 'assistant' AND trim(text) <> '' ORDER BY seq";

/** Checks that everything a model has said in a turn is in the messages of its reply or in a file, or a line says why not. */
export function unreadWords({ database, discord, channelId, plan, deleted }: FaultHarness): string[] {
  // The answer is ten million times the same letter.
  if (plan.hit.some(({ port, kind }) => port === "event" && kind === "huge")) return [];
  // An hour is longer than a reply's token is valid, and than the nonce of a message whose creation was not answered.
  if (plan.hit.some(({ kind }) => kind === "hour")) return [];
  const turns = database.sql
    .exec("SELECT record FROM turns WHERE state = 'finished'")
    .toArray()
    .map(({ record }) => readTurnText(String(record)));
  const readers = new Set([PEOPLE.mira, ...turns.map(({ request }) => request.userId)]);
  const shown = [...deleted, ...[...readers].flatMap((as) => discord.messages(channelId, as))];
  const places = shown.flatMap(({ content, attachments }) => [content, ...attachments.map(({ text = "" }) => text)]);
  const written = places.map(bare);
  return turns.flatMap(({ id, parts, checkpoint, undelivered, request }) => {
    if (checkpoint.kind !== "send" || UNSAID.has(checkpoint.ending.kind)) return [];
    // A recurring task that has nothing to report.
    if (checkpoint.ending.kind === "completed" && checkpoint.ending.silent) return [];
    const texts = database.sql.exec(TEXTS, id).toArray();
    const all = texts.map(({ text }) => text).join("\n\n");
    const said = bare(all.slice(0, checkpoint.chars));
    const messages = parts.flatMap((part) => shown.find((message) => message.id === part.id) ?? []);
    const read = bare(messages.map(({ content }) => content).join(""));
    if ([read, ...written].some((words) => words.includes(said))) return [];
    // The rest waits for a click. If Discord ends the token before a click can be requested, nothing else reaches the reply.
    const isEarly = ({ at, code, path }: LogEntry) =>
      code === OVER && at < request.receivedAt + TOKEN_RENEWAL_MS && isByTokenOf(path, id);
    if (undelivered && (discord.log.some(isEarly) || shown.some((message) => hasContinue(message, id)))) return [];
    // Somebody deleted one of its messages before all of them were there.
    if (messages.some((message) => deleted.includes(message))) return [];
    const tail = said.slice(-TAIL_CHARS);
    // Once a message is gone or permanently refused, the reply sends no other.
    const isPart = ({ path }: LogEntry) => parts.some(({ id }) => id !== null && path.includes(`/messages/${id}`));
    const sent = discord.log.filter((entry) => {
      const isOfReply = isPart(entry) || isByTokenOf(entry.path, request.scene?.id ?? id);
      return isOfReply || bare(contentOf(entry.body)).includes(tail);
    });
    if (sent.some((entry) => entry.code === GONE && isPart(entry) && contentOf(entry.body) !== "")) return [];
    const last = sent.findLast(({ body }) => contentOf(body) !== "");
    // The scene's header says it for a speaker whose message was never shown.
    const header = last?.status === 200 ? contentOf(last.body) : "";
    const isSaid = [...messages.map(({ content }) => content), header].some((words) => words.includes(say.blocked));
    if (isSaid && sent.some(({ code }) => BLOCKED.has(code ?? 0))) return [];
    // What a speaker's own message can't show, the scene's header can.
    const isLastWay = request.scene === undefined || last?.code === GONE || last?.path.endsWith("@original");
    if (CLOSED.has(last?.code ?? 0) && isLastWay) return [];
    return [`nobody can read what was said: ${said.slice(0, 60)}`];
  });
}

/** A life that takes a turn over reads mentions back as names, here of the only person whom the model mentions. */
const bare = (text: string): string => text.replaceAll(`<@${PEOPLE.theo}>`, "@Theo").replace(/[\s*]/g, "");

/** Whether the request uses the token of this interaction. The local Discord's tokens name their interaction. */
const isByTokenOf = (path: string, id: string): boolean =>
  Buffer.from(path.split("/")[3] ?? "", "base64url")
    .toString()
    .includes(`:${id}:`);

const hasContinue = ({ components }: LocalMessage, id: string): boolean =>
  JSON.stringify(components).includes(`"resume:${id}`);

const contentOf = (body: unknown): string =>
  typeof body === "object" && body !== null && "content" in body ? String(body.content) : "";
