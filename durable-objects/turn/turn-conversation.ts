// Turns the channel's stored messages into messages for the model: each answer with the results of its calls. Once metadata was
// revealed, each message also has a handle and a time below it.
import type { AskedWith, ChannelStore, LedgerRow, StoredMessage } from "../../src/channel/store.ts";
import { MAX_CALLS_PER_ANSWER, MAX_TRANSCRIPT_ROWS } from "../../src/core/limits.ts";
import type { HeardSound } from "../../src/core/state/media.ts";
import { isSetApart, transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Summary } from "../../src/core/transcript/compaction.ts";
import { cleanName } from "../../src/core/transcript/names.ts";
import { withoutLabel } from "../../src/core/transcript/own-label.ts";
import { BOT_NAME, spokenText, voicedText, withoutHeaders } from "../../src/core/transcript/speaker.ts";
import type { Message } from "../../src/core/transcript/transcript.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import { withDetails } from "../../src/turn/build-result.ts";
import { agedMessageText, FRESH_TURNS, toolMessageText } from "../../src/turn/function-response.ts";
import { messageHandle, withMetadata } from "../../src/turn/message-metadata.ts";
import type { Conversation } from "../../src/turn/ports.ts";
import { TOO_MANY_IN_ANSWER } from "../../src/turn/refusals.ts";

/** Changes the text of a message for the model. */
type Annotate = (text: string, message: StoredMessage) => string;

/**
 * Creates the reader for one turn. An answer whose calls all have results never changes again, so it is built once and not
 * before every request of a long turn.
 */
export function createConversation(store: ChannelStore, turnId: string): () => Required<Conversation> {
  let builtFor = "";
  const complete = new Map<number, Message[]>();
  const numbers = new WeakMap<Message, number>();
  return () => {
    const turn = store.recall(turnId);
    const annotate = annotationFor(store, turn);
    const summary = turn && !isSetApart(turn.request) ? store.summary() : null;
    const own = store.messagesInTurn(turnId);
    const turns = withoutAskedAgain(store, turnsAfter(summary, readEarlier(store, turn)), own[0]);
    const before = turns.flat();
    const fresh = new Set(turns.slice(-FRESH_TURNS).map(([first]) => first?.turnId));
    // If metadata was revealed or another turn has ended meanwhile, everything is built again.
    const now = [turn?.enrichment.metadata, ...fresh].join();
    if (now !== builtFor) complete.clear();
    builtFor = now;
    const read = (message: StoredMessage): Message[] => {
      const known = complete.get(message.seq);
      if (known) return known;
      const isAged = message.turnId !== turnId && !fresh.has(message.turnId);
      const heard = turn && heardFrom(store, turn, message, isAged);
      const messages = heard ?? readMessage(store, message, annotate, isAged);
      for (const one of messages) numbers.set(one, message.seq);
      const results = messages.filter(({ role }) => role === "tool").length;
      // An answer with an open or withdrawn call is built again each time.
      if (heard || results === message.calls.length) complete.set(message.seq, messages);
      return messages;
    };
    return {
      summary: summary?.text ?? "",
      isSummaryTainted: summary?.tainted === true,
      earlier: before.flatMap(read),
      current: own.flatMap(read),
      numberOf: (message) => numbers.get(message),
    };
  };
}

/** Reads the newest messages of the turn's transcript, without its own and those of the turn that it replaces. */
export function readEarlier(store: ChannelStore, turn: TurnRecord | null): StoredMessage[] {
  if (!turn) return [];
  const { replaces } = turn.request;
  const messages = store.messagesBefore(turn.id, MAX_TRANSCRIPT_ROWS, transcriptOwner(turn.request));
  return messages.filter(({ turnId }) => turnId !== replaces);
}

/**
 * Reads the newest turns of a transcript that are not summarized, at most `rows` messages, and what a model reads of each. `owner`: whose
 * transcript it is; null for the channel's.
 */
export function readUnsummarized(
  store: ChannelStore,
  rows: number,
  owner: string | null,
): { stored: StoredMessage[]; messages: Message[] }[] {
  const turns = withoutAskedAgain(store, turnsAfter(store.summary(), store.messagesBefore("", rows, owner)));
  const plain: Annotate = (text) => text;
  return turns.map((stored, at) => {
    const isAged = at < turns.length - FRESH_TURNS;
    return { stored, messages: stored.flatMap((message) => readMessage(store, message, plain, isAged)) };
  });
}

