// Everything that asks for a turn: /chat, the form of /ask-long and "Ask about this". Refuses what can be judged without the
// channel's object and passes the rest to it.

import { say } from "../../core/copy/notices.ts";
import { quoteLines } from "../../core/copy/quotes.ts";
import { refusalText, UNAVAILABLE } from "../../core/copy/refusals.ts";
import { QUESTION_CODE_POINTS } from "../../core/limits.ts";
import { codePoints } from "../../core/markdown/code-points.ts";
import { type Attachment, overLimit } from "../../core/state/attachments.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import { isPrivatePlace } from "../../core/state/private-turns.ts";
import type { TurnRequest } from "../../core/state/record.ts";
import type { WantedSpeakers } from "../../core/state/scene.ts";
import { addressesInWords } from "../../core/taint/addresses.ts";
import { cleanUntrusted } from "../../core/taint/untrusted-text.ts";
import { mentionsIn } from "../../core/transcript/names.ts";
import { type AskedMessage, questionAbout } from "../interactions/asked-message.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, thinking } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, ownership, reach, scopeNote } from "./channel-port.ts";

/** Takes a question in the person's own words, with their files. The same interaction may come twice; it still gets one turn. */
export async function ask(
  actor: Actor,
  question: { text: string; attachments: Attachment[] },
  ports: AnswerPorts,
  { wantsThread = false, ...speakers }: Pick<WantedSpeakers, "persona" | "scene"> & { wantsThread?: boolean } = {},
): Promise<object> {
  const text = question.text.trim();
  // Beside a file, people write a blank letter where Discord wants words.
  const isBlank = question.attachments.length === 0 && cleanUntrusted(text).trim() === "";
  if (text === "" || isBlank) return privately(say.emptyMessage);
  if (codePoints(text) > QUESTION_CODE_POINTS) return privately(say.messageTooLong(QUESTION_CODE_POINTS));
  const tooLarge = overLimit(question.attachments, actor.fileLimit);
  if (tooLarge) return privately(say.fileTooLarge(tooLarge.filename, actor.fileLimit));
  // A scene begins with a line of its own.
  const isHidden = speakers.scene === undefined;
  return submitTurn(actor, { text, attachments: question.attachments, isHidden, wantsThread }, speakers, ports);
}

/**
 * Takes a question about someone's message. Its files were sent under their sender's limit, so the asker's limit does not apply.
 */
export async function askAbout(actor: Actor, message: AskedMessage, ports: AnswerPorts): Promise<object> {
  const { author, attachments } = message;
  const text = cleanUntrusted(message.text);
  if (text === "" && attachments.length === 0) return privately(say.nothingToAskAbout);
  const named = [...addressesInWords(text)];
  const about = {
    text: questionAbout({ author: cleanUntrusted(author), text }),
    quoted: quoteLines(text),
    taint: "full",
    named,
  } as const;
  return submitTurn(actor, { ...about, attachments, repliesTo: message.id, isHidden: false }, {}, ports);
}

/** What is asked. `isHidden`: Discord shows it to nobody else. */
interface AskedQuestion extends Pick<TurnRequest, "text" | "quoted" | "taint" | "named"> {
  attachments: Attachment[];
  repliesTo?: string | undefined;
  isHidden: boolean;
  wantsThread?: boolean;
}

async function submitTurn(
  actor: Actor,
  { text, attachments, repliesTo, isHidden, wantsThread, ...others }: AskedQuestion,
  wanted: WantedSpeakers,
  ports: AnswerPorts,
): Promise<object> {
  const request = buildTurnRequest(actor, text, attachments, ports.now());
  const receipt = await reach(actor, ports, "submit", async (channel) =>
    channel.submit({
      trigger: {
        ...request,
        ...others,
        ...ownership(actor, ports),
        ...(repliesTo && { repliesTo }),
        ...(isHidden && { showsQuestion: true as const }),
        ...(wantsThread && { wantsThread: true as const }),
      },
      roles: actor.roles,
      speakers: { ...wanted, webhookChannelId: findWebhookChannel(actor, ports) },
      ...scopeNote(ports),
      ...(await inherited(actor, ports)),
    }),
  );
  if (!receipt) return privately(UNAVAILABLE);
  return receipt.kind === "accepted" ? thinking() : privately(refusalText(receipt.refusal));
}

/**
 * The channel whose webhook may give personas a voice here, or null. A thread has no webhooks of its own; its parent's can post
 * in it (Discord).
 */
export function findWebhookChannel(
  { installContext, lendsVoices, parentChannelId, channelId }: Actor,
  { hasBotToken }: AnswerPorts,
) {
  return hasBotToken && isBotMember(installContext) && lendsVoices ? (parentChannelId ?? channelId) : null;
}

/** Builds the turn request of this person. `receivedAt` is in epoch milliseconds. */
export function buildTurnRequest(
  actor: Actor,
  text: string,
  attachments: Attachment[],
  receivedAt: number,
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
