// What must hold after a week of outages, once all is well again. Read from what Discord shows and what the model was asked.
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
  /** Stands in its words. Its answer has `A` and the mark at its beginning and `E` and the mark at its end. */
  mark: string;
  /** A question, a reminder or a recurring task. */
  kind: "Q" | "R" | "T";
  /** Nobody could be shown an answer there while it was asked, or before it was shown. */
  isShut: boolean;
  /** How often somebody clicked on what changes or ends it. */
  changes: number;
  /** Its person or the conversation was forgotten before it was shown. What is late then, or has not begun, may not come. */
  isForgotten: boolean;
  /** Its person or the conversation was forgotten when it was over, in these channels and threads: no word of it is kept there. */
  erasedIn: string[];
  /** The conversation began anew after so many questions when it was over: no question after them is asked there with a word of it. */
  newerThan?: number;
  /** A next question had interrupted it when its person was forgotten. */
  wasInterrupted: boolean;
  /** The message that asked, and who wrote it. */
  message?: { id: string; by: string };
  /** It was deleted, or got other words, before its turn had begun: it is never asked, and nothing of it is shown. */
  unasked?: true;
  /**
   * It was deleted when its turn had begun: what it has said stays. A late answer may come or not: without the question nobody can tell
   * whether Discord, which did not answer, has it.
   */
  isTakenBack?: true;
  /** A moderator has deleted a message of its answer: what stood there is gone, and does not come again. */
  removed: string[];
  /** It is one speaker's part of a scene. */
  isSpeaker?: true;
  /** The speaker before it in its scene, by mark: a scene is read in order. */
  after?: string;
  /** A persona speaks below a command's answer: where the creation of its message was not answered, that answer has all its words, and the message may have them. */
  mayBeginTwice: boolean;
}

/** The last word of a question for which a remote server is asked. */
export const REMOTELY = "remotely";
/** How the question for notes on the conversation begins. */
const NOTES = "Notes so far:";
/** A turn calls the model at most so often: a life may end while it answers, and a tool's result is told to it. */
const CALLS = 4;

/** How each call that needed an approval was first decided by who may, by its turn. */
export type Decisions = Map<string, "Approve" | "Deny">;

/** Buttons may also be taken from a persona's header that was never shown, because the bot was kept out. It has none, and no words. */
const BARE = /^\{"at":\d+,"where":"PATCH .*"Cannot send an empty message".*"body":\{"components":\[\]/;

/** Everything that does not hold, in words. */
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
    ...messages.filter((message) => !isOfAny(message, shut) && !isGivenUp(message, records)).flatMap(leftBelow),
    ...objects().flatMap((one) => (hasTables(one.database.sql) ? [...leftovers(one), ...uncounted(one)] : [])),
    ...objects().flatMap((one) => one.modelFaults.map((fault) => `conversation: ${fault}`)),
    ...world.discord.violations
      .map((violation) => JSON.stringify(violation))
      .flatMap((refused) => (BARE.test(refused) ? [] : [`Discord refused: ${refused.slice(0, 300)}`])),
    ...world.uncaught.map((error) => `uncaught: ${error.split("\n").slice(0, 3).join(" ")}`),
  ];
}

/** How many alarms and vain requests there were in an hour. */
export interface Rates {
  outage: string;
  alarms: number;
  failed: number;
}

/** A heartbeat every 7 s while a last edit is tried; else a few turns, reminders and tries. */
const ALARMS = { repeating: 600, quiet: 100 };
/** Each answer that is stuck is tried every 2 s at most; where it can't help, Discord is asked a few times. */
const FAILED = { repeating: 1800, quiet: 60 };