const readMessage = (store: ChannelStore, message: StoredMessage, annotate: Annotate, isAged: boolean): Message[] =>
  message.role === "user"
    ? [asQuestion(store, message, annotate, isAged)]
    : withResults(store, message, annotate, isAged);

/** Groups messages by turn and returns the turns that end after the summary. Messages may be interleaved: while one turn is parked, others run. */
function turnsAfter(summary: Summary | null, messages: StoredMessage[]): StoredMessage[][] {
  const turns = new Map<string, StoredMessage[]>();
  for (const message of messages) {
    const own = turns.get(message.turnId) ?? [];
    // A map keeps insertion order: the turn that spoke last comes last.
    turns.delete(message.turnId);
    turns.set(message.turnId, [...own, message]);
  }
  return [...turns.values()].filter((own) => (own.at(-1)?.seq ?? 0) > (summary?.toSeq ?? 0));
}

/**
 * Leaves out unanswered questions that were asked again (by Retry, with the words that had joined them), and failed attempts at another
 * answer (by Regenerate). `next`: the question that comes after all these turns.
 */
function withoutAskedAgain(store: ChannelStore, turns: StoredMessage[][], next?: StoredMessage): StoredMessage[][] {
  const isUnanswered = (own: StoredMessage[]) => own.every(({ role }) => role === "user");
  const requestOf = ({ turnId }: StoredMessage) => store.turn(turnId)?.request;
  const firsts = [...turns, [next]].flatMap(([first]) => first ?? []);
  // This runs before each request, so only the turns that matter are read.
  const isLeftOut = (question: StoredMessage): boolean =>
    requestOf(question)?.replaces !== undefined ||
    firsts.some(
      (one) => one !== question && one.text.startsWith(question.text) && requestOf(one)?.again === question.turnId,
    );
  return turns.filter((own) => !(own[0] && isUnanswered(own) && isLeftOut(own[0])));
}

/**
 * Maps handles to Discord's message ids. A question by a command and its answer are one message in Discord: the reply. One that came as a
 * message is that message.
 */
export function readMessageIds(store: ChannelStore, turnId: string): ReadonlyMap<string, string> {
  const turn = store.recall(turnId);
  if (!turn?.enrichment.metadata) return new Map();
  const messages = [...readEarlier(store, turn), ...store.messagesInTurn(turnId)];
  return new Map(
    messages.flatMap((message): [string, string][] => {
      const id = findMessageId(store, message);
      return id ? [[messageHandle(message.seq), id]] : [];
    }),
  );
}

/** Finds the Discord message. Words that joined a turn later have no id here: their message is not stored with the turn. */
function findMessageId(store: ChannelStore, message: StoredMessage): string | null {
  const { request, parts = [] } = store.turn(message.turnId) ?? {};
  const reply = parts[0]?.id ?? null;
  if (message.role !== "user" || message.speaker === undefined) return reply;
  return isOwnQuestion(store, message) ? (request?.messageId ?? reply) : null;
}

/** Whether the message is the question that its turn began with. */
const isOwnQuestion = (store: ChannelStore, { seq, turnId, role }: StoredMessage): boolean =>
  role === "user" && store.messagesInTurn(turnId).find((one) => one.role === "user")?.seq === seq;

function annotationFor(store: ChannelStore, turn: TurnRecord | null): Annotate {
  if (!turn?.enrichment.metadata) return (text) => text;
  return (text, message) => {
    const asked = store.turn(message.turnId);
    // The turn was pruned, so its time is unknown.
    if (!asked) return text;
    const about = isOwnQuestion(store, message) ? asked.request.repliesTo : undefined;
    const metadata = { handle: messageHandle(message.seq), sentAt: asked.createdAt, ...(about && { about }) };
    return withMetadata(text, metadata, turn.createdAt);
  };
}

