// What must be true whatever died and when. Whether something happened once is read from the receivers' logs (Discord, the tools'
// server, the model), never from the channel's own tables.
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { endLife } from "../support/faults.ts";
import { hasWorkLine, withoutQuestion } from "../support/shown-answer.ts";
import { LISTENING, MIRA, type WorkerdHarness } from "../support/workerd-harness.ts";
import { alarmAt, inside, runAlarm } from "../workers/arrange.ts";
import { answerTo, FILES_LEFT, isReplyTo, orderFaults, tablesWith, withoutLink } from "./answers.ts";
import { question, type ScopeScenario } from "./scenario.ts";
import { scopeFaults } from "./scope-stage.ts";

/** A question that was asked, and the message that Discord shows as its reply. */
export interface Asked {
  text: string;
  by: string;
  messageId: string;
  token: string;
  /** The message that asked; its answer is a reply to it. */
  questionId?: string;
}

/** The message that pings the asker after their answer. */
const isPing = (content: string): boolean => /^<@\d+> Your answer /.test(content);

/** Whether the message still has its Stop button. Other buttons may stay below the final text. */
export const canBeStopped = ({ components }: { components: unknown[] }): boolean =>
  JSON.stringify(components).includes('"stop:');

const AFTER = "after that";
const ONCE = /^(count|announce|deaf|purge) /;

/** Describes every broken invariant in words. */
export async function brokenInvariants(w: WorkerdHarness, scenario: ScopeScenario, asked: Asked[]): Promise<string[]> {
  return [
    ...asked.flatMap((one) => replyFaults(w, scenario, one, asked)),
    ...repeated(w.effects.filter((key) => ONCE.test(key))).map((key) => `effect came twice: ${key}`),
    ...wrongEffects(w, scenario),
    ...reminderFaults(w, scenario),
    ...voiceFaults(w, scenario),
    ...w.modelFaults.map((fault) => `transcript: ${fault}`),
    ...orderFaults(w.requests, asked),
    ...w.discord.violations.map((violation) => `Discord refused: ${JSON.stringify(violation)}`),
    ...(await messageFaults(w, scenario)),
    ...handOverFaults(w, scenario),
    ...pingFaults(w, scenario, asked),
    ...callFaults(w, scenario),
    ...soundFaults(w, scenario),
    ...priceFaults(w, scenario),
    ...(await scopeFaults(w, scenario)),
    ...(await leftovers(w, scenario)),
  ];
}

/**
 * Each request that reached the model is counted, and none twice. A life that ended may have counted calls that it never sent, but
 * no more than it may have under way at once.
 */
function callFaults(w: WorkerdHarness, { callsAtOnce = 1 }: ScopeScenario): string[] {
  const turns = new Map(w.reports.map(({ turnId, usage }) => [turnId, usage.modelCalls]));
  const counted = [...turns.values()].reduce((sum, calls) => sum + calls, 0);
  const sent = w.requests.length;
  return counted < sent || counted > sent + callsAtOnce * w.faults.died
    ? [`${counted} model calls are counted, ${sent} were made in ${w.faults.died + 1} lives`]
    : [];
}

/** A sound is transcribed again only after a life that ended before storing the words. */
function soundFaults({ media, faults: { ended } }: WorkerdHarness, { sounds = 0 }: ScopeScenario): string[] {
  const heard = media.filter((path) => path.includes("/audio/")).length;
  const unstored = ended.filter((points) => {
    const at = points.lastIndexOf(`after ${LISTENING}`);
    // A write is durable only after the life has awaited something else.
    return at >= 0 && points.slice(at + 1).every((name) => name === "write");
  });
  return heard < sounds || heard > sounds + unstored.length
    ? [`${heard} sounds were heard, not ${sounds}, and ${unstored.length} lives ended before the words were stored`]
    : [];
}

/** Everything that a model listened to or drew is paid for. A life that ended may have paid for a request that it never sent, or an estimate. */
function priceFaults(
  { media, reports, faults: { died } }: WorkerdHarness,
  { mediaMicroUsd, sounds = 1 }: ScopeScenario,
): string[] {
  if (mediaMicroUsd === undefined) return [];
  const turns = new Map(reports.map(({ turnId, usage }) => [turnId, usage.microUsd ?? 0]));
  const paid = [...turns.values()].reduce((sum, microUsd) => sum + microUsd, 0);
  const estimated = Math.max(0, media.length - sounds);
  const least = (media.length - estimated) * mediaMicroUsd + estimated;
  return paid < least || paid > (media.length + died) * mediaMicroUsd
    ? [`${paid} micro-dollars are paid for ${media.length} requests`]
    : [];
}

