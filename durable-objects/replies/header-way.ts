// Finds a way to a scene's header, which may have the buttons of what a persona said. The header's id is not stored. A separate module, because
// only code that changes an older answer needs it.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ScenePart } from "../../src/core/state/scene.ts";
import { type Endpoint, ORIGINAL } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { findLate, isTokenAlive } from "./find-late.ts";
import { findBotEndpoint } from "./turn-pump.ts";

/** A way to change or delete one message. */
export interface Way {
  endpoint: Endpoint;
  id: string;
}

/** Finds the header by the scene's token, or by the bot's if that token has ended or is unknown to this life. Empty if neither reaches it. */
export async function waysToHeader(ports: ChannelPorts, turn: TurnRecord, scene: ScenePart): Promise<Way[]> {
  const { applicationId } = turn.request;
  if (isTokenAlive(ports, turn)) return [{ endpoint: { applicationId, token: scene.token }, id: ORIGINAL }];
  const bot = findBotEndpoint(ports, turn.request);
  const found = bot && (await findLate(ports, turn.request, scene.id));
  return found ? [{ endpoint: bot, id: found.id }] : [];
}
