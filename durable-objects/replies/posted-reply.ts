// Works on a reply that is in Discord: reads it back, checks whether the bot can reach it, removes its buttons.
import { say } from "../../src/core/copy/notices.ts";
import { isChangeable, isMute } from "../../src/core/decisions/newest-answer.ts";
import { offeredBelow } from "../../src/core/decisions/offer.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { ReplyRoute } from "../../src/discord/delivery/reply-route.ts";
import { type MessageBody, ORIGINAL, type RestResult } from "../../src/discord/rest/rest.ts";
import { decideSendFailure, mayPass } from "../../src/discord/rest/send-failure.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { findLate, isTokenAlive } from "./find-late.ts";
import { openReplyLedger } from "./reply-ledger.ts";
import { retried } from "./retried.ts";
import { buildReplyRoute, findBotEndpoint } from "./turn-pump.ts";
import { decideFirstEndpoint, questionLink, shownQuestion, speakerLabel, voiceChannel } from "./voice.ts";

/** How long dead buttons are worth retrying. The end of the turn waits for it. */
const BUTTONS_RETRY_MS = 10_000;

/** Reads back the text of a turn's reply, without status lines and the speaker's name; null when it can't be read. */
export async function readBack(ports: ChannelPorts, turn: TurnRecord): Promise<string | null> {
  const shown: string[] = [];
  const bot = turn.voice || isTokenAlive(ports, turn) ? null : findBotEndpoint(ports, turn.request);
  for (const { id } of turn.parts.filter((part) => part.state === "sent" && part.id !== null)) {
    const result = await ports.rest.read(bot ?? decideFirstEndpoint(turn), id ?? "");
    if (!result.ok) return null;
    const { content } = result.message;
    shown.push(withoutSmallLines(content));
    // A later life wrote this message; what follows was left by an earlier one.
    if (content.includes(say.resumed)) break;
  }
  const text = shown.join("\n\n");
  const said = withoutLead(withoutLead(text, questionLink(turn)), shownQuestion(turn.request));
  return withoutLead(said.replace(/^\n(?=\s*>)/, ""), speakerLabel(turn));
}

/** Asks Discord whether the bot can edit this reply once the interaction's token has ended; undefined while it can't be asked. */
export async function isOpenToBot(ports: ChannelPorts, turn: TurnRecord): Promise<boolean | undefined> {
  const botEndpoint = findBotEndpoint(ports, turn.request);
  if (!botEndpoint) return false;
  const id = turn.parts[0]?.id ?? (await findFirstMessage(ports, turn));
  if (!id) return id === null ? false : undefined;
  const read = await ports.rest.read(botEndpoint, id);
  if (read.ok) return true;
  const failure = decideSendFailure(read);
  return failure === "unauthorized" || mayPass(failure) ? undefined : false;
}

/**
 * Finds and stores the id of a first message that has no text yet, or that no life has recorded. A token that has ended is not tried: each
 * refusal would slow the search down.
 */
async function findFirstMessage(ports: ChannelPorts, turn: TurnRecord): Promise<string | null | undefined> {
  const result = isTokenAlive(ports, turn) ? await ports.rest.read(decideFirstEndpoint(turn), ORIGINAL) : null;
  const message = result?.ok ? result.message : await findLate(ports, turn.request, turn.request.interactionId);
  if (!message) return message;
  return openReplyLedger(ports, turn.id).sent(0, message) ? message.id : null;
}

/**
 * Removes every button of a reply of several messages after somebody has deleted one of them; in a scene, only this speaker's. May run
 * twice.
 */
export async function dropEveryButton(ports: ChannelPorts, turn: TurnRecord): Promise<void> {
  const route = new ReplyRoute({ ...buildReplyRoute(ports, turn), asFollowups: turn.request.scene !== undefined });
  if (!turn.voice && !isTokenAlive(ports, turn)) route.switchToBot();
  const known = turn.parts.flatMap(({ id }, index) => (id === null ? [] : [index]));
  if (turn.parts.length > 1) for (const index of known) await route.edit(index, { components: [] });
}