async function messageFaults(w: WorkerdHarness, { messagesLeft, mayMissOne }: ScopeScenario): Promise<string[]> {
  const shown = w.discord.messages(w.channelId, MIRA).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  if (messagesLeft === undefined || shown.length === messagesLeft) return [];
  const isMissed = mayMissOne && shown.length === messagesLeft + 1 && (await hasUnheard(w));
  return isMissed
    ? []
    : [`${shown.length} messages are left, not ${messagesLeft}: ${shown.map(({ content }) => content.slice(0, 20))}`];
}

/** A turn has at most one thread, and a question that is answered there is not answered here. */
function handOverFaults({ handedOver, requests }: WorkerdHarness, { handsOver = 0 }: ScopeScenario): string[] {
  if (handedOver.size !== handsOver) return [`handed over: ${[...handedOver].join() || "nothing"}`];
  const isAnsweredHere = handsOver > 0 && requests.some((request) => !question(request).endsWith(`\n${AFTER}`));
  return isAnsweredHere ? ["a question that was handed over is answered here"] : [];
}

/** Whether there is a message that should have been created, and no life knows whether it was. */
async function hasUnheard(w: WorkerdHarness): Promise<boolean> {
  const rows = await inside(w, (_object, { storage }) =>
    storage.sql.exec<{ record: string }>("SELECT record FROM turns").toArray(),
  );
  return rows.some(({ record }) => readTurnText(record).parts.some(({ id }) => id === null));
}

/** People may mention the bot, but only the message after an answer pings anyone: its asker, once. */
function pingFaults(w: WorkerdHarness, { pings }: ScopeScenario, asked: Asked[]): string[] {
  const pinged = w.discord.pinged().filter((id) => id !== APPLICATION.id);
  const wanted = pings ? asked.map(({ by }) => by) : [];
  return pinged.sort().join() === wanted.sort().join() ? [] : [`pinged ${pinged}, not ${wanted}`];
}

/** A life may have ended before its tool took effect; the tool then does not run again. */
function wrongEffects({ effects: all, faults }: WorkerdHarness, { effects = 0, maxEffects }: ScopeScenario): string[] {
  const came = all.filter((key) => ONCE.test(key)).length;
  const most = maxEffects ?? effects;
  return came > most || came < effects - faults.died ? [`${came} effects came, ${most} were asked for`] : [];
}

/** Each occurrence of a reminder comes once; its line identifies it. */
function reminderFaults(w: WorkerdHarness, { reminders = 0 }: ScopeScenario): string[] {
  const lines = w.answers().flatMap((answer) => /^.*⏰ Reminder.*$/m.exec(answer)?.[0] ?? []);
  return [
    ...(lines.length === reminders ? [] : [`${lines.length} reminders came where ${reminders} were set`]),
    ...repeated(lines).map((line) => `came twice: ${line}`),
  ];
}

function voiceFaults(w: WorkerdHarness, { voices = {} }: ScopeScenario): string[] {
  const shown = w.discord.messages(w.channelId, MIRA);
  const files = shown.flatMap(({ attachments }) => attachments.map(({ text }) => text ?? ""));
  const faults = Object.entries(voices).flatMap(([name, text]) => {
    const heard = shown.filter(({ author, content }) => author.name === name && content.includes(text)).length;
    if (heard > 1) return [`${name} was heard ${heard} times`];
    return heard === 1 || files.some((file) => file.includes(text)) ? [] : [`${name} was not heard`];
  });
  const isStoppable = Object.keys(voices).length > 0 && shown.some(canBeStopped);
  return isStoppable ? [...faults, "a scene that is over has its Stop button"] : faults;
}

