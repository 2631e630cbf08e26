// Handles everything that asks for a turn: /chat, the form of /ask-long and "Ask about this". Refuses what can be judged without the channel's
// object, and passes the rest on to it.

import { say } from "../../core/copy/notices.ts";
import { quoteLines } from "../../core/copy/quotes.ts";
import { refusalText, UNAVAILABLE } from "../../core/copy/refusals.ts";
import { QUESTION_CODE_POINTS } from "../../core/limits.ts";
import { codePoints } from "../../core/markdown/code-points.ts";
import { type Attachment, overLimit } from "../../core/state/attachments.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import { isPrivatePlace } from "../../core/state/private-turns.ts";
import type { TurnRequest } from "../../core/state/record.ts";
import type { Submission } from "../../core/state/rpc.ts";
import type { WantedSpeakers } from "../../core/state/scene.ts";
import { addressesInAnswer, addressesInWords } from "../../core/taint/addresses.ts";
import { cleanUntrusted } from "../../core/taint/untrusted-text.ts";
import { mentionsIn } from "../../core/transcript/names.ts";
import { type AskedMessage, questionAbout } from "../interactions/asked-message.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, thinking } from "../interactions/respond.ts";
import { type AnswerPorts, ownership, reach, surroundings } from "./channel-port.ts";

/** Takes a question in the person's own words, with their files. If the same interaction comes twice, it still gets only one turn. */
export async function ask(
  actor: Actor,
  ports: AnswerPorts,
  question: { text: string; attachments: Attachment[] },
  { wantsThread = false, ...speakers }: Pick<WantedSpeakers, "persona" | "scene"> & { wantsThread?: boolean } = {},
): Promise<object> {
  const text = question.text.trim();
  // Discord requires words. People who only send a file write an invisible character.
  const isBlank = question.attachments.length === 0 && cleanUntrusted(text).trim() === "";
  if (text === "" || isBlank) return privately(say.emptyMessage);
  if (codePoints(text) > QUESTION_CODE_POINTS) return privately(say.messageTooLong(QUESTION_CODE_POINTS));
  const tooLarge = overLimit(question.attachments, actor.fileLimit);
  if (tooLarge) return privately(say.fileTooLarge(tooLarge.filename, actor.fileLimit));
  const request: TurnRequest = {
    ...buildTurnRequest(actor, ports.now(), text, question.attachments),
    // A scene begins with its own line instead.
    ...(speakers.scene === undefined && { showsQuestion: true }),
    ...(wantsThread && { wantsThread: true }),
  };
  return submit(actor, ports, request, readSpeakers(actor, ports, speakers));
}

/**
 * Takes a question about someone's message. Its files were sent under its author's size limit, so the asker's does not apply.
 */
export async function askAbout(
  actor: Actor,
  ports: AnswerPorts,
  { id, author, authorId, applicationId, attachments, ...message }: AskedMessage,
): Promise<object> {
  const text = cleanUntrusted(message.text);
  if (text === "" && attachments.length === 0) return privately(say.nothingToAskAbout);
  const mayBeOurs = message.hasOthers || authorId === ports.botId || applicationId === actor.applicationId;
  const asked = questionAbout({ author: cleanUntrusted(author), text });
  const request: TurnRequest = {
    ...buildTurnRequest(actor, ports.now(), asked, attachments),
    quoted: quoteLines(text),
    taint: "full",
    named: [...(mayBeOurs ? addressesInAnswer : addressesInWords)(text)],
    ...(id && { repliesTo: id }),
  };
  return submit(actor, ports, request, readSpeakers(actor, ports));
}

/** Passes a question to the channel's object. `accepted` builds the answer if the object takes the question. */
export async function submit(
  actor: Actor,
  ports: AnswerPorts,
  request: TurnRequest,
  speakers: WantedSpeakers | null,
  accepted: () => object = thinking,
): Promise<object> {
  const receipt = await reach(actor, ports, "submit", async (channel) =>
    channel.submit(await buildSubmission(actor, ports, request, speakers)),
  );
  if (!receipt) return privately(UNAVAILABLE);
  return receipt.kind === "accepted" ? accepted() : privately(refusalText(receipt.refusal));
}

/** Builds a question in the form that the channel's object gets. Rejects as the port does. */
export const buildSubmission = async (
  actor: Actor,
  ports: AnswerPorts,
  request: TurnRequest,
  speakers: WantedSpeakers | null,
): Promise<Submission> => ({
  trigger: { ...request, ...ownership(actor, ports) },
  roles: actor.roles,
  ...(speakers && { speakers }),
  ...(await surroundings(actor, ports)),
});

/**
 * Returns who should speak. Personas have their own voice if the bot may create a webhook in the channel. A thread has no webhooks, but its
 * parent's can post in it (Discord).
 */
export function readSpeakers(
  { installContext, lendsVoices, parentChannelId, channelId }: Actor,
  { hasBotToken }: AnswerPorts,
  wanted: Pick<WantedSpeakers, "persona" | "scene"> = {},
): WantedSpeakers {
  const hasVoices = hasBotToken && isBotMember(installContext) && lendsVoices;
  return { ...wanted, webhookChannelId: hasVoices ? (parentChannelId ?? channelId) : null };
}

/** Builds the turn request of this person. `receivedAt` is in epoch milliseconds. */
export function buildTurnRequest(
  actor: Actor,
  receivedAt: number,
  text = "",
  attachments: Attachment[] = [],
): TurnRequest {
  const { interactionId, token, applicationId, channelId, parentChannelId, guildId, userId, userName } = actor;
  const { moderator, permissions, broughtBy, locale } = actor;
  const names = mentionsIn(text).flatMap((key) => (Object.hasOwn(actor.names, key) ? [[key, actor.names[key]]] : []));
  return {
    interactionId,
    token,
    applicationId,
    receivedAt,
    channelId,
    ...(parentChannelId !== null && { parentChannelId }),
    guildId,
    userId,
    userName,
    moderator,
    permissions,
    botIsHere: isBotMember(actor.installContext),
    ...(!actor.opensThreads && { botOpensThreads: false as const }),
    ...(isPrivatePlace(actor.installContext) && { privateTo: userId }),
    ...(broughtBy !== null && { broughtBy }),
    ageRestricted: actor.ageRestricted,
    locale,
    text,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(attachments.length > 0 && { attachments }),
  };
}
