// Sends a direct message from the bot to one person, in Discord's wire format.
import { looseObject } from "zod/mini";
import { once } from "../../core/once.ts";
import { snowflake } from "../person-json.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import { refusalFrom, TOKEN_REFUSED } from "./refusal.ts";
import { createDiscordRest, type RestFailure, type RestPorts } from "./rest.ts";

/** The message was sent, or why not. */
export type DirectMessageResult = { ok: true } | RestFailure;

const opened = once(() => looseObject({ id: snowflake() }));

/**
 * Opens the conversation with this person and sends the text, which can't ping anyone. Never throws. Discord drops a message whose nonce (at
 * most 25 characters) it saw in the last few minutes, so it is safe to repeat soon after.
 */
export async function sendDirectMessage(
  ports: RestPorts,
  userId: string,
  content: string,
  nonce: string,
): Promise<DirectMessageResult> {
  if (ports.botToken === null) return TOKEN_REFUSED;
  const conversation = await open(ports, userId);
  if (!conversation.ok) return conversation;
  return createDiscordRest(ports).create({ channelId: conversation.channelId }, { content }, nonce);
}

async function open(ports: RestPorts, userId: string): Promise<{ ok: true; channelId: string } | RestFailure> {
  try {
    const response = await fetchAsBot(ports, "POST", "/users/@me/channels", { body: { recipient_id: userId } });
    const text = await response.text();
    if (!response.ok) return refusalFrom(response, text);
    return { ok: true, channelId: opened().parse(JSON.parse(text)).id };
  } catch (error) {
    ports.onLost?.("POST", error);
    return { ok: false, kind: "unreachable", text: String(error) };
  }
}