/** The object is in no hurry while nothing can be done. */
export function findHaste({ outage, alarms, failed }: Rates, isRepeating: boolean, asked: number): string[] {
  const kind = isRepeating ? "repeating" : "quiet";
  const mostFailed = FAILED[kind] * (isRepeating ? asked : 1);
  return [
    ...(alarms > ALARMS[kind] ? [`${alarms} alarms in an hour while Discord is ${outage}`] : []),
    ...(failed > mostFailed ? [`${failed} vain requests in an hour while Discord is ${outage}`] : []),
  ];
}

/** The last line of an answer that a next question has ended or replaced, or that ended with its question. What is above it is whole, but for its end. */
const ENDED = /^-# (?:Interrupted by your |Replaced by your |Stopped by )/m;

/** Has something ended or replaced this one's answer, and is that said? */
function isEnded(messages: readonly LocalMessage[], turns: readonly TurnRecord[], record: AnswerRecord): boolean {
  const said = messages.filter(({ content }) => ENDED.test(content));
  const turn = turns.find((one) => markOf(one) === record.mark);
  const isOf = (message: LocalMessage) =>
    isOfAny(message, [record]) || turn?.parts.some(({ id }) => id === message.id) === true;
  // A question by message that a newer one has replaced while it waited gets no words of ours.
  const isReplaced = turns.some(({ id, status }) => id === record.message?.id && status === "superseded");
  return record.wasInterrupted || isReplaced || said.some(isOf);
}

function keptStill({ channelId, database: { sql } }: FaultHarness, records: readonly AnswerRecord[]): string[] {
  const erased = records.filter(({ erasedIn }) => erasedIn.includes(channelId)).map(({ mark }) => mark);
  return erased.flatMap((mark) =>
    tablesWith(mark, (query) => sql.exec(query)).map((table) => `${mark} was forgotten and is kept in ${table}`),
  );
}

/** What this person has asked or had set, as far as it is kept. */
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

/** All turns that are kept. */
export const turnsOf = (database: FaultHarness["database"]): TurnRecord[] =>
  rowsOf(database, "SELECT record FROM turns").map(({ record }) => readTurnText(String(record)));

/** What a query finds. An object that keeps nothing has no tables until it is used again. */
export const rowsOf = ({ sql }: FaultHarness["database"], query: string, ...values: string[]) =>
  hasTables(sql) ? sql.exec(query, ...values).toArray() : [];

const hasTables = (sql: FaultHarness["database"]["sql"]): boolean =>
  sql.exec("SELECT name FROM sqlite_master WHERE name = 'turns'").toArray().length > 0;

/** The last mark in a text. */
export const markIn = (text: string): string | undefined => marksIn(text).at(-1);

/** All marks in a text. */
export const marksIn = (text: string): string[] => text.match(/[QRT]\d+X/g) ?? [];

/** The mark of a turn: of a scene's words, that behind its speaker's name. */
export const markOf = ({ request: { text, persona } }: TurnRecord): string | undefined =>
  persona ? markFor(persona.name, text) : markIn(text);

const markFor = (name: string, text: string): string | undefined =>
  markIn(new RegExp(`\\b${name}:\\w+`).exec(text)?.[0] ?? text);

/** What a request asks last, and the mark of the answer. Each speaker of a scene but the first is asked by its name alone. */
export function questionIn({ system, messages }: ModelRequest): { text: string; mark: string | undefined } {
  const asked = messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
  const name = /You speak as (\w+),/.exec(system)?.[1] ?? "nobody";
  const isCue = asked.at(-1)?.includes(cueText(name)) === true;
  const text = (isCue ? asked.findLast((one) => one.includes(`${name}:`)) : asked.at(-1)) ?? "";
  return { text, mark: markFor(name, text) };
}