/** Removes the buttons of a finished reply with one request, retried for a moment, if a request can do it. May run twice. */
export async function dropButtons(ports: ChannelPorts, turn: TurnRecord): Promise<void> {
  const { scene } = turn.request;
  if (!scene) return dropOwnButtons(ports, turn);
  // The buttons that change the answer are on a lone speaker's own message, even if it was forgotten since. All other buttons of a scene
  // are on its header.
  const isOwn = (isChangeable(turn) || turn.checkpoint.kind !== "send") && !isMute(turn);
  if (!isOwn || offeredBelow(turn, false).length > 0) {
    const { waysToHeader } = await import("./header-way.ts");
    for (const { endpoint, id } of await waysToHeader(ports, turn, scene))
      await dropFor(ports, (body) => ports.rest.edit(endpoint, id, body));
  }
  if (isOwn) await dropOwnButtons(ports, turn);
}

/** Discord has known the webhook since it posted the reply. */
const dropFor = (ports: ChannelPorts, edit: (body: MessageBody) => Promise<RestResult>): Promise<RestResult> =>
  retried(ports, ports.clock() + BUTTONS_RETRY_MS, () => edit({ components: [] }), 0);

/** Removes the buttons on the turn's own messages. They are on the last one. */
async function dropOwnButtons(ports: ChannelPorts, turn: TurnRecord): Promise<void> {
  const { parts } = turn;
  const route = await findRoute(ports, turn);
  if (!route) return;
  // If a message may exist that nobody can reach, the first message that can be changed has the rest as a file, with the buttons below it.
  const isLost = parts.some(({ state }) => state === "sending");
  const index = isLost ? route.frozen : parts.length - 1;
  // Discord accepted no message, or its response with the id was lost.
  if (index < 0 || (route.isByBot && !parts[index]?.id)) return;
  await dropFor(ports, (body) => route.edit(index, body));
}

/** Finds a route by which the reply can be edited now; null if there is none. */
async function findRoute(ports: ChannelPorts, turn: TurnRecord): Promise<ReplyRoute | null> {
  const { request, parts } = turn;
  const voiced = await withVoice(ports, turn);
  // Nobody else can edit a webhook's message (Discord).
  if (turn.voice?.kind === "webhook" && !voiced) return null;
  const built = buildReplyRoute(ports, voiced ?? turn);
  // The record may be gone, if its person was forgotten.
  const ledger = { ...built.ledger, parts: () => parts };
  const route = new ReplyRoute({ ...built, ledger, asFollowups: request.scene !== undefined });
  if (voiced || isTokenAlive(ports, turn)) return route;
  return findBotEndpoint(ports, request) && (route.isByBot || route.switchToBot()) ? route : null;
}

/** Returns a finished turn that a webhook answered with that webhook's token; null if the channel has another webhook by now, or none. */
export async function withVoice({ voices }: ChannelPorts, turn: TurnRecord): Promise<TurnRecord | null> {
  const channelId = voiceChannel(turn.request);
  if (turn.voice?.kind !== "webhook" || channelId === null) return null;
  const found = await voices?.of(channelId);
  const isSame = found?.ok && found.voice.id === turn.voice.id;
  return isSame ? { ...turn, voice: { kind: "webhook", ...found.voice } } : null;
}

/** Removes a lead from the text. The text may be nothing but the lead, then without its final newline. */
const withoutLead = (text: string, lead: string): string =>
  `${text}\n`.startsWith(lead) ? text.slice(lead.length) : text;

/** Removes the status lines at the end of a message. */
function withoutSmallLines(content: string): string {
  const lines = content.split("\n");
  while (lines.at(-1)?.startsWith("-# ") || lines.at(-1)?.trim() === "") lines.pop();
  return lines.join("\n");
}
