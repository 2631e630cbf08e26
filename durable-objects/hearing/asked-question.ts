// Reads a message as a question: decides by this channel's settings whether it is one, and reads everything for its turn that an interaction
// would bring along. All reading ends within two seconds; what is missing by then is left out, and the question is asked all the same.
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import type { Settings, StoredSettings } from "../../src/channel/settings.ts";
import { leftOutBy } from "../../src/core/access/scope-copy.ts";
import { accessText } from "../../src/core/copy/access.ts";
import { hiddenMentionHint, hiddenQuoteHelp, hiddenReplyHint, mentionHelp } from "../../src/core/copy/mention-help.ts";
import { say } from "../../src/core/copy/notices.ts";
import { silentMs } from "../../src/core/decisions/silence.ts";
import { MESSAGE_FILE_BYTES, QUESTION_CODE_POINTS } from "../../src/core/limits.ts";
import { codePoints } from "../../src/core/markdown/code-points.ts";
import { type AccessLists, refusalByLists } from "../../src/core/state/access-lists.ts";
import type { AnswerTo } from "../../src/core/state/answer-to.ts";
import { overLimit } from "../../src/core/state/attachments.ts";
import type { Submission } from "../../src/core/state/rpc.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { HeardEvent } from "../../src/gateway/heard.ts";
import type { GatewayMessage } from "../../src/gateway/message.ts";
import { readQuestion, type Verdict } from "../../src/gateway/question.ts";
import type { Channel } from "../live-channel.ts";
import { settingsInput } from "../settings/effective-settings.ts";
import { type AskerRights, readAskerRights, withRoles } from "./asker-rights.ts";
import { FACTS_LIFE_MS } from "./hearing.ts";
import { readLinkedPictures } from "./linked-pictures.ts";
import { readMentionNames } from "./mention-names.ts";
import { buildWords, type Words } from "./question-words.ts";
import { readReplyChain } from "./reply-chain.ts";
import { readVoiceChannel } from "./voice-channel.ts";

/** The verdict on a message. `said`: it asks nothing, and these words answer it. `refused`: its asker is notified privately. */
export type AskedQuestion =
  | { kind: "none" }
  | { kind: "said"; what: "help" | "hint"; text: string }
  | { kind: "refused"; text: string }
  | { kind: "asked"; submission: Submission };

const READING_LIMIT_MS = 2000;
const NONE: AskedQuestion = { kind: "none" };
/** There is no setting for the locale, and a message doesn't name one. */
const LOCALE = "en";

/**
 * Reads the message. `answerTo`: the setting that applies; null in a thread whose channel is not known. Throws if the storage fails, or if
 * the lists name roles and the asker's are not known.
 */
export async function readAskedQuestion(
  channel: Channel,
  heard: HeardEvent,
  asked: GatewayMessage,
): Promise<{ answerTo: AnswerTo | null; question: AskedQuestion }> {
  const { ports } = channel;
  const limit = new AbortController();
  const cancel = ports.timers.after(READING_LIMIT_MS, () => limit.abort());
  try {
    const message = await withPlace(channel, asked, limit.signal);
    const parent = await readParent(channel, message, limit.signal);
    const settings = settingsWith(channel, heard, parent?.settings);
    const answerTo = message.place.kind === "thread" && parent === null ? null : settings.answer_to;
    const verdict = await judge(channel, heard, message, settings, limit.signal);
    if (verdict.kind !== "question") return { answerTo, question: NONE };
    if (heard.isPaused) return { answerTo, question: { kind: "refused", text: accessText({ reason: "paused" }) } };
    const known = await withRoles(channel, message, limit.signal);
    // Without the roles nobody can decide whether the asker may ask, so the gateway tries again.
    const { roles } = known.author;
    if (roles === null && message.place.kind !== "dm" && settings.access.some(namesRoles))
      throw new Error("the roles of a question's asker are not known");
    const question = await readWhole(channel, { heard, message: known, settings, verdict, parent }, limit.signal);
    return { answerTo, question };
  } finally {
    cancel();
  }
}

/** Returns the settings that apply with those that came with the event, which are not stored yet. */
export function settingsWith(
  { ports }: Channel,
  { scope }: Pick<HeardEvent, "scope">,
  parentSettings?: StoredSettings,
): Settings {
  const stored = settingsInput(ports);
  return resolveSettings({
    ...stored,
    parent: parentSettings ?? stored.parent,
    server: scope?.settings ?? stored.server,
  });
}

const namesRoles = ({ allow_roles, deny_roles }: AccessLists) => allow_roles.length + deny_roles.length > 0;

/** Returns the message with its place. An event doesn't say whether its channel is a thread, so it counts as one until Discord says otherwise. */
async function withPlace({ ports, hearing }: Channel, message: GatewayMessage, signal: AbortSignal) {
  const { place, channelId } = message;
  const isKnown = ports.marks.parent() !== null || ports.clock() < hearing.parentRetryAt;
  if (place.kind !== "thread" || isKnown) return message;
  const facts = await hearing.facts.channel(channelId, signal);
  return facts?.isThread === false ? { ...message, place: { ...place, kind: "channel" as const } } : message;
}

interface Parent {
  id: string;
  /** Missing if they could not be read; those read earlier then still apply. */
  settings?: StoredSettings;
}

