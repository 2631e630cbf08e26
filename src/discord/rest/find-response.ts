// Looks in a channel for the message that Discord made as the response to an interaction. The interaction's token reaches it without its id;
// once that has ended, only the bot's own token reaches it, and that by its id.
import { array, looseObject, nullish, string } from "zod/mini";
import { type BotPorts, botRequest, lacksToken } from "./bot-request.ts";

/** The most messages that Discord gives at once; it gives the oldest of those said since. */
const MOST = 100;

/**
 * The id of the interaction's response, or null where it is not among the first messages since, or where the bot may not read them; undefined
 * while Discord can't be asked, or does not accept the bot's token. Never throws. Repeating it is harmless. A message names its interaction (docs: resources/message,
 * interaction_metadata).
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
  // Newest first: further messages of the reply name the same interaction.
  return data.findLast(({ interaction_metadata: by }) => by?.id === interactionId)?.id ?? null;
}
