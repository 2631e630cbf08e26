// Helps with replies to old interactions: whether the token is still good, and where the message is if it isn't.
import { holdsToken } from "../../src/core/decisions/token-life.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import type { SentMessage } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/**
 * Finds an interaction's response after its token has ended; undefined while Discord can't be asked. Discord doesn't show the bot a response
 * that only one person can see.
 */
export async function findLate(
  { discord }: ChannelPorts,
  { channelId }: Pick<TurnRequest, "channelId">,
  interactionId: string,
): Promise<Pick<SentMessage, "id" | "ephemeral"> | null | undefined> {
  const { findResponse } = await import("../../src/discord/rest/find-response.ts");
  const id = await findResponse(discord, channelId, interactionId);
  return id ? { id, ephemeral: false } : (id as null | undefined);
}

/** Whether the token of the reply, or of its scene's header, is still known and good. */
export const isTokenAlive = ({ clock }: Pick<ChannelPorts, "clock">, turn: TurnRecord): boolean =>
  holdsToken(turn, clock());