/** Reads a thread's channel, for which Discord is asked once, and its settings. Without it the server's settings apply. */
async function readParent(
  { ports, hearing }: Channel,
  { place, channelId }: GatewayMessage,
  signal: AbortSignal,
): Promise<Parent | null> {
  const { marks, clock, log, timers, settingsOf } = ports;
  if (place.kind !== "thread") return null;
  let id = marks.parent();
  if (id === null && clock() >= hearing.parentRetryAt) {
    id = (await hearing.facts.channel(channelId, signal))?.parentId ?? null;
    if (id === null) hearing.parentRetryAt = clock() + FACTS_LIFE_MS;
    else marks.saveParent(id);
  }
  if (id === null) return null;
  const parentId = id;
  try {
    const settings = await withinLimit(timers, READING_LIMIT_MS, signal, () => settingsOf(parentId));
    return { id: parentId, settings };
  } catch (error) {
    log.error("the settings of a thread's channel could not be read", { parentId, error: String(error) });
    return { id: parentId };
  }
}

/** Decides whether the message is a question. Looks up our role in the server only if the decision depends on it and it is not known yet. */
async function judge(
  { ports, hearing }: Channel,
  { self, readsContent, ownRoleId }: HeardEvent,
  message: GatewayMessage,
  { answer_to: answerTo }: Settings,
  signal: AbortSignal,
): Promise<Verdict> {
  const { place } = message;
  const isAskedThread =
    answerTo === "thread" && ports.store.recentTurns(1, { userId: message.author.id, moderator: true }).length > 0;
  const rules = { self, answerTo, isAskedThread, ownRoleId, readsContent };
  const verdict = readQuestion(message, rules);
  if (verdict.kind !== "unsure" || !("guildId" in place)) return verdict;
  const guild = await hearing.facts.guild(place.guildId, signal);
  return readQuestion(message, { ...rules, ownRoleId: guild?.botRoles.get(self.userId) ?? null });
}

interface Reading {
  heard: HeardEvent;
  message: GatewayMessage;
  settings: Settings;
  verdict: Extract<Verdict, { kind: "question" }>;
  parent: Parent | null;
}

async function readWhole(channel: Channel, reading: Reading, signal: AbortSignal): Promise<AskedQuestion> {
  const { ports, replies } = channel;
  const { heard, message, settings, verdict, parent } = reading;
  const { running, queue, lock } = ports.store.state();
  const mayAsk = refusalByLists(settings.access, message.author.id, message.author.roles ?? []) === null;
  // In a thread where every message is a question, people who may not ask speak to others.
  if (!mayAsk && verdict.by === "thread") return NONE;
  const isOpen = mayAsk && silentMs(lock, ports.clock()) === 0;
  const said = (what: "help" | "hint", text: string): AskedQuestion => (isOpen ? { kind: "said", what, text } : NONE);
  if (verdict.ask === "hint") return said("hint", verdict.by === "mention" ? hiddenMentionHint : hiddenReplyHint);
  if (verdict.ask === "help") return said("help", helpFor(reading));
  if (codePoints(verdict.text) > QUESTION_CODE_POINTS)
    return { kind: "refused", text: say.messageTooLong(QUESTION_CODE_POINTS) };
  const tooLarge = overLimit(message.attachments, MESSAGE_FILE_BYTES);
  if (tooLarge) return { kind: "refused", text: say.fileTooLarge(tooLarge.filename, MESSAGE_FILE_BYTES) };
  if (isOpen && running === null && queue.length === 0) replies.typing.show(message.channelId);
  const [{ rights }, chain, linked, voiceChannelId] = await Promise.all([
    readAskerRights(channel, message, parent?.id ?? null, signal),
    readReplyChain(ports, message, leftOutBy(heard.scope ?? ports.store.scopeNote()), signal),
    readLinkedPictures(ports, message, signal),
    readVoiceChannel(channel, message, parent, signal),
  ]);
  const words = buildWords(message, verdict, chain, linked, heard.self);
  if (words === null) return said("help", helpFor(reading));
  const names = await readMentionNames(channel, message, words.text, signal);
  return { kind: "asked", submission: submit(channel, reading, { ...words, names }, { rights, voiceChannelId }) };
}

/** Returns the help text. Without the Message Content intent, other people's words are empty, which the text then explains. */
function helpFor({ heard, message: { repliedTo } }: Reading): string {
  const quoted = repliedTo?.message;
  const isHidden = !heard.readsContent && typeof quoted === "object" && quoted.text === "";
  return isHidden ? hiddenQuoteHelp : mentionHelp;
}

function submit(
  { ports, hearing }: Channel,
  { heard: { self, scope, isOwner, isLate }, message, parent }: Reading,
  { text, quoted, attachments, taint, named, names }: Words & { names: Record<string, string> },
  { rights, voiceChannelId }: { rights: AskerRights; voiceChannelId: string | null },
): Submission {
  const { id, channelId, place, author } = message;
  return {
    trigger: {
      interactionId: id,
      token: null,
      messageId: id,
      applicationId: self.applicationId,
      receivedAt: ports.clock(),
      channelId,
      ...(parent && { parentChannelId: parent.id }),
      guildId: "guildId" in place ? place.guildId : null,
      userId: author.id,
      userName: author.name,
      ...rights,
      botIsHere: true,
      ...(ports.clock() < hearing.threadsRetryAt && { botOpensThreads: false as const }),
      ...(isOwner !== undefined && { isOwner }),
      locale: LOCALE,
      text,
      ...(Object.keys(names).length > 0 && { names }),
      ...(quoted !== "" && { quoted }),
      ...(message.repliedTo?.channelId === channelId && { repliesTo: message.repliedTo.messageId }),
      ...(attachments.length > 0 && { attachments, ownFiles: message.attachments.length }),
      ...(taint && { taint }),
      ...(named && { named }),
    },
    roles: author.roles ?? [],
    isLate,
    ...(voiceChannelId !== null && { speakers: { webhookChannelId: voiceChannelId } }),
    ...(scope && { scope }),
    ...(parent?.settings && { parentSettings: parent.settings }),
  };
}
