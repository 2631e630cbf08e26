// The pump of one turn's reply: which endpoint it writes to, under which settings, over the messages that are stored.
import type { TurnRecord } from "../../src/core/state/record.ts";
import { repliesTo } from "../../src/core/state/reply-rule.ts";
import type { TurnRequest } from "../../src/core/state/turn-request.ts";
import { Pump, type PumpParams } from "../../src/discord/delivery/pump.ts";
import type { ReplyRouteParams } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelEndpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings, maxMessagesPerReply } from "../settings/effective-settings.ts";
import { openReplyLedger } from "./reply-ledger.ts";
import { decideFirstEndpoint, speakerLabel } from "./voice.ts";

/** Called when a reply can't be written any more. `no_access`: nor can any other in this channel. */
export type OnGone = (turnId: string, why: "gone" | "no_access") => void;

/** Makes the pump; `more` is for a reply that differs from the usual. */
export function createPump(
  ports: ChannelPorts,
  turn: TurnRecord,
  onGone: OnGone,
  more: Partial<PumpParams> = {},
): Pump {
  const { clock, timers, random, log } = ports;
  return new Pump({
    ...buildReplyRoute(ports, turn),
    maxMessages: maxMessagesPerReply(ports, turn.request),
    waits: turn.renewal === "asked",
    speakerLabel: speakerLabel(turn),
    clock,
    timers,
    random,
    log,
    onGone: (why) => onGone(turn.id, why),
    ...more,
  });
}

/** How the reply of this turn is reached. */
export function buildReplyRoute(ports: ChannelPorts, turn: TurnRecord): ReplyRouteParams {
  return {
    rest: ports.rest,
    rateLimiter: ports.rateLimiter,
    endpoint: decideFirstEndpoint(turn),
    botEndpoint: findBotEndpoint(ports, turn.request),
    turnId: turn.id,
    acknowledgedAt: turn.request.receivedAt,
    repliesTo: repliesTo(turn),
    ledger: openReplyLedger(ports, turn.id),
    linkPreviews: effectiveSettings(ports).link_previews,
  };
}

/** The channel itself, where the bot's own token opens it; else null. */
export function findBotEndpoint(
  { config }: Pick<ChannelPorts, "config">,
  { channelId, botIsHere }: TurnRequest,
): ChannelEndpoint | null {
  return config.discord.botToken === null || botIsHere === false ? null : { channelId };
}
