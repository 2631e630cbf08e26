// A direct message of the bot to one person, in Discord's wire format.
import { looseObject } from "zod/mini";
import { once } from "../../core/once.ts";
import { snowflake } from "../person-json.ts";
import { fetchAsBot } from "./bot-fetch.ts";
import { refusalFrom } from "./refusal.ts";
import { createDiscordRest, type RestFailure, type RestPorts } from "./rest.ts";
import { decideSendFailure, mayPass } from "./send-failure.ts";

/** The message was sent, or why not, in words for the log. `mayPass`: a limit or an outage, not a refusal. */
export type DirectMessageResult = { ok: true } | NotSent;

interface NotSent {
  ok: false;
  error: string;
  mayPass?: true;
}

const opened = once(() => looseObject({ id: snowflake() }));

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
  return sent.ok ? { ok: true } : notSent(sent);
}

const notSent = (result: RestFailure): NotSent => ({
  ok: false,
  error: result.text,
  ...(mayPass(decideSendFailure(result)) && { mayPass: true }),
});

async function open(ports: RestPorts, userId: string): Promise<{ ok: true; channelId: string } | NotSent> {
  try {
    const response = await fetchAsBot(ports, "POST", "/users/@me/channels", { body: { recipient_id: userId } });
    const text = await response.text();
    if (!response.ok) return notSent(refusalFrom(response, text));
    return { ok: true, channelId: opened().parse(JSON.parse(text)).id };
  } catch (error) {
    ports.onLost?.("POST", error);
    return { ok: false, error: String(error), mayPass: true };
  }
}
