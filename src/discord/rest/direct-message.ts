// A direct message of the bot to one person, in Discord's wire format.
import { looseObject, regex, string } from "zod/mini";
import { once } from "../../core/once.ts";
import { refusalFrom } from "./refusal.ts";
import { createDiscordRest, type RestPorts } from "./rest.ts";
import { wireJson } from "./wire-json.ts";

/** The message was sent, or why not, in words for the log. */
export type DirectMessageResult = { ok: true } | { ok: false; error: string };

const opened = once(() => looseObject({ id: string().check(regex(/^\d{1,20}$/)) }));

/**
 * Opens the conversation with this person, and sends the text; it can't ping anyone. Needs the bot's token. Never throws. Discord drops
 * a message whose nonce (at most 25 characters) it saw in the last minutes, so a repetition soon after does no harm.
 */
export async function sendDirectMessage(
  ports: RestPorts,
  userId: string,
  content: string,
  nonce: string,
): Promise<DirectMessageResult> {
  const conversation = await open(ports, userId);
  if (!conversation.ok) return conversation;
  const sent = await createDiscordRest(ports).create({ channelId: conversation.channelId }, { content }, nonce);
  return sent.ok ? { ok: true } : { ok: false, error: sent.text };
}

async function open(
  ports: RestPorts,
  userId: string,
): Promise<{ ok: true; channelId: string } | { ok: false; error: string }> {
  const headers = {
    "User-Agent": ports.userAgent,
    Authorization: `Bot ${ports.botToken}`,
    "Content-Type": "application/json",
  };
  const body = wireJson({ recipient_id: userId });
  try {
    const response = await ports.fetch(`${ports.baseUrl}/users/@me/channels`, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) return { ok: false, error: refusalFrom(response, text).text };
    return { ok: true, channelId: opened().parse(JSON.parse(text)).id };
  } catch (error) {
    ports.onLost?.("POST", error);
    return { ok: false, error: String(error) };
  }
}