/** Each answer is there once, from its beginning to its end: no paragraph is lost, and none stands in two messages. */
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
  // A file with a whole answer, to which others have joined theirs, also has what can be read above it.
  const ends =
    messages.filter(({ content }) => hasEnd(content)).length || messages.filter((one) => hasEnd(textOf(one))).length;
  const said = `${mark} begins ${begins} times and ends ${ends} times`;
  const most = unasked ? 0 : 1 + changes + Number(mayBeginTwice);
  if (begins > most || ends > most) return [said];
  if (removed.length > 0) return [];
  if (kind === "R") {
    // Where nobody can be shown its answer, its own words come to its person directly.
    const told = messages.filter(({ content }) => content.includes(mark) && !content.includes("lorem"));
    if (isForgotten && begins + ends + told.length === 0) return [];
    const isRight = changes > 0 || (begins === 1 && ends === 1 ? told.length === 0 : told.length === 1);
    return isRight ? [] : [`${said}, and is told ${told.length} times`];
  }
  if (isShut || changes > 0 || ((isForgotten || isTakenBack) && begins + ends === 0) || unasked) return [];
  // Known: the words of a speaker who was forgotten are gone before the header could bring those that Discord may not have taken.
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

/** Is the message's question one of these? A persona's answer has a link to it. */
export const isOfAny = ({ content, interaction, repliesTo }: LocalMessage, records: readonly AnswerRecord[]): boolean =>
  records.some(({ mark, message }) =>
    [mark, message?.id ?? mark].some((one) => `${content} ${interaction?.text} ${repliesTo?.content}`.includes(one)),
  );

/** What can be read of a message, with its files. */
export const textOf = ({ content, attachments }: LocalMessage): string =>
  [content, ...attachments.map(({ text = "" }) => text)].join("\n");

/** The next speaker of a scene begins below the last one. Above both is the header, which has the words of one whose own message may be lost. */
function spokenTooEarly(messages: readonly LocalMessage[], { mark, after }: AnswerRecord): string[] {
  const spoken = messages.filter(({ content }) => !/^-# Scene: /m.test(content));
  const place = (one: string) => spoken.findIndex(({ content }) => content.includes(`A${one}`));
  const isEarly = after !== undefined && place(mark) >= 0 && place(mark) < place(after);
  return isEarly ? [`${mark} speaks above ${after}`] : [];
}

/** A command whose answer is in a thread says where. */
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

/** No model is told of a conversation that had ended when it was asked. */
function toldLater({ channelId, requests }: FaultHarness, records: readonly AnswerRecord[]): string[] {
  return records.flatMap(({ mark, newerThan, erasedIn }) => {
    if (newerThan === undefined || !erasedIn.includes(channelId)) return [];
    const isLater = (request: ModelRequest) => Number(/\d+/.exec(questionIn(request).mark ?? "0")) > newerThan;
    const told = requests.filter((request) => isLater(request) && saidIn(request).includes(mark));
    return told.map((request) => `${mark} was forgotten and is told with ${questionIn(request).mark}`);
  });
}

/** All words of a request. How a thread is called, and with which message it began, is Discord's to say. */
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

/** What needs an approval is done only once it has one, and then once. Who has denied it has denied it. */
function doneWrongly(
  effects: readonly string[],
  turns: readonly TurnRecord[],
  decisions: Decisions,
  hasRemote: boolean,
): string[] {
  const done = effects.map((effect) => effect.split(/[ :]/)[1] ?? "");
  const came = ({ events }: TurnRecord) => events.map(({ what }) => what);
  // What a remote server was asked for is counted there, and of a turn without words nobody knows what it asked for.
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

/** A late answer that was forgotten is given up: of the message that still waits for it Discord itself says after a while that none came. */
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

/** What looks as if something were under way. */
function leftBelow({ content, components, loading, attachments, poll }: LocalMessage): string[] {
  const open = labels(components).filter((label) => ["Stop", "Continue", "Approve", "Deny"].includes(label));
  return [
    ...(open.length > 0 ? [`${open.join()} is left below: ${content.slice(0, 100)}`] : []),
    ...(loading ? ["a message is left thinking"] : []),
    ...(content.trim() === "" && attachments.length === 0 && !poll && !loading ? ["a message is empty"] : []),
  ];
}
