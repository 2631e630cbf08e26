// Builds the pump of one turn's reply from the turn's endpoint, settings and stored messages.

import { repliesTo } from "../../src/core/decisions/reply-rule.ts";
import { mentionPeople } from "../../src/core/markdown/mentions.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { TurnRequest } from "../../src/core/state/turn-request.ts";
import { clickTarget } from "../../src/discord/components.ts";
import { Pump } from "../../src/discord/delivery/pump.ts";
import type { PumpParams } from "../../src/discord/delivery/pump-params.ts";
import type { ReplyRouteParams } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelEndpoint } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { maxMessagesPerReply } from "../settings/effective-settings.ts";
import { knownPeople } from "../turn/known-people.ts";
import { findLate } from "./find-late.ts";
import { notedRest } from "./noted-rest.ts";
import { openReplyLedger } from "./reply-ledger.ts";
import { readReplyLinks } from "./reply-links.ts";
import { decideFirstEndpoint, questionLink, shownQuestion, speakerLabel } from "./voice.ts";

/** Called when a reply can no longer be written. `no_access`: the whole channel is closed to us. */
export type OnGone = (turnId: string, why: "gone" | "no_access") => void;

/** Builds the pump. `more` overrides the usual parameters. */
export function createPump(ports: ChannelPorts, turn: TurnRecord, onGone: OnGone, more: Partial<PumpParams>): Pump {
  const { clock, timers, random, requests, log } = ports;
  return new Pump({
    ...buildReplyRoute(ports, turn),
    maxMessages: maxMessagesPerReply(ports, turn.request),
    waits: turn.renewal === "asked",
    questionLink: questionLink(turn),
    questionLine: () => shownQuestion((ports.store.recall(turn.id) ?? turn).request),
    speakerLabel: speakerLabel(turn),
    mention: (markdown) =>
      markdown.includes("@") ? mentionPeople(markdown, knownPeople(ports.store, turn.id)) : markdown,
    clock,
    timers,
    random,
    requests,
    log,
    clickTarget: clickTarget(turn.id, turn.request.broughtBy),
    onGone: (why) => onGone(turn.id, why),
    ...more,
  });
}

/** Builds the reply route of a turn. */
export function buildReplyRoute(ports: ChannelPorts, turn: TurnRecord): ReplyRouteParams {
  const { requestNotes, clock } = ports;
  const question = repliesTo(turn);
  const link = questionLink(turn);
  const { beginsThread: isThread = false, channelId, reminder } = turn.request;
  const since = question ?? (isThread ? channelId : reminder ? "" : null);
  const byWebhook = turn.voice?.kind === "webhook";
  return {
    ...notedRest(ports, clock, (request) => requestNotes.noteRequest(turn.id, request)),
    endpoint: decideFirstEndpoint(turn),
    botEndpoint: findBotEndpoint(ports, turn.request),
    turnId: turn.id,
    acknowledgedAt: turn.request.receivedAt,
    repliesTo: link === "" ? question : null,
    ...(since !== null && {
      findFirst: async (content: string | null) =>
        (await import("./find-reply.ts")).findReply(ports, turn.request, { since, link, isThread, byWebhook, content }),
    }),
    findResponse: () => findLate(ports, turn.request, turn.request.interactionId),
    ledger: openReplyLedger(ports, turn.id),
    links: readReplyLinks(ports, turn.id),
  };
}

/** The channel itself, if the bot's token reaches it and the reply; else null. A reply that only one person sees needs the interaction's token. */
export function findBotEndpoint(
  { config }: Pick<ChannelPorts, "config">,
  { channelId, botIsHere, privateTo }: TurnRequest,
): ChannelEndpoint | null {
  return config.discord.botToken === null || botIsHere === false || privateTo ? null : { channelId };
}
