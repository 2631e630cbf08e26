// Decides which messages, edits and deletions are forwarded, and reads what was said in known channels during a gap. Discord keeps no events
// of a lost session, so the channels are read by REST; only messages younger than five minutes are still answered.
import { forward, noteChannel, resolveRole } from "./forwarding.ts";
import type { GatewayInput } from "./inputs-and-actions.ts";
import type { EditedMessage, GatewayMessage } from "./message.ts";
import { type QuestionRules, readQuestion } from "./question.ts";
import { isInAskedThread } from "./recollection.ts";
import { compareIds, idAt } from "./snowflake.ts";
import { act, log, type Step, save, setLive } from "./step.ts";
import { MAX_DELETED, MAX_PAGES, PAGE_MESSAGES, QUESTION_LIFE_MS, READ_RETRY_MS, ROLE_LIFE_MS } from "./timings.ts";

/**
 * Handles a message: forwards it if it is a question, or may be one. The first message of a thread has the thread's id. If it is new it begins a
 * forum post; if it is old or known it repeats the message from which the thread was made (hermes-agent#51153).
 */
export function onMessage(step: Step, message: GatewayMessage, seq: number | null): void {
  const { id } = message;
  if (step.known.questions[id] || step.live.deleted.includes(id)) return;
  if (id === message.channelId && isOld(step, id)) return;
  const { kind } = verdictOn(step, message);
  const isOurs = kind === "none";
  if (isOurs && !isOursInThread(step, message)) return;
  const channel = step.known.channels[message.channelId] ?? { answerTo: null, first: id };
  noteChannel(step, message.channelId, { ...channel, place: message.place, at: step.now, ...(isOurs && { isOurs }) });
  if (!isOurs) forward(step, { kind: "asked", message }, seq, kind === "unsure");
}

/** Handles an edit. Only edits of questions matter, and each only once; unfurled links come without an edit's time. */
export function onEdited(step: Step, edit: EditedMessage, seq: number | null): void {
  const question = step.known.questions[edit.messageId];
  const isNew = question
    ? !question.deleted && (question.editedAt ?? "") < edit.editedAt
    : isUnderWay(step, edit.messageId);
  if (isNew) forward(step, { kind: "edited", edit }, seq);
}

/**
 * Handles the deletion of one or more messages. A deletion may come before its message, because Discord promises no order (discord-api-docs#850),
 * or while a page with the message is on its way.
 */
export function onDeleted(step: Step, channelId: string, messageIds: readonly string[], seq: number | null): void {
  setLive(step, { deleted: [...step.live.deleted, ...messageIds].slice(-MAX_DELETED) });
  for (const messageId of messageIds) {
    const question = step.known.questions[messageId];
    if (question ? !question.deleted : isUnderWay(step, messageId))
      forward(step, { kind: "deleted", messageId, channelId }, seq);
  }
}

/** Handles the answer about our managed role in a server; null if we have none there. */
export function onRole(step: Step, guildId: string, roleId: string | null): void {
  setLive(step, { roles: { ...step.live.roles, [guildId]: { roleId, at: step.now } } });
  resolveRole(step, guildId, (event) => event.kind !== "asked" || verdictOn(step, event.message).kind === "question");
}

/** Reads the channels that must still be read. Called once a session is ready, so that nothing can be missed afterwards. */
export function readUnread(step: Step): void {
  for (const id of step.saved.unread) read(step, id, { pages: 0, failures: 0, after: "0" });
}

/** Handles a page of a channel's messages. */
export function onRead(
  step: Step,
  { generation, channelId, messages, isLast }: Extract<GatewayInput, { kind: "read" }>,
): void {
  const reading = step.live.reading[channelId];
  if (reading?.generation !== generation) return;
  const inOrder = messages.toSorted((one, other) => compareIds(one.id, other.id));
  for (const message of inOrder) onMessage(step, message, null);
  const newest = inOrder.at(-1);
  if (isLast || !newest || reading.pages >= MAX_PAGES) {
    endReading(step, channelId);
    return;
  }
  read(step, channelId, { ...reading, after: newest.id });
}

