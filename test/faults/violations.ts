// What must be true whatever a port did. Judged by what people see, by the receivers' logs and by what is left, never by what the
// object says about itself, except in its log.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import type { Lock } from "../../src/core/state/record.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { FILES_LEFT, orderFaults, tablesWith, withoutLink } from "../crash/answers.ts";
import { question } from "../crash/scenario.ts";
import type { FaultHarness } from "../support/fault-harness.ts";
import { withoutQuestion } from "../support/shown-answer.ts";
import { MARK } from "./plan.ts";
import { type Asked, isFinal, type Meanwhile, type People, runningTurn } from "./stage.ts";
import { unreadWords } from "./unread-words.ts";

/** The end of a run, by question: the words, and after how long. */
export type Ends = Map<string, { words: string; afterMs: number }>;

const ONCE = /^(count|announce|deaf|purge) /;
const TOKEN_LIFE_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** An answer that comes this much later than without the fault was delayed by it. */
const DELAY_MS = 1000;
const ALARM_GAP_MS = 1000;
/** What the people of every run say last. */
const NEXT = "after that";
/** The request that posts a message of the bot. */
const POSTED = /^POST \/api\/v10\/(?:channels\/\d+\/me|webhooks\/\d+\/webhook\.)/;
const INTERRUPTED = "Interrupted by your next message";
/** A time in the file of what is kept about a person. */
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Describes every violation in words. Without `clean` there is nothing to compare with. */
export function findViolations(
  world: FaultHarness,
  people: People,
  meanwhile: Meanwhile,
  clean: Ends | null,
): { ends: Ends; violations: string[] } {
  const ends: Ends = new Map(
    people.asked.map((one) => {
      const afterMs = (one.endedAt ?? Number.POSITIVE_INFINITY) - one.at;
      return [one.text, { words: readWords(people, one), afterMs }];
    }),
  );
  const violations = [
    ...people.asked.flatMap((one) => replyFaults(world, people, one)),
    ...wrongWithoutFaults(world, ends),
    ...(clean && meanwhile === "wait" ? logFaults(world, people, ends, clean) : []),
    ...(clean ? nextAnswerFaults(world, ends, clean) : []),
    ...doubledPosts(world),
    ...doubledFiles(world),
    ...repeated(world.effects.filter((key) => ONCE.test(key))).map((key) => `effect came twice: ${key}`),
    ...wrongEffects(world),
    ...repeated(world.people.facts(PEOPLE.theo)).map((text) => `kept twice: ${text}`),
    ...toldAlthoughLeftOut(world),
    ...badlyRefused(world),
    ...takenOutOfOrder(world, people),
    ...unreadWords(world),
    ...world.modelFaults.map((fault) => `conversation: ${fault}`),
    ...world.discord.violations.map((violation) => `Discord refused: ${JSON.stringify(violation).slice(0, 300)}`),
    ...world.uncaught.map((error) => `uncaught: ${error.split("\n").slice(0, 3).join(" ")}`),
    ...leftovers(world),
    ...uncounted(world),
    ...alarmStorms(world),
    ...(world.handedOver.size > 1 ? [`handed over twice: ${[...world.handedOver].join()}`] : []),
    ...answeredTwice(world, people),
  ];
  return { ends, violations: [...new Set(violations)] };
}

/** Everything that the bot says to the asker about one question, below it or elsewhere. */
function readWords(people: People, one: Asked): string {
  const message = people.reply(one);
  const files = (message?.attachments ?? []).map(({ text = "" }) => text.replaceAll(TIME, "a time"));
  return [withoutLink(message?.content ?? ""), ...files].join("\n").trim();
}

function replyFaults(world: FaultHarness, people: People, one: Asked): string[] {
  const message = people.reply(one);
  const hasJumped = world.plan.hit.some(({ kind }) => kind === "hour");
  // The gateway forwards nothing older than five minutes, and after the jump the question is older.
  if (!message && hasJumped && world.door?.givenUp.includes(one.questionId ?? "")) return [];
  // After the jump Discord has forgotten the nonce of a message whose creation was not answered, so that it is not sent again.
  const isUnanswered = world.plan.hit.some(({ kind, name }) => kind !== "hour" && POSTED.test(name));
  if (!message && hasJumped && isUnanswered) return [];
  // The click that deleted it was answered too late to be seen.
  if (!message && hasJumped && people.deleted.has(one.text)) return [];
  if (!message) return [`"${one.text}" has no reply`];
  // Discord takes nothing any more for a token that is over.
  const isTokenOver = world.clock.now() > one.at + TOKEN_LIFE_MS && hasJumped;
  if (!isFinal(message)) return isTokenOver ? [] : [`"${one.text}" ends as ${describe(message)}`];
  const { turnDeadlineMs } = world.limits;
  const parkedMs = people.hasParked ? APPROVAL_LIFE_MS : 0;
  const allowed = (turnDeadlineMs + 60_000) * Math.max(1, people.asked.length) + parkedMs;
  const took = (one.endedAt ?? 0) - one.at;
  return took > allowed && !isTokenOver ? [`"${one.text}" took ${took} ms`] : [];
}

