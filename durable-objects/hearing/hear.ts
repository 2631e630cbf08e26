// Takes what the gateway's object has heard: questions, their edits and their deletions. Everything may come twice. Questions are admitted
// as those of interactions are, by the id of their message, in the order in which they came.
import { refusalText } from "../../src/core/copy/refusals.ts";
import { describeError } from "../../src/core/describe-error.ts";
import { QUESTION_CODE_POINTS } from "../../src/core/limits.ts";
import { codePoints } from "../../src/core/markdown/code-points.ts";
import type { AnswerTo } from "../../src/core/state/answer-to.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { openTurns } from "../../src/core/state/unfinished.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { EditedMessage, GatewayMessage } from "../../src/gateway/message.ts";
import { questionText } from "../../src/gateway/question.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { admitMessage } from "../operations/admit.ts";
import { stopTurns } from "../operations/stop.ts";
import { tick } from "../operations/tick.ts";
import { answerBeside, claimNotice, type MessageAsker, tellNoAccess, tellRefusal } from "../replies/asker-notices.ts";
import { rearm } from "../schedule/rearm.ts";
import { deletionMark, isDeleted } from "../store/marks.ts";
import { eraseIfUntouched, planRetention } from "../upkeep/retention.ts";
import { type AskedQuestion, readAskedQuestion, settingsWith } from "./asked-question.ts";
import { withQuotes } from "./question-words.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Shorter than the gateway waits for us. */
const THREAD_LIMIT_MS = 5000;

/** Takes one event. Repeating it changes nothing. Rejects if it could not be stored: the caller must then repeat it. */
export async function hear(channel: Channel, heard: HeardEvent): Promise<HeardReceipt> {
  try {
    const answerTo = await take(channel, heard);
    tick(channel);
    // A message that was not a question creates no storage if there was none.
    if (channel.hearing.underWay.size === 0) eraseIfUntouched(channel);
    return { answerTo };
  } catch (error) {
    channel.ports.log.error("a message was not taken", { kind: heard.event.kind, error: describeError(error) });
    throw error;
  }
}

async function take(channel: Channel, heard: HeardEvent): Promise<AnswerTo | null> {
  const { event } = heard;
  switch (event.kind) {
    case "asked":
      return hearQuestion(channel, heard, event.message);
    case "edited":
      await channel.hearing.inOrder;
      changeQuestion(channel, heard, event.edit);
      break;
    case "deleted":
      await takeBack(channel, heard, event.messageId);
      break;
  }
  return settingsWith(channel, heard).answer_to;
}

/** Reads a question once. The gateway gives up after some seconds and repeats its call, which then joins the reading that is under way. */
function hearQuestion(channel: Channel, heard: HeardEvent, message: GatewayMessage): Promise<AnswerTo | null> {
  const { underWay } = channel.hearing;
  const known = underWay.get(message.id);
  if (known) return known;
  const work = takeQuestion(channel, heard, message).finally(() => underWay.delete(message.id));
  underWay.set(message.id, work);
  return work;
}

async function takeQuestion(channel: Channel, heard: HeardEvent, message: GatewayMessage): Promise<AnswerTo | null> {
  if (isDone(channel, message.id)) return settingsWith(channel, heard).answer_to;
  const { hearing } = channel;
  const before = hearing.inOrder;
  let release = () => {};
  hearing.inOrder = new Promise((resolve) => {
    release = resolve;
  });
  try {
    const { question, answerTo } = await readAskedQuestion(channel, heard, message);
    await before;
    // The question may have been deleted meanwhile.
    if (!isDone(channel, message.id)) answer(channel, message, question);
    return answerTo;
  } finally {
    // Released only after the earlier ones: even if this question could not be read, later ones must not overtake earlier ones.
    void before.then(release);
  }
}

/** Whether the message already has a turn, or was deleted. */
const isDone = ({ ports: { store, marks } }: Channel, messageId: string): boolean =>
  store.turn(messageId) !== null || isDeleted(marks, messageId);