/** Returns what another voice said, which the model reads like a person's message. Null if the turn's own persona said it, or a person. */
function heardFrom(store: ChannelStore, turn: TurnRecord, message: StoredMessage, isAged: boolean): Message[] | null {
  const { turnId, role, text } = message;
  const speaker = store.recallAsked(turnId)?.persona?.name;
  if (role === "user" || speaker === turn.request.persona?.name) return null;
  const name = speaker ?? BOT_NAME;
  // The results of its calls are left out, but the answer may repeat strangers' words from them. In a stored text, these quotes would be escaped.
  const hasRead = ({ seq }: StoredMessage) =>
    store.ledgerRowsFor(seq).some(({ result }) => result?.includes('"untrusted":'));
  const taint = !isAged && store.messagesInTurn(turnId).some(hasRead) && ({ taint: "full" } as const);
  return text.trim() === "" ? [] : [{ role: "user", text: voicedText(name, withoutLabel(text, name)), ...taint }];
}

const NAMES_SOUND = /^\[(?:voice note|file): /m;

/** Returns a question's words, and below them what its sounds say. A message that joined the turn has no files. */
export function withTranscripts(words: string, heard: readonly HeardSound[] = []): string {
  if (!NAMES_SOUND.test(words)) return words;
  const transcripts = heard.map(({ name, text }) => {
    const file = cleanName(name);
    return `\n\n${withoutHeaders(`[transcript of ${file}]\n${text || "(no words)"}\n[end of ${file}]`)}`;
  });
  return words + transcripts.join("");
}

/** Replaces others' words in an older question: as with results, a channel must not stay tainted by them. */
const LEFT_OUT = "[quoted words are no longer shown]";

/** Builds a question for the model; it may quote others. */
function asQuestion(store: ChannelStore, message: StoredMessage, annotate: Annotate, isAged: boolean): Message {
  const { text, speaker } = message;
  const asked = store.recallAsked(message.turnId) ?? {};
  const { taint, heard } = asked;
  const shown = (words: string) => annotate(spokenText(words, speaker), message);
  // Transcripts are left out, too: nobody knows whose sounds they are.
  if (isAged && taint !== undefined) return { role: "user", text: shown(withoutQuoted(text, asked)) };
  return { role: "user", text: shown(withTranscripts(text, heard)), ...(taint && { taint }) };
}

/** Returns a question's words without those that it quotes from others. */
export const withoutQuoted = (text: string, { quoted = "", joinedQuotes = [] }: AskedWith): string =>
  [quoted, ...joinedQuotes].reduce((left, one) => (one === "" ? left : left.replace(one, () => LEFT_OUT)), text);

/** Tools whose results an older program stored without the field `untrusted`. */
const READ_STRANGERS: ReadonlySet<string> = new Set(["fetch_url", "web_search", "read_recent_messages"]);

function readResult(callId: string, { tool, result }: LedgerRow, isAged: boolean): Message[] {
  if (result === null) return [];
  const read = JSON.parse(result) as ToolResult;
  const isUntrusted = read.untrusted !== undefined || (read.ok && READ_STRANGERS.has(tool));
  if (isAged) return [{ role: "tool", callId, text: agedMessageText(tool, read, isUntrusted) }];
  return [{ role: "tool", callId, text: toolMessageText(tool, read), ...(isUntrusted && { taint: "full" }) }];
}

function withResults(store: ChannelStore, message: StoredMessage, annotate: Annotate, isAged: boolean): Message[] {
  const { seq, turnId, text, details, calls, native } = message;
  const rows = calls.length > 0 ? store.ledgerRowsFor(seq) : [];
  const results = rows.flatMap((row): Message[] => {
    const call = calls[row.position];
    return call ? readResult(call.id, row, isAged) : [];
  });
  // Calls beyond the limit were never started and have no rows.
  const refused = calls.slice(MAX_CALLS_PER_ANSWER).flatMap((call): Message[] => {
    return call ? [{ role: "tool", callId: call.id, text: toolMessageText(call.name, TOO_MANY_IN_ANSWER) }] : [];
  });
  const kept = calls.filter((call) => call !== null);
  const said = withDetails(withoutLabel(text, store.recallAsked(turnId)?.persona?.name ?? BOT_NAME), details);
  // If the answer consisted only of withdrawn calls, the model never sees it.
  if (kept.length === 0 && said === "") return [];
  const shown = said === "" ? "" : annotate(said, message);
  return [{ role: "assistant", text: shown, calls: kept, ...(native && { native }) }, ...results, ...refused];
}
