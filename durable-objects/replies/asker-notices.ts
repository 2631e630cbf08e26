// Sends notices to people who asked by a message, outside of any turn. No interaction could show them privately, so each is a direct message,
// rarely enough not to flood anyone; otherwise a reaction on the question, or nothing.
import { reminderLine, say } from "../../src/core/copy/notices.ts";
import { heldUntil } from "../../src/core/decisions/held-reminder.ts";
import { NONCE_LIFE_MS } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { buildMessageLink } from "../../src/discord/message-link.ts";
import { sendDirectMessage } from "../../src/discord/rest/direct-message.ts";
import { decideSendFailure, mayPass, type SendFailure } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { askScope } from "../scope-calls/ask-scope.ts";
import { type QuestionPlace, type QuestionSigns, questionPlace } from "./question-signs.ts";
import { replySender, retried } from "./retried.ts";

/** A person's request, or as much of it as exists before it becomes a turn. */
export interface MessageAsker {
  userId: string;
  channelId: string;
  guildId: string | null;
  messageId?: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long an answer outside of a turn is retried. */
const BESIDE_LIMIT_MS = 10_000;
/** Between two attempts to send a direct message. */
const PRIVATE_RETRY_MS = 15_000;
/** How long the deployment's scope has for its answer, which takes milliseconds. */
const SCOPE_LIMIT_MS = 2000;

type NoticePorts = Pick<
  ChannelPorts,
  "discord" | "rest" | "config" | "marks" | "store" | "findScope" | "clock" | "keepAlive" | "log" | "timers"
>;

/** Says why a question was refused: in words once per person and hour, otherwise by a reaction. Returns at once, never throws. */
export function tellRefusal(ports: NoticePorts, signs: QuestionSigns, asker: MessageAsker, text: string): void {
  const place = questionPlace(asker);
  if (!place) return;
  if (!claimNotice(ports, `refused:${asker.userId}`, HOUR_MS)) {
    signs.refused(place);
    return;
  }
  ports.keepAlive(
    (async () => {
      const isSent = (await isFirstAnywhere(ports, asker, place)) && (await sendInPrivate(ports, asker, place, text));
      if (!isSent) signs.refused(place);
    })(),
  );
}

/** Whether no other channel has notified the person within the last hour; true if the scope doesn't answer. Never rejects. */
async function isFirstAnywhere(
  ports: NoticePorts,
  { userId, guildId }: MessageAsker,
  { messageId }: QuestionPlace,
): Promise<boolean> {
  if (guildId === null) return true;
  return (
    (await askScope(ports, null, (deployment) => deployment.mayTell(userId, messageId), null, SCOPE_LIMIT_MS)) ?? true
  );
}

/** Says that Discord doesn't let us write in the channel: once per person and day, otherwise nothing. Returns at once, never throws. */
export function tellNoAccess(ports: NoticePorts, asker: MessageAsker, text: string): void {
  const place = questionPlace(asker);
  if (!place) return;
  ports.log.warn("a question could not be answered in its channel", { messageId: place.messageId });
  if (asker.guildId === null || !claimNotice(ports, `no_access:${asker.userId}`, DAY_MS)) return;
  ports.keepAlive(sendInPrivate(ports, asker, place, text).then(() => {}));
}

/** Notes that a person gets a notice; false if they got it within the last `perMs`. If this life dies right after, nobody gets it. */
export function claimNotice({ marks, store, clock }: NoticePorts, key: string, perMs: number): boolean {
  const now = clock();
  const at = marks.at(key);
  if (at !== null && now < at + perMs) return false;
  store.transaction(() => marks.put(key, now));
  return true;
}

/** Answers a message that asks nothing. Retried for a moment, since the nonce lets Discord drop a duplicate. Returns at once. */
export function answerBeside(
  { rest, log, keepAlive, clock, timers }: NoticePorts,
  { channelId, messageId = "" }: MessageAsker,
  content: string,
): void {
  const send = replySender(rest, { channelId }, { content, repliesTo: messageId }, `n${messageId}`);
  const sent = retried({ clock, timers }, clock() + BESIDE_LIMIT_MS, send);
  keepAlive(
    sent.then((last) => {
      if (!last.ok) log.warn("a message was not answered", { messageId, text: last.text });
    }),
  );
}

/**
 * Sends a one-time reminder to its person directly when it can't be posted in its channel, for example in a locked thread. (A task comes again
 * there.) The reminder is held back until Discord has accepted or refused the message. Returns at once, never throws; the caller sets the alarm.
 */
export function remindInPrivate(
  ports: NoticePorts & Pick<ChannelPorts, "reminders">,
  { id, request: { reminder, guildId, channelId, userId }, parts }: Pick<TurnRecord, "id" | "request" | "parts">,
): void {
  if (!reminder?.number || parts.some((part) => part.state === "sent")) return;
  const { number, dueAt } = reminder;
  const { reminders, clock, keepAlive } = ports;
  reminders.hold(number, heldUntil(dueAt, clock(), "unchecked"));
  // A direct message with the bot may accept messages again by then, so it needs no pointer to the channel.
  const text = reminderLine(reminder, userId) + (guildId === null ? "" : `\n${say.remindedInPrivate(channelId)}`);
  keepAlive(
    sendDirectly(ports, userId, text, id).then((failure) => {
      if (failure !== "unauthorized" && !(failure && mayPass(failure))) reminders.markFired(number, clock());
    }),
  );
}

/** Answers in the channel itself if that is already a direct message with the person. Returns whether Discord accepted it. */
async function sendInPrivate(
  ports: NoticePorts,
  { userId, guildId }: MessageAsker,
  { channelId, messageId }: QuestionPlace,
  text: string,
): Promise<boolean> {
  if (guildId !== null) {
    const about = say.aboutMessage(buildMessageLink(guildId, channelId, messageId));
    return (await sendDirectly(ports, userId, `${text}\n${about}`, messageId)) === null;
  }
  return (await ports.rest.create({ channelId }, { content: text, repliesTo: messageId }, `n${messageId}`)).ok;
}

/** Retries for as long as Discord drops duplicates. `about`: the id of what it is about. Returns why it failed, else null. Never rejects. */
async function sendDirectly(
  { discord, log, clock, timers }: NoticePorts,
  userId: string,
  text: string,
  about: string,
): Promise<SendFailure | null> {
  const givenUpAt = clock() + NONCE_LIFE_MS - PRIVATE_RETRY_MS;
  for (;;) {
    const sent = await sendDirectMessage(discord, userId, text, `n${about}`);
    if (sent.ok) return null;
    const failure = decideSendFailure(sent);
    if (!mayPass(failure) || clock() >= givenUpAt) {
      log.warn("a person could not be notified in private", { about, error: sent.text });
      return failure;
    }
    await timers.wait(PRIVATE_RETRY_MS);
  }
}
