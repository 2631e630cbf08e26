// Looks in a channel for the message that Discord created as the response to an interaction. The interaction's token can address it without
// its id. Once that token has ended, only the bot's own token can address it, and needs the id.
import { array, looseObject, nullish, string } from "zod/mini";
import { type BotPorts, botRequest, lacksToken } from "./bot-request.ts";

/** The most messages that Discord lists at once: here the oldest ones after the interaction. */
const MOST = 100;

/**
 * Returns the id of the interaction's response; null if it is not among the first messages after the interaction, or the bot may not read them;
 * undefined while Discord can't be asked or does not accept the bot's token. A message names its interaction (docs: resources/message,
 * interaction_metadata). Reads only, so it may run twice. Never throws.
 */
export async function findResponse(
  ports: BotPorts,
  channelId: string,
  interactionId: string,
): Promise<string | null | undefined> {
  const { signal } = new AbortController();
  const path = `/channels/${channelId}/messages?limit=${MOST}&after=${interactionId}`;
  const answer = await botRequest(ports, channelId, { method: "GET", kind: "list", path, signal });
  if (!answer.ok && (answer.retryable || lacksToken(answer))) return undefined;
  const list = array(looseObject({ id: string(), interaction_metadata: nullish(looseObject({ id: string() })) }));
  const { data = [] } = list.safeParse(answer.ok ? answer.json : []);
  // The list is newest first, and further messages of the reply name the same interaction, so the last match is the response.
  return data.findLast(({ interaction_metadata: by }) => by?.id === interactionId)?.id ?? null;
}
