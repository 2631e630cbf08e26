// The way to the line above what a persona says, in which its buttons may be. Nothing has stored that message's id. A module of its own: only
// what changes an older answer reads it.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ScenePart } from "../../src/core/state/scene.ts";
import { type Endpoint, ORIGINAL } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { findLate, isTokenAlive } from "./find-late.ts";
import { findBotEndpoint } from "./turn-pump.ts";

/** How one message can be changed or deleted. */
export interface Way {
  endpoint: Endpoint;
  id: string;
}

/** By the scene's token, or by the bot's if that one has ended or this life doesn't know it. Empty: neither reaches the header. */
export async function waysToHeader(ports: ChannelPorts, turn: TurnRecord, scene: ScenePart): Promise<Way[]> {
  const { applicationId } = turn.request;
  if (isTokenAlive(ports, turn)) return [{ endpoint: { applicationId, token: scene.token }, id: ORIGINAL }];
  const bot = findBotEndpoint(ports, turn.request);
  const found = bot && (await findLate(ports, turn.request, scene.id));
  return found ? [{ endpoint: bot, id: found.id }] : [];
}
