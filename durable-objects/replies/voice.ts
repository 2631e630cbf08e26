// Chooses the voice of a persona in this channel: a webhook for it, else the bot if it is a member, else the interaction.
import { heardLine, questionLine } from "../../src/core/copy/quotes.ts";
import { repliesTo } from "../../src/core/decisions/reply-rule.ts";
import type { TurnRecord, TurnRequest, Voice } from "../../src/core/state/record.ts";
import { nameMentions } from "../../src/core/transcript/names.ts";
import { buildMessageLink } from "../../src/discord/message-link.ts";
import type { Endpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** Finds the voice. Null when the turn has none: it must not speak as the bot. */
export async function findVoice(
  { voices, config, log }: Pick<ChannelPorts, "voices" | "config" | "log">,
  { request }: Pick<TurnRecord, "request">,
): Promise<Voice | null> {
  const webhookChannelId = voiceChannel(request);
  if (voices && webhookChannelId !== null) {
    const found = await voices.of(webhookChannelId);
    if (found.ok) return { kind: "webhook", ...found.voice };
    log.warn("could not get a webhook for a persona", { fault: found.error });
  }
  if (request.impersonatedUserId !== undefined) return null;
  return { kind: config.discord.botToken !== null && request.botIsHere ? "bot" : "followup" };
}

/** The channel whose webhook may post for the turn's persona; null where none can. */
export const voiceChannel = ({ scene, webhookChannelId }: TurnRequest): string | null =>
  scene ? scene.webhookChannelId : (webhookChannelId ?? null);

/** Decides where a turn's messages go first: to its persona's voice, else by the interaction's token, else by the bot. */
export function decideFirstEndpoint({ request, voice }: Pick<TurnRecord, "request" | "voice">): Endpoint {
  const { token, scene, applicationId, channelId, persona } = request;
  if (scene && voice?.kind === "followup") return { applicationId, token: scene.token };
  if (voice?.kind === "webhook")
    return {
      webhookId: voice.id,
      webhookToken: voice.token,
      // A webhook of the parent channel posts in a thread by the thread's id (Discord).
      threadId: voiceChannel(request) === channelId ? null : channelId,
      username: persona?.name ?? "",
      avatarUrl: persona?.avatarUrl ?? null,
    };
  return token === null ? { channelId } : { applicationId, token };
}

/** The name in front of a persona's text; empty when the message itself shows it, and where the bot says which thread has the answer. */
export const speakerLabel = ({
  request: { persona },
  voice,
  threadSince,
}: Pick<TurnRecord, "request" | "voice" | "threadSince">): string =>
  persona && voice?.kind !== "webhook" && threadSince === undefined ? `**${persona.name}:** ` : "";

/** The line that links to the question, before an answer by webhook, which can't be a Discord reply; empty elsewhere. */
export function questionLink({ request, voice }: Pick<TurnRecord, "request" | "voice">): string {
  const question = repliesTo({ request });
  if (voice?.kind !== "webhook" || question === null) return "";
  return `${buildMessageLink(request.guildId, request.channelId, question)}\n`;
}

/** The lines before an answer that quote the question and transcribe its audio; empty where they are not shown. */
export const shownQuestion = ({ showsQuestion, text, names = {}, heard = [] }: TurnRequest): string =>
  (showsQuestion ? questionLine(nameMentions(text, names)) : "") + heardLine(heard.map((one) => one.text).join(" "));
