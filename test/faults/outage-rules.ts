// What must be true after a week of outages, once everything works again. Judged by what Discord shows and what the model was asked.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { cueText } from "../../src/core/state/scene.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { tablesWith } from "../crash/answers.ts";
import type { FaultHarness } from "../support/fault-harness.ts";
import { labels } from "../support/message-harness.ts";
import type { OutageHarness } from "../support/outage-harness.ts";
import { leftovers, uncounted } from "./violations.ts";

/** What one question, reminder or task became. */
export interface AnswerRecord {
  /** A mark in its words. Its answer has `A` and the mark at its beginning and `E` and the mark at its end. */
  mark: string;
  /** A question, a reminder or a recurring task. */
  kind: "Q" | "R" | "T";
  /** The place was closed to the bot when it was asked, or before its answer was shown. */
  isShut: boolean;
  /** How often somebody clicked on something that changes or ends it. */
  changes: number;
  /** Its person or the conversation was forgotten before it was shown. A late answer, or one that has not begun, may then be missing. */
  isForgotten: boolean;
  /** Its person or the conversation was forgotten after it had ended, in these channels and threads: none of its words are kept there. */
  erasedIn: string[];
  /** The conversation was reset after this many questions, when it had ended: no later question there is asked with its words. */
  newerThan?: number;
  /** A follow-up had interrupted it when its person was forgotten. */
  wasInterrupted: boolean;
  /** The message that asked, and who wrote it. */
  message?: { id: string; by: string };
  /** It was deleted or edited before its turn had begun: it is never asked, and nothing of it is shown. */
  unasked?: true;
  /**
   * It was deleted after its turn had begun: what was said stays. A late answer may come or not, or only begin: without the question, to which
   * it would reply, nobody can tell whether Discord, which did not answer, has its first message.
   */
  isTakenBack?: true;
  /** A moderator has deleted a message of its answer: the words in it are gone and must not come back. */
  removed: string[];
  /** It is one speaker's part of a scene. */
  isSpeaker?: true;
  /** The mark of the speaker before it in its scene: a scene must be in order. */
  after?: string;
  /** A persona speaks below a command's answer: if creating its message got no answer, that answer has all its words, and the message may too. */
  mayBeginTwice: boolean;
}

/** The last word of a question that makes the model call a remote server. */
export const REMOTELY = "remotely";
/** How the request for notes on the conversation begins. */
const NOTES = "Notes so far:";
/** The most model calls of a turn: a life may end while the model answers, and a tool's result needs another call. */
const CALLS = 4;

/** The first valid decision about each call that needed an approval, by its turn. */
export type Decisions = Map<string, "Approve" | "Deny">;

