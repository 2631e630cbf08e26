// Removes data from a turn's record: its tokens when its reply is finished, and what people wrote when they ask to have it forgotten. Pure.
import { NO_ENRICHMENT } from "../state/enrichment.ts";
import { hidesWords } from "../state/private-turns.ts";
import type { TurnRecord } from "../state/record.ts";
import type { TurnEvent } from "../state/turn-events.ts";

/**
 * Removes the tokens of the turn's interaction and of its persona's webhook: whoever reads them could write in the bot's name.
 * Only for a turn that sends nothing more.
 */
export function withoutTokens(turn: TurnRecord): TurnRecord {
  const { voice, request } = turn;
  const { scene } = request;
  return {
    ...turn,
    request: { ...request, token: null, ...(scene && { scene: { ...scene, token: "" } }) },
    ...(voice?.kind === "webhook" && { voice: { ...voice, token: "" } }),
  };
}

/** Removes words, names, files, thoughts and tokens from a finished turn, leaving when it ran and called a model, for whom, and its cost. */
export function withoutWords(turn: TurnRecord): TurnRecord {
  const {
    approval: _asked,
    voice: _voice,
    exposure: _matches,
    thoughts: _log,
    undelivered: _rest,
    forgotten: _done,
    ...rest
  } = turn;
  const { interactionId, applicationId, receivedAt, channelId, guildId, userId, privateTo, locale } = turn.request;
  const place = { applicationId, receivedAt, channelId, guildId, locale };
  return {
    ...rest,
    request: {
      ...place,
      interactionId,
      token: null,
      userId,
      userName: "",
      moderator: false,
      text: "",
      ...(privateTo !== undefined && { privateTo }),
    },
    // This also removes Retry: there is no question left to ask again.
    checkpoint: { kind: "idle" },
    enrichment: NO_ENRICHMENT,
    stop: null,
    // A name that no persona has may be any words. A repeated interaction is still refused for the same reason.
    refusal: turn.refusal?.reason === "unknown_persona" ? { ...turn.refusal, name: "…" } : turn.refusal,
    events: turn.events.map(({ at, what, call }) => ({ at, what, ...(call && { call }) })),
  };
}

/**
 * Removes the words of a finished turn whose messages will be deleted. It keeps what a later life needs to delete them: the webhook that
 * posted a persona's words, and the scene's id for the line above them.
 */
export function withoutAnswer(turn: TurnRecord): TurnRecord {
  const { webhookChannelId, scene } = turn.request;
  const { voice } = withoutTokens(turn);
  const bare = withoutWords(turn);
  const reached = {
    ...(webhookChannelId && { webhookChannelId }),
    ...(scene && { scene: { ...scene, names: [], token: "" } }),
  };
  return { ...bare, request: { ...bare.request, ...reached }, ...(voice && { voice }) };
}

/**
 * Returns a finished turn as it is kept: without tokens, and without thoughts that nobody can look at. A turn that never began keeps no words
 * either: it is not reported, so forgetting would not find them. The words of a turn that joined another belong to that other turn.
 */
export function keptAtEnd(turn: TurnRecord): TurnRecord {
  const isUnknown = turn.startedAt === null && turn.status !== "steered";
  if (isUnknown) return { ...withoutWords(turn), checkpoint: turn.checkpoint };
  const { thoughts, ...rest } = withoutTokens(turn);
  return { ...rest, ...(thoughts && !hidesWords(turn) && { thoughts }) };
}

/**
 * Removes this person's name from another person's turn. If the turn is over, also removes their id where they stopped it or decided about
 * its call; until then the last edit may still need that id. Entries of an older program don't say whose name they have; then the stop does.
 */
export function withoutName(turn: TurnRecord, userId: string): TurnRecord {
  const isStopper = turn.stop?.by === userId;
  const isTheirs = ({ what, detail, by }: TurnEvent) =>
    [detail, by ?? (isStopper && STOPS.has(what) ? userId : null)].includes(userId);
  const nameless = {
    ...turn,
    ...(turn.stop && isStopper && { stop: { ...turn.stop, byName: "" } }),
    events: turn.events.map((event) => (isTheirs(event) ? { at: event.at, what: event.what } : event)),
  };
  if (turn.state !== "finished") return nameless;
  return JSON.parse(JSON.stringify(nameless), (_, value: unknown) => (value === userId ? "" : value)) as TurnRecord;
}

const STOPS: ReadonlySet<string> = new Set(["stop", "kill"]);