/** Handles a failed read. Gives the channel up if it is closed to us or gone, or if its questions will be too old by the next attempt. */
export function onReadFailed(
  step: Step,
  { generation, channelId, retryAfterMs }: Extract<GatewayInput, { kind: "read_failed" }>,
): void {
  const reading = step.live.reading[channelId];
  if (reading?.generation !== generation) return;
  const { failures } = reading;
  const waitMs = Math.max(READ_RETRY_MS * 2 ** failures, retryAfterMs ?? QUESTION_LIFE_MS);
  if (waitMs < QUESTION_LIFE_MS) {
    setReading(step, channelId, { ...reading, failures: failures + 1, retryAt: step.now + waitMs });
    return;
  }
  log(step, "warn", "a channel could not be read after a gap", { channelId });
  endReading(step, channelId);
}

/** Repeats the reads that are due. */
export function tickReading(step: Step): void {
  for (const [id, reading] of Object.entries(step.live.reading))
    if (reading.retryAt !== null && reading.retryAt <= step.now)
      read(step, id, { ...reading, pages: reading.pages - 1 });
}

/** Makes every waiting read due, because the clock was set back. */
export function rebaseReading(step: Step): void {
  for (const [id, reading] of Object.entries(step.live.reading))
    if (reading.retryAt !== null) setReading(step, id, { ...reading, retryAt: step.now });
}

/** Returns when `tickReading` has something to do. */
export const readingDue = ({ live }: Step): number[] =>
  Object.values(live.reading).flatMap(({ retryAt }) => (retryAt === null ? [] : [retryAt]));

function verdictOn(step: Step, message: GatewayMessage) {
  const { saved, live, known, now } = step;
  if (!saved.self) return { kind: "none" } as const;
  const role = "guildId" in message.place ? live.roles[message.place.guildId] : undefined;
  const rules: QuestionRules = {
    self: saved.self,
    // The widest setting. The channel knows its current setting, and decides what that excludes.
    answerTo: "thread",
    isAskedThread: isInAskedThread(known, message, now),
    ownRoleId: role && now - role.at < ROLE_LIFE_MS ? role.roleId : undefined,
    readsContent: saved.readsContent,
  };
  return readQuestion(message, rules);
}

/**
 * Whether we wrote this message in a thread, for example to answer a command, which the gateway doesn't see. The thread is then noted, and when the
 * next message comes, its object says whether everything said there is a question. That needs the text of all messages.
 */
const isOursInThread = ({ saved }: Step, { place, author }: GatewayMessage): boolean =>
  saved.readsContent && place.kind === "thread" && author.id === saved.self?.userId;

/** Whether a question with this message's id is on its way to its channel. */
const isUnderWay = ({ live }: Step, messageId: string): boolean => `asked:${messageId}` in live.forwards;

const oldest = ({ now }: Step): string => idAt(now - QUESTION_LIFE_MS);
const isOld = (step: Step, id: string): boolean => compareIds(id, oldest(step)) < 0;

type Reading = Step["live"]["reading"][string];

function read(
  step: Step,
  channelId: string,
  { pages, failures, after: seen }: Pick<Reading, "pages" | "failures" | "after">,
): void {
  const { generation } = step.live;
  const place = step.known.channels[channelId]?.place;
  if (!place) {
    endReading(step, channelId);
    return;
  }
  // Checked for each attempt, because meanwhile more messages have become too old.
  const after = isOld(step, seen) ? oldest(step) : seen;
  setReading(step, channelId, { generation, pages: pages + 1, failures, after, retryAt: null });
  act(step, { kind: "read", generation, channelId, place, after, limit: PAGE_MESSAGES });
}

function setReading(step: Step, channelId: string, reading: Reading): void {
  setLive(step, { reading: { ...step.live.reading, [channelId]: reading } });
}

function endReading(step: Step, channelId: string): void {
  const { [channelId]: _, ...reading } = step.live.reading;
  setLive(step, { reading });
  save(step, { unread: step.saved.unread.filter((id) => id !== channelId) });
}