/** Buttons may also be removed from a persona's header that was never shown, because the bot was kept out. It has neither buttons nor words. */
const BARE = /^\{"at":\d+,"where":"PATCH .*"Cannot send an empty message".*"body":\{"components":\[\]/;

/** Describes every violation in words. */
export function findBroken(
  { world, objects }: OutageHarness,
  { records, decisions, faults }: { records: readonly AnswerRecord[]; decisions: Decisions; faults: readonly string[] },
): string[] {
  const places = [...new Set([...objects().map(({ channelId }) => channelId), PLACES.dmOfMira, PLACES.dmOfTheo])];
  const requests = objects().flatMap((one) => one.requests);
  const shown = places
    .flatMap((place) => [PEOPLE.mira, PEOPLE.theo].flatMap((as) => world.discord.messages(place, as)))
    .filter(({ author, ephemeral, failed }) => author.bot && !ephemeral && failed === undefined);
  const messages = [...new Map(shown.map((message) => [message.id, message])).values()];
  const shut = records.filter(({ isShut }) => isShut);
  const turns = objects().flatMap(({ database }) => turnsOf(database));
  return [
    ...faults,
    ...records.flatMap((record) => shownWrongly(messages, record, isEnded(messages, turns, record))),
    ...objects().flatMap((one) => keptStill(one, records)),
    ...objects().flatMap((one) => toldLater(one, records)),
    ...records.flatMap((record) => askedTooOften(requests.map(questionIn), record)),
    ...records.flatMap((record) => spokenTooEarly(messages, record)),
    ...records.flatMap((record) => pointedNowhere(messages, world.channelId, record)),
    ...doneWrongly(
      objects().flatMap(({ effects }) => effects),
      turns,
      decisions,
      world.variables.MCP_SERVERS !== undefined,
    ),
    ...messages
      .filter((message) => !isOfAny(message, shut) && !isGivenUp(message, records) && !isLost(message, records))
      .flatMap(leftBelow),
    ...objects().flatMap((one) => (hasTables(one.database.sql) ? [...leftovers(one), ...uncounted(one)] : [])),
    ...objects().flatMap((one) => one.modelFaults.map((fault) => `conversation: ${fault}`)),
    ...world.discord.violations
      .map((violation) => JSON.stringify(violation))
      .flatMap((refused) => (BARE.test(refused) ? [] : [`Discord refused: ${refused.slice(0, 300)}`])),
    ...world.uncaught.map((error) => `uncaught: ${error.split("\n").slice(0, 3).join(" ")}`),
  ];
}

/** How many alarms and requests without effect there were in an hour. */
export interface Rates {
  outage: string;
  alarms: number;
  failed: number;
}

/** A heartbeat every 7 s while a last edit is tried; otherwise a few turns, reminders and tries. */
const ALARMS = { repeating: 600, quiet: 100 };
/** Each stuck answer is tried at most every 2 s; if trying can't help, Discord is asked a few times. */
const FAILED = { repeating: 1800, quiet: 60 };

/** Checks that the object is in no hurry while nothing can be done. */
export function findHaste({ outage, alarms, failed }: Rates, isRepeating: boolean, asked: number): string[] {
  const kind = isRepeating ? "repeating" : "quiet";
  const mostFailed = FAILED[kind] * (isRepeating ? asked : 1);
  return [
    ...(alarms > ALARMS[kind] ? [`${alarms} alarms in an hour while Discord is ${outage}`] : []),
    ...(failed > mostFailed ? [`${failed} vain requests in an hour while Discord is ${outage}`] : []),
  ];
}

/** The last line of an answer that a follow-up has ended or replaced, or that ended with its question. Above it only the answer's end is missing. */
const ENDED = /^-# (?:Interrupted by your |Replaced by your |Stopped by )/m;

/** Whether something has ended or replaced this answer, and Discord shows that. */
function isEnded(messages: readonly LocalMessage[], turns: readonly TurnRecord[], record: AnswerRecord): boolean {
  const said = messages.filter(({ content }) => ENDED.test(content));
  const turn = turns.find((one) => markOf(one) === record.mark);
  const isOf = (message: LocalMessage) =>
    isOfAny(message, [record]) || turn?.parts.some(({ id }) => id === message.id) === true;
  // If a newer question replaces a waiting question by message, we post nothing about it.
  const isReplaced = turns.some(({ id, status }) => id === record.message?.id && status === "superseded");
  return record.wasInterrupted || isReplaced || said.some(isOf);
}

function keptStill({ channelId, database: { sql } }: FaultHarness, records: readonly AnswerRecord[]): string[] {
  const erased = records.filter(({ erasedIn }) => erasedIn.includes(channelId)).map(({ mark }) => mark);
  return erased.flatMap((mark) =>
    tablesWith(mark, (query) => sql.exec(query)).map((table) => `${mark} was forgotten and is kept in ${table}`),
  );
}

/** Finds what this person has asked or had set, as far as it is stored. */
export function findTheirs(
  database: FaultHarness["database"],
  userId: string,
  records: ReadonlyMap<string, AnswerRecord>,
): AnswerRecord[] {
  const set = rowsOf(database, "SELECT record FROM reminders WHERE user_id = ?", userId);
  const asked = turnsOf(database).filter(({ request }) => request.userId === userId);
  const marks = [...set.map(({ record }) => markIn(String(record))), ...asked.map(markOf)];
  return marks.flatMap((mark) => records.get(mark ?? "") ?? []);
}

/** All stored turns. */
export const turnsOf = (database: FaultHarness["database"]): TurnRecord[] =>
  rowsOf(database, "SELECT record FROM turns").map(({ record }) => readTurnText(String(record)));

/** The rows that a query finds. An object that keeps nothing has no tables until it is used again. */
export const rowsOf = ({ sql }: FaultHarness["database"], query: string, ...values: string[]) =>
  hasTables(sql) ? sql.exec(query, ...values).toArray() : [];

const hasTables = (sql: FaultHarness["database"]["sql"]): boolean =>
  sql.exec("SELECT name FROM sqlite_master WHERE name = 'turns'").toArray().length > 0;

/** The last mark in a text. */
export const markIn = (text: string): string | undefined => marksIn(text).at(-1);

/** All marks in a text. */
export const marksIn = (text: string): string[] => text.match(/[QRT]\d+X/g) ?? [];

/** The mark of a turn: in a scene, the one after its speaker's name. */
export const markOf = ({ request: { text, persona } }: TurnRecord): string | undefined =>
  persona ? markFor(persona.name, text) : markIn(text);

const markFor = (name: string, text: string): string | undefined =>
  markIn(new RegExp(`\\b${name}:\\w+`).exec(text)?.[0] ?? text);

/** The last question of a request, and its answer's mark. Each speaker of a scene except the first is asked only by its name. */
export function questionIn({ system, messages }: ModelRequest): { text: string; mark: string | undefined } {
  const asked = messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
  const name = /You speak as (\w+),/.exec(system)?.[1] ?? "nobody";
  const isCue = asked.at(-1)?.includes(cueText(name)) === true;
  const text = (isCue ? asked.findLast((one) => one.includes(`${name}:`)) : asked.at(-1)) ?? "";
  return { text, mark: markFor(name, text) };
}

/** Checks that each answer is there once, from its beginning to its end: no paragraph is lost, and none is in two messages. */
function shownWrongly(
  messages: readonly LocalMessage[],
  { mark, kind, isShut, changes, isForgotten, mayBeginTwice, unasked, isTakenBack, isSpeaker, removed }: AnswerRecord,
  mayEndEarly: boolean,
): string[] {
  // A task comes again and again.
  if (kind === "T") return [];
  const there = new Set(messages.flatMap(({ content }) => content.split(/\s+/)));
  const again = removed.filter((word) => there.has(word));
  if (again.length > 0 && changes === 0) return [`${again.slice(0, 3).join()} was removed and is there again`];
  const begins = messages.filter(({ content }) => content.includes(`A${mark}`)).length;
  const hasEnd = (text: string) => text.includes(`E${mark}`);
  // A file with a whole answer that others' questions have joined also contains what can be read above it.
  const ends =
    messages.filter(({ content }) => hasEnd(content)).length || messages.filter((one) => hasEnd(textOf(one))).length;
  const said = `${mark} begins ${begins} times and ends ${ends} times`;
  const most = unasked ? 0 : 1 + changes + Number(mayBeginTwice);
  if (begins > most || ends > most) return [said];
  if (removed.length > 0) return [];
  if (kind === "R") {
    // If the place is closed to the bot, a reminder's own words come to its person by direct message.
    const told = messages.filter(({ content }) => content.includes(mark) && !content.includes("lorem"));
    if (isForgotten && begins + ends + told.length === 0) return [];
    const isRight = changes > 0 || (begins === 1 && ends === 1 ? told.length === 0 : told.length === 1);
    return isRight ? [] : [`${said}, and is told ${told.length} times`];
  }
  if (isShut || changes > 0 || unasked) return [];
  if ((isForgotten && begins + ends === 0) || (isTakenBack && ends === 0)) return [];
  // Known: the words of a forgotten speaker are gone before the header could show those that Discord may not have taken.
  if (isForgotten && isSpeaker && ends === 0) return [];
  // The answer to a question that joined another's may have its beginning in a file.
  const isBegun = messages.some((message) => textOf(message).includes(`A${mark}`));
  if ((!isBegun || ends === 0) && !(mayEndEarly && ends === 0)) return [said];
  const numbers = (texts: string[]) => texts.flatMap((text) => text.match(new RegExp(`\\d+(?=P${mark})`, "g")) ?? []);
  const read = numbers(messages.map(({ content }) => content));
  const all = new Set(numbers(messages.map(textOf)));
  const isWhole = all.size === Math.max(-1, ...[...all].map(Number)) + 1;
  return [
    ...(mayBeginTwice || new Set(read).size === read.length ? [] : [`${mark} has paragraphs in two messages`]),
    ...(isWhole ? [] : [`${mark} lacks paragraphs`]),
  ];
}

/** Whether the message's question is one of these. A persona's answer has a link to it, and buttons have its id. */
export function isOfAny(
  { content, interaction, repliesTo, components }: LocalMessage,
  records: readonly AnswerRecord[],
): boolean {
  const about = [content, interaction?.text, repliesTo?.content, JSON.stringify(components)].join(" ");
  return records.some(({ mark, message }) => [mark, message?.id ?? mark].some((one) => about.includes(one)));
}

/** What can be read in a message and its files. */
export const textOf = ({ content, attachments }: LocalMessage): string =>
  [content, ...attachments.map(({ text = "" }) => text)].join("\n");

/** Checks that each speaker of a scene begins below the last one. Above both is the header, with the words of a speaker whose message may be lost. */
function spokenTooEarly(messages: readonly LocalMessage[], { mark, after }: AnswerRecord): string[] {
  const spoken = messages.filter(({ content }) => !/^-# Scene: /m.test(content));
  const place = (one: string) => spoken.findIndex(({ content }) => content.includes(`A${one}`));
  const isEarly = after !== undefined && place(mark) >= 0 && place(mark) < place(after);
  return isEarly ? [`${mark} speaks above ${after}`] : [];
}

/** Checks that a command whose answer is in a thread says where. */
function pointedNowhere(
  messages: readonly LocalMessage[],
  here: string,
  { mark, isShut, changes }: AnswerRecord,
): string[] {
  const answer = messages.find(({ content }) => content.includes(`A${mark}`));
  const reply = messages.find(({ channelId, interaction }) => channelId === here && interaction?.text.includes(mark));
  const isThere = isShut || changes > 0 || !answer || answer.channelId === here;
  return isThere || !reply || reply.content.includes(`<#${answer.channelId}>`)
    ? []
    : [`${mark} does not say where it is`];
}

/** Checks that no model gets words of a conversation that had been reset before the question. */
function toldLater({ channelId, requests }: FaultHarness, records: readonly AnswerRecord[]): string[] {
  return records.flatMap(({ mark, newerThan, erasedIn }) => {
    if (newerThan === undefined || !erasedIn.includes(channelId)) return [];
    const isLater = (request: ModelRequest) => Number(/\d+/.exec(questionIn(request).mark ?? "0")) > newerThan;
    const told = requests.filter((request) => isLater(request) && saidIn(request).includes(mark));
    return told.map((request) => `${mark} was forgotten and is told with ${questionIn(request).mark}`);
  });
}

/** All words of a request, without a thread's name and first message, which come from Discord. */
const saidIn = (request: ModelRequest): string =>
  JSON.stringify(request, (_, value) => (typeof value === "string" ? value.replace(THREAD_START, "") : value));
const THREAD_START = /^\[(?:this is a thread: .*\]|it began with\] .*)$/gm;

function askedTooOften(
  questions: readonly ReturnType<typeof questionIn>[],
  { mark, kind, changes, unasked }: AnswerRecord,
): string[] {
  const asked = questions.filter((one) => one.mark === mark && !one.text.startsWith(NOTES)).length;
  const most = unasked ? 0 : CALLS * (1 + changes);
  return kind !== "T" && asked > most ? [`${mark} was asked ${asked} times`] : [];
}

/** Checks that a call that needs an approval is made only after it was approved, only once, and never after it was denied. */
function doneWrongly(
  effects: readonly string[],
  turns: readonly TurnRecord[],
  decisions: Decisions,
  hasRemote: boolean,
): string[] {
  const done = effects.map((effect) => effect.split(/[ :]/)[1] ?? "");
  const came = ({ events }: TurnRecord) => events.map(({ what }) => what);
  // Calls to a remote server are counted there, and if a turn's words are gone, nobody knows what it asked for.
  const isRemote = ({ request }: TurnRecord) => hasRemote && (request.text === "" || request.text.endsWith(REMOTELY));
  const approved = turns.filter(
    (turn) => came(turn).includes("approved") && !came(turn).includes("stop") && !isRemote(turn),
  );
  return [
    ...done.filter((turn, index) => done.indexOf(turn) < index).map((turn) => `the call of ${turn} is done twice`),
    ...done.flatMap((turn) => (decisions.get(turn) === "Approve" ? [] : [`${turn}: done, and ${decisions.get(turn)}`])),
    ...approved.flatMap(({ id }) => (done.includes(id) ? [] : [`the call of ${id} was approved and is not done`])),
  ];
}

/** Whether this belongs to a late answer that was forgotten and so given up: Discord itself shows after a while that no answer came. */
function isGivenUp(message: LocalMessage, records: readonly AnswerRecord[]): boolean {
  if (!message.loading) return false;
  // A second answer has no words yet that say to what.
  const isAgain = message.interaction?.command === "Regenerate";
  const wasAskedAgain = records.some(({ changes, erasedIn }) => changes > 0 && erasedIn.length > 0);
  return (
    (isAgain && wasAskedAgain) ||
    isOfAny(
      message,
      records.filter(({ isForgotten }) => isForgotten),
    )
  );
}

/** Whether this may be the first message of an answer whose question was deleted, and which Discord took without answering. */
const isLost = (message: LocalMessage, records: readonly AnswerRecord[]): boolean =>
  message.repliesTo === undefined &&
  records.some(({ isTakenBack, mark }) => isTakenBack && message.content.includes(`A${mark}`));

/** Finds what looks as if something were still under way. */
function leftBelow({ content, components, loading, attachments, poll }: LocalMessage): string[] {
  const open = labels(components).filter((label) => ["Stop", "Continue", "Approve", "Deny"].includes(label));
  return [
    ...(open.length > 0 ? [`${open.join()} is left below: ${content.slice(0, 100)}`] : []),
    ...(loading ? ["a message is left thinking"] : []),
    ...(content.trim() === "" && attachments.length === 0 && !poll && !loading ? ["a message is empty"] : []),
  ];
}
