// Whether everything that was said can be read, or could be until somebody deleted it. Read from what people see and from what Discord
// was asked for.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import { say } from "../../src/core/copy/notices.ts";
import { TOKEN_RENEWAL_MS } from "../../src/core/limits.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { type LogEntry, PEOPLE } from "../../src/playground/discord/world.ts";
import type { FaultHarness } from "../support/fault-harness.ts";

/** The channel or the message is gone, or closed to us: nothing reaches whoever asked. */
const CLOSED = new Set([10003, 10008, 10015, 50001, 50013]);
const GONE = 10008;
/** The token is over. */
const OVER = 50027;
/** Discord's filters refuse the words. */
const BLOCKED = new Set([200000, 240000]);
/** Endings after which nobody waits for the words. */
const UNSAID: ReadonlySet<string> = new Set(["gone", "superseded", "steered"]);
/** So many of the last characters of an answer are nowhere else. */
const TAIL_CHARS = 300;
const TEXTS = "SELECT text FROM messages WHERE turn_id = ? AND role = 'assistant' AND trim(text) <> '' ORDER BY seq";

/** All that a model has said in a turn stands in the messages of its reply, or in a file, or a line says why not. */
export function unreadWords({ database, discord, channelId, plan, deleted }: FaultHarness): string[] {
  // Ten million times the same letter.
  if (plan.hit.some(({ port, kind }) => port === "event" && kind === "huge")) return [];
  // An hour outlives the token of a reply, and the nonce of one whose creation was not answered.
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
    // The rest waits for a click. Nothing else reaches a reply whose token Discord ends before that can be asked for.
    const isEarly = ({ at, code, path }: LogEntry) =>
      code === OVER && at < request.receivedAt + TOKEN_RENEWAL_MS && isByTokenOf(path, id);
    if (undelivered && (discord.log.some(isEarly) || shown.some((message) => hasContinue(message, id)))) return [];
    // Somebody deleted a message of it before all of it was there.
    if (messages.some((message) => deleted.includes(message))) return [];
    const tail = said.slice(-TAIL_CHARS);
    // Once a message is gone or refused for good, the reply sends no other.
    const isPart = ({ path }: LogEntry) => parts.some(({ id }) => id !== null && path.includes(`/messages/${id}`));
    const sent = discord.log.filter((entry) => {
      const isOfReply = isPart(entry) || isByTokenOf(entry.path, request.scene?.id ?? id);
      return isOfReply || bare(contentOf(entry.body)).includes(tail);
    });
    if (sent.some((entry) => entry.code === GONE && isPart(entry) && contentOf(entry.body) !== "")) return [];
    const last = sent.findLast(({ body }) => contentOf(body) !== "");
    // The scene's header says it for a speaker that nobody heard.
    const header = last?.status === 200 ? contentOf(last.body) : "";
    const isSaid = [...messages.map(({ content }) => content), header].some((words) => words.includes(say.blocked));
    if (isSaid && sent.some(({ code }) => BLOCKED.has(code ?? 0))) return [];
    // What a speaker of a scene can't be given, the scene's header can.
    const isLastWay = request.scene === undefined || last?.code === GONE || last?.path.endsWith("@original");
    if (CLOSED.has(last?.code ?? 0) && isLastWay) return [];
    return [`nobody can read what was said: ${said.slice(0, 60)}`];
  });
}

/** A life that takes a turn over reads back mentions of the one person whom the model mentions as names. */
const bare = (text: string): string => text.replaceAll(`<@${PEOPLE.theo}>`, "@Theo").replace(/[\s*]/g, "");

/** Is the request by the token of this interaction? The local Discord's tokens name theirs. */
const isByTokenOf = (path: string, id: string): boolean =>
  Buffer.from(path.split("/")[3] ?? "", "base64url")
    .toString()
    .includes(`:${id}:`);

const hasContinue = ({ components }: LocalMessage, id: string): boolean =>
  JSON.stringify(components).includes(`"resume:${id}`);

const contentOf = (body: unknown): string =>
  typeof body === "object" && body !== null && "content" in body ? String(body.content) : "";