/** If nothing breaks, each answer begins as its story says, or a file has it; `unreadWords` checks the rest. */
function wrongWithoutFaults({ plan, scenario, handedOver }: FaultHarness, ends: Ends): string[] {
  const { full, mayEndEarly = [], handsOver = handedOver.size } = scenario;
  if (plan.hit.length > 0) return [];
  const bare = (text: string) => text.replace(/^-# .*$/gm, "").replace(/\s/g, "");
  const wrong = Object.keys(full).filter((text) => {
    const [said, wanted] = [bare(withoutQuestion(ends.get(text)?.words ?? "")), bare(full[text] ?? "")];
    const isBeginning = wanted.startsWith(said) && (said !== "" || mayEndEarly.includes(text));
    return ends.has(text) && !isBeginning && !said.endsWith(wanted);
  });
  return [
    ...wrong.map((text) => `"${text}" is answered: ${ends.get(text)?.words.slice(0, 100)}`),
    ...(handedOver.size === handsOver ? [] : [`${handedOver.size} turns were handed over, not ${handsOver}`]),
  ];
}

const describe = ({ loading, content, components }: { loading: boolean; content: string; components: unknown[] }) =>
  loading ? "thinking" : JSON.stringify([content.slice(0, 120), components.length]);

/** The next message is answered as usual, or as its story says if an answer failed that should have replaced another. */
function nextAnswerFaults({ scenario: { whenItStays } }: FaultHarness, ends: Ends, clean: Ends): string[] {
  const words = ends.get(NEXT)?.words;
  if (words === clean.get(NEXT)?.words) return [];
  const hasFailed = [...clean].some(([text, { words }]) => {
    const end = ends.get(text);
    return text !== NEXT && (end?.words !== words || !Number.isFinite(end.afterMs));
  });
  const stays = whenItStays !== undefined && hasFailed && words?.includes(whenItStays);
  return stays ? [] : [`the next message is answered: ${words}`];
}

/** Whatever was ended or delayed is logged as an error that names the cause. */
function logFaults(world: FaultHarness, people: People, ends: Ends, clean: Ends): string[] {
  const { hit } = world.plan;
  // If a stream event comes twice, the model has said the word twice, and a tool's answer that is cut is still an answer.
  const mayDiffer = hit.some(({ port, kind }) => ["event twice", "tool huge"].includes(`${port} ${kind}`));
  if (hit.every(({ port, kind }) => port === "event" && kind === "twice")) return [];
  const jumpedMs = 3_600_000 * hit.filter(({ kind }) => kind === "hour").length;
  const changed = [...clean].filter(([text, { words, afterMs }]) => {
    const end = ends.get(text);
    if (!end || (jumpedMs > 0 && !Number.isFinite(end.afterMs))) return false;
    // After the jump people act too early: they interrupt an answer, or look for a button that is not there yet.
    if (jumpedMs > 0 && (people.refused.has(text) || end.words.includes(INTERRUPTED))) return false;
    return (end.words !== words || end.afterMs > afterMs + jumpedMs + DELAY_MS) && !mayDiffer;
  });
  // A token that ended during the jump is not our failure: a warning says that the words wait for a click.
  const isLate = (text: string) => jumpedMs > 0 && text.includes("token_expired");
  const errors = world.logs.filter(({ level, text }) => level === "error" || isLate(text));
  if (changed.length === 0) return [];
  const how = changed.map(([text, { afterMs }]) => {
    const end = ends.get(text);
    return `"${text}" after ${end?.afterMs} ms instead of ${afterMs}: ${end?.words.slice(0, 80)}`;
  });
  if (errors.length === 0) return [`no error was logged, but ${how.join("; ")}`];
  const isNamed = world.plan.hit.every(({ kind }) => kind !== "throws" && kind !== "rejects");
  return isNamed || errors.some(({ text }) => text.includes(MARK)) || world.plan.hit.length > 1
    ? []
    : [`no error names the cause, but ${how.join("; ")}: ${errors[0]?.text.slice(0, 200)}`];
}

/** Finds files that are attached twice. */
function doubledFiles({ discord, channelId }: FaultHarness): string[] {
  const made = discord
    .messages(channelId, "nobody")
    .flatMap(({ author, attachments }) => (author.bot ? attachments.map(({ filename }) => filename) : []));
  return repeated(made.filter((name) => name.endsWith(".png"))).map((name) => `attached twice: ${name}`);
}

/** Finds words that are in two messages of the bot although they were said once. */
function doubledPosts({ discord, channelId, requests, plan }: FaultHarness): string[] {
  // A request that is on its way for an hour arrives after the nonce of an earlier one has been forgotten.
  if (plan.hit.some(({ kind, name }) => kind === "hour" && POSTED.test(name))) return [];
  // The answer is ten million times the same letter.
  if (plan.hit.some(({ port, kind }) => port === "event" && kind === "huge")) return [];
  const said = discord
    .messages(channelId, "nobody")
    .filter(({ author, content }) => author.bot && content !== "" && !content.startsWith("-#"))
    .map(({ content, interaction, repliesTo }) => `${content} to ${interaction?.text ?? repliesTo?.id ?? "no one"}`);
  return requests.length === 0 ? [] : repeated(said).map((content) => `posted twice: ${content.slice(0, 60)}`);
}

/**
 * A message that the object could not take is forwarded again later. The question after the faults may be a follow-up to a turn that still
 * runs and so come first, and a question that waits for its thread delays nobody. All others are taken in order.
 */
function takenOutOfOrder({ requests, plan }: FaultHarness, people: People): string[] {
  const isFaulty = plan.hit.length > 0;
  const isSure = ({ questionId }: Asked) => questionId === undefined || !isFaulty;
  return orderFaults(requests, (isFaulty ? people.asked.slice(0, -1) : people.asked).filter(isSure));
}

/** A question that is answered in a thread is not answered in the channel too. */
function answeredTwice({ handedOver, requests }: FaultHarness, people: People): string[] {
  const there = people.asked.filter(({ interactionId }) =>
    [...handedOver].some((turn) => turn.startsWith(`${interactionId} in `)),
  );
  const twice = there.filter(({ text }) => requests.some((request) => question(request).endsWith(`\n${text}`)));
  return twice.map(({ text }) => `"${text}" was handed over and is answered here`);
}

function wrongEffects({ effects: all, scenario: { effects, maxEffects = effects }, plan }: FaultHarness): string[] {
  const came = all.filter((key) => ONCE.test(key)).length;
  if (effects !== undefined && plan.hit.length === 0 && came < effects) return [`${came} effects came, not ${effects}`];
  // A model whose answer came twice, or that read about a failure, may have made the call twice.
  const mayRepeat = plan.hit.some(({ port, kind }) => port === "tool" || (port === "event" && kind === "twice"));
  if (maxEffects === undefined || mayRepeat || came <= maxEffects) return [];
  return [`${came} effects came, ${maxEffects} were asked for`];
}

/** No model gets what somebody who has opted out wrote. */
function toldAlthoughLeftOut({ requests, scenario: { leftOut } }: FaultHarness): string[] {
  const told = requests.filter(({ messages }) => leftOut !== undefined && JSON.stringify(messages).includes(leftOut));
  return told.map(() => `a model was told: ${leftOut}`);
}

/** Anybody who is refused is notified once, in words or by a reaction on the question, or the log says why not. */
function badlyRefused({ discord, channelId, logs, plan, scenario: { refused } }: FaultHarness): string[] {
  if (refused === undefined) return [];
  const words = discord.messages(PLACES.dmOfTheo, PEOPLE.theo).filter(({ author }) => author.bot);
  const asked = discord.messages(channelId, PEOPLE.theo).filter(({ content }) => content.endsWith(refused));
  const signs = asked.flatMap(({ reactions = [] }) => reactions);
  const told = words.length + signs.length;
  if (told === 0 && logs.every(({ level }) => level === "info"))
    return ["a refusal was told to no one, and not logged"];
  // Within the hour Discord forgets the nonce of a message whose creation was not answered.
  const mayRepeat = plan.hit.some(({ kind }) => kind === "hour");
  return told > 1 && !mayRepeat ? [`a refusal was told ${told} times`] : [];
}

/** What must be true of a thread's object. One that keeps nothing has no tables. */
export function leftInThread(thread: FaultHarness): string[] {
  const isEmpty = thread.database.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'lock'").toArray().length === 0;
  if (isEmpty) return [];
  const [row] = thread.database.sql.exec("SELECT record FROM lock").toArray();
  const { retentionAt } = JSON.parse(String(row?.record ?? "{}")) as Partial<Lock>;
  // Its channel had settings by which old turns are deleted within a day.
  const left = leftovers(thread).filter((one) => one !== "an alarm is left" || thread.alarmAt !== retentionAt);
  return [
    ...left,
    ...uncounted(thread),
    ...unreadWords(thread),
    ...thread.modelFaults.map((fault) => `conversation: ${fault}`),
    ...thread.uncaught.map((error) => `uncaught: ${error.split("\n").slice(0, 3).join(" ")}`),
  ];
}

/** Nothing runs, waits or is planned, and nothing is left open. */
export function leftovers(world: FaultHarness): string[] {
  const states = world.database.sql
    .exec("SELECT state FROM turns WHERE state NOT IN ('finished', 'refused')")
    .toArray()
    .map(({ state }) => String(state));
  const files = world.database.sql.exec(FILES_LEFT).toArray().length;
  const open = world.open.filter(
    ({ isSettled, signal, life }) => !isSettled && !signal?.aborted && life === world.life?.number,
  );
  const { forgotten } = world.scenario;
  const remembering = forgotten === undefined ? [] : tablesWith(forgotten, (query) => world.database.sql.exec(query));
  return [
    ...(runningTurn(world) === null ? [] : ["the lock is held"]),
    ...states.map((state) => `a turn is left ${state}`),
    ...(world.hasWork() && !mayWait(world) ? ["an alarm is left"] : []),
    ...(files > 0 ? [`${files} rows of files are left`] : []),
    ...remembering.map((table) => `forgotten words are left in ${table}`),
    ...(world.life && world.life.timers > 0 ? [`${world.life.timers} timers are left`] : []),
    ...open.map(({ name }) => `left open: ${name}`),
  ];
}

/**
 * Whether an alarm may still be set: a summary that the model failed to give is requested again minutes later, and if only figures of today are
 * left, as of a forgotten person, they are deleted at the end of the day.
 */
function mayWait({ database, alarmAt }: FaultHarness): boolean {
  const [row] = database.sql.exec("SELECT record FROM lock").toArray();
  const { compaction, retentionAt, usage } = JSON.parse(String(row?.record ?? "{}")) as Partial<Lock>;
  const isMidnight = usage !== undefined && alarmAt === Date.parse(usage.day) + DAY_MS;
  return typeof compaction?.at === "number" || (isMidnight && retentionAt === alarmAt);
}

/** The scope has counted the usage of each turn that began, as it is in the turn's own row. */
export function uncounted({ database, counted }: FaultHarness): string[] {
  const turns = database.sql.exec("SELECT record FROM turns WHERE state = 'finished'").toArray();
  const begun = turns.map(({ record }) => readTurnText(String(record))).filter(({ startedAt }) => startedAt !== null);
  return begun.flatMap(({ id, usage }) => {
    const report = counted.get(id);
    if (!report) return [`the usage of turn ${id} was never reported`];
    const isSame = JSON.stringify(report.usage) === JSON.stringify(usage);
    return isSame ? [] : [`turn ${id} used ${JSON.stringify(usage)}, reported was ${JSON.stringify(report.usage)}`];
  });
}

function alarmStorms({ alarms, requestLimit }: FaultHarness): string[] {
  // If an event may send only a limited number of requests, whatever waits for the next event requests it at once.
  if (requestLimit) return [];
  const gaps = alarms.slice(1).map((at, index) => at - (alarms[index] ?? 0));
  const storms = gaps.filter((gap, index) => index > 0 && gap < ALARM_GAP_MS && (gaps[index - 1] ?? 0) < ALARM_GAP_MS);
  return storms.length > 0 ? [`${storms.length} alarms within a second of the last two`] : [];
}

const repeated = (items: string[]): string[] => items.filter((item, index) => items.indexOf(item) !== index);