function answer(channel: Channel, message: GatewayMessage, question: AskedQuestion): void {
  const { ports, replies } = channel;
  const { id: messageId, channelId, place, author } = message;
  const guildId = "guildId" in place ? place.guildId : null;
  const asker: MessageAsker = { userId: author.id, channelId, guildId, messageId };
  switch (question.kind) {
    case "none":
      return;
    case "said": {
      const [key, perMs] = question.what === "hint" ? (["hint", DAY_MS] as const) : (["help", MINUTE_MS] as const);
      if (claimNotice(ports, `${key}:${author.id}`, perMs)) answerBeside(ports, asker, question.text);
      break;
    }
    case "refused":
      tellRefusal(ports, replies.signs, asker, question.text);
      break;
    case "asked": {
      const receipt = admitMessage(channel, question.submission);
      const turn = ports.store.turn(messageId);
      if (receipt.kind === "accepted") {
        if (turn?.state === "queued" && turn.steers === null) replies.signs.waits({ channelId, messageId });
      } else if (receipt.refusal.reason === "no_access") tellNoAccess(ports, asker, refusalText(receipt.refusal));
      else tellRefusal(ports, replies.signs, asker, refusalText(receipt.refusal));
      return;
    }
  }
  // There is no turn that would plan the deletion of the note about what was said.
  ports.store.transaction(() => planRetention(ports));
  rearm(channel);
}

/**
 * Takes an edit of a question that is still waiting for its turn or its thread. The question gets its newest words, and a file that was
 * removed from it is not read; stickers and a poll stay, because no edit changes them. An edit is ignored if the turn has begun, or if it
 * leaves neither words nor files.
 */
function changeQuestion({ ports }: Channel, heard: HeardEvent, edit: EditedMessage): void {
  const { messageId, editedAt, attachments, asides = [], names = {} } = edit;
  const { store } = ports;
  const words = questionText(edit.text, { self: heard.self, ownRoleId: heard.ownRoleId });
  if ((words === "" && !attachments?.length) || codePoints(words) > QUESTION_CODE_POINTS) return;
  store.transaction(() => {
    const turn = store.turn(messageId);
    if (!turn || turn.startedAt !== null || (turn.state !== "queued" && turn.threadSince === undefined)) return;
    const { quoted = "", editedAt: lastEdit = "", attachments: files = [], ownFiles = 0 } = turn.request;
    if (editedAt <= lastEdit) return;
    const { text } = withQuotes([words, ...asides].filter((line) => line !== "").join("\n"), quoted);
    const known = { ...turn.request.names, ...names };
    const named = Object.keys(known).length > 0 && { names: known };
    const own = files.slice(0, ownFiles).filter(({ id }) => attachments?.some((left) => left.id === id) ?? true);
    const left = { attachments: [...own, ...files.slice(ownFiles)], ownFiles: own.length };
    store.saveTurn({ ...turn, request: { ...turn.request, text, editedAt, ...named, ...(files.length > 0 && left) } });
  });
}

/**
 * Ends the turn of a question that was deleted, as Stop by its asker does. If the question itself arrives later, it is not admitted. Rejects
 * if the turn is in a thread whose object can't be reached.
 */
async function takeBack(channel: Channel, heard: HeardEvent, messageId: string): Promise<void> {
  const { ports } = channel;
  const { store, marks, clock } = ports;
  const turn = store.turn(messageId);
  const threadId = turn?.threadId;
  if (turn?.state === "finished" && threadId !== undefined) return tellThread(ports, threadId, heard);
  if (turn?.state === "finished") return stopAskedAgain(channel, turn);
  if (turn?.state === "refused") return;
  if (!isDeleted(marks, messageId))
    store.transaction(() => {
      marks.put(deletionMark(messageId), clock());
      planRetention(ports);
    });
  rearm(channel);
  // The thread's object has the turn, or may still get it from a request that is on its way.
  if (threadId !== undefined) return tellThread(ports, threadId, heard);
  if (!turn) return;
  const { userId, userName } = turn.request;
  // No interaction has the id of a message, so the stored answer is the deletion's own.
  stopTurns(channel, { interactionId: messageId, kind: "stop", turnId: messageId, userId, userName, moderator: false });
}

/** Ends the turns that Retry, Continue and Regenerate have made of a deleted question. Earlier answers stay. */
function stopAskedAgain(channel: Channel, question: TurnRecord): void {
  const { store } = channel.ports;
  const { userId, userName } = question.request;
  const isAgain = ({ request: { again } }: TurnRecord): boolean => {
    const before = again === undefined ? null : store.turn(again);
    return before !== null && (before.id === question.id || isAgain(before));
  };
  for (const { id: turnId } of openTurns(store.state()).filter(isAgain)) {
    const interactionId = `${question.id}:${turnId}`;
    stopTurns(channel, { interactionId, kind: "stop", turnId, userId, userName, moderator: false });
  }
}

async function tellThread({ hearIn, timers }: ChannelPorts, threadId: string, heard: HeardEvent): Promise<void> {
  await withinLimit(timers, THREAD_LIMIT_MS, null, () => hearIn(threadId, heard));
}