/** Each question has one reply in one final state, complete or closed by a notice, with no part of it twice. */
function replyFaults(w: WorkerdHarness, scenario: ScopeScenario, one: Asked, asked: Asked[]): string[] {
  const { text, token, questionId } = one;
  const shown = w.discord.messages(w.channelId, MIRA);
  const original = answerTo(shown, one);
  if (!original) return [`"${text}" has no reply`];
  const faults: string[] = [];
  if (original.loading) faults.push(`"${text}" still shows thinking`);
  if (canBeStopped(original)) faults.push(`"${text}" still has its Stop button`);
  const created = w.discord.log.filter(
    ({ method, path, status, body }) =>
      method === "POST" && status === 200 && (questionId ? isPartOf(questionId, path, body) : path.includes(token)),
  );
  const isOriginal = (id: string) => asked.some((other) => answerTo(shown, other)?.id === id);
  if (questionId && shown.filter(isReplyTo(questionId)).length > 1) faults.push(`"${text}" has several replies`);
  const followups =
    created.length > 0
      ? shown.filter(
          ({ author, ephemeral, id, content }) => author.bot && !ephemeral && !isOriginal(id) && !isPing(content),
        )
      : [];
  for (const content of repeated(followups.map((message) => message.content)))
    faults.push(`posted twice: ${content.slice(0, 40)}`);
  const full = text === AFTER ? "fine" : (scenario.full[text] ?? "");
  const file = [original, ...followups].flatMap((message) =>
    message.attachments.map((attachment) => attachment.text),
  )[0];
  const visible = [original, ...followups].map((message) => withoutQuestion(withoutLink(message.content)));
  const made = [original, ...followups]
    .flatMap((message) => message.attachments.map(({ filename }) => filename))
    .filter((name) => name !== "answer.md");
  const { answer, notice } = parted(visible);
  const interrupted = w.faults.died > 0 ? (scenario.fullWhenInterrupted?.[text] ?? full) : full;
  const isInterrupted = !same(answer, full) && same(answer, interrupted);
  if (made.join() !== (isInterrupted ? [] : (scenario.files?.[text] ?? [])).join())
    faults.push(`"${text}" has the files ${made}`);
  const { speaker } = scenario;
  if (speaker !== undefined && text !== AFTER && original.author.name !== speaker)
    faults.push(`"${text}" is answered by ${original.author.name}`);
  if (hasWorkLine(notice)) faults.push(`"${text}" ends with a line of the work: ${notice}`);
  const isWhole = [full, interrupted].some((whole) => same(file ?? answer, whole));
  const mayEndEarly = scenario.mayEndEarly?.includes(text) ?? false;
  const isBeginning = mayEndEarly && notice !== "" && same(full.slice(0, answer.length), answer);
  if (!isWhole && !isBeginning)
    faults.push(`"${text}" is answered ${JSON.stringify([answer.slice(0, 80), notice, file?.length])}`);
  if (isWhole && !mayEndEarly && notice !== (scenario.endings?.[text] ?? "") && file === undefined)
    faults.push(`"${text}" is whole but says: ${notice}`);
  return faults;
}

/**
 * Whether this is a further message of the answer to a message: its nonce begins with the question's id, or a webhook posted it. The message
 * that pings is not part of the answer.
 */
const isPartOf = (questionId: string, path: string, body: unknown): boolean => {
  const { nonce = "", content = "" } = (body ?? {}) as { nonce?: string; content?: string };
  if (path.includes("/webhook.")) return content === withoutLink(content);
  return nonce.startsWith(`${questionId}-`) && !/-[0p]$/.test(nonce);
};

/** The messages as one text, without white space where it was cut, and our small lines at its end. */
function parted(contents: string[]): { answer: string; notice: string } {
  const lines = contents.join("\n").split("\n");
  const notice = lines.filter((line) => line.startsWith("-# ")).join("\n");
  return { answer: lines.filter((line) => !line.startsWith("-# ")).join("\n"), notice };
}

/** Discord trims messages, so white space is compared by position, not by amount. */
function same(one: string, other: string): boolean {
  const bare = (text: string) => text.replace(/\s+/g, " ").trim();
  return bare(one) === bare(other);
}

function repeated(items: string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}

/** Nothing is planned, the lock is free, and one more death finds nothing to recover. */
async function leftovers(w: WorkerdHarness, { forgotten }: ScopeScenario): Promise<string[]> {
  const told = new Map(w.reports.toReversed().map(({ turnId, usage }) => [turnId, JSON.stringify(usage)]));
  const faults = await inside(w, async ({ channel }, { storage }) => {
    const rows = storage.sql.exec<{ record: string }>("SELECT record FROM turns WHERE state = 'finished'").toArray();
    const begun = rows.map(({ record }) => readTurnText(record)).filter(({ startedAt }) => startedAt !== null);
    const { lock, running, queue, parked, closing } = channel.ports.store.state();
    const alarm = await storage.getAlarm();
    const files = storage.sql.exec(FILES_LEFT).toArray().length;
    const { pending } = channel.ports.timers;
    const remembering = forgotten === undefined ? [] : tablesWith(forgotten, (query) => storage.sql.exec(query));
    return [
      ...(lock.turnId !== null || running ? ["the lock is held"] : []),
      ...(queue.length + parked.length + closing.length > 0 ? ["turns are left"] : []),
      // The alarm that deletes old turns is days away.
      ...(alarm !== null && alarm !== lock.retentionAt ? ["an alarm is left"] : []),
      ...(pending > 0 ? [`${pending} timers are left`] : []),
      ...(files > 0 ? [`${files} rows of files are left`] : []),
      ...remembering.map((table) => `forgotten words are left in ${table}`),
      // A scope counts the first report of a turn, so each report must be complete.
      ...begun.flatMap(({ id, usage }) =>
        told.get(id) === JSON.stringify(usage)
          ? []
          : [`turn ${id} used ${JSON.stringify(usage)}, told was ${told.get(id)}`],
      ),
    ];
  });
  const requests = w.requests.length;
  const posts = w.discord.log.length;
  await inside(w, (_object, state) => endLife(state, "one more")).catch(() => {});
  if ((await alarmAt(w)) !== null && (await runAlarm(w))) faults.push("an alarm runs after everything has finished");
  if (w.requests.length > requests || w.discord.log.length > posts) faults.push("a finished turn was recovered");
  return faults;
}
