// What is taken out of a turn's record: its tokens when its reply is finished, and what people wrote when they ask to forget it.
// Pure.
import { NO_ENRICHMENT } from "../state/enrichment.ts";
import { hidesWords } from "../state/private-turns.ts";
import type { TurnRecord } from "../state/record.ts";
import type { TurnEvent } from "../state/turn-events.ts";

/**
 * The turn without the tokens of its interaction and of its persona's webhook: whoever reads them could write in the bot's name.
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

/** A finished turn without words, names, files, thoughts and tokens: what is left says when it ran and called a model, for whom and what it cost. */
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
    // With it goes Retry: there is no question left to ask again.
    checkpoint: { kind: "idle" },
    enrichment: NO_ENRICHMENT,
    stop: null,
    // A name that no persona has may be any words. An interaction that is repeated is still refused for the same reason.
    refusal: turn.refusal?.reason === "unknown_persona" ? { ...turn.refusal, name: "…" } : turn.refusal,
    events: turn.events.map(({ at, what, call }) => ({ at, what, ...(call && { call }) })),
  };
}

/**
 * A finished turn without words, whose messages are to be deleted. It keeps what a later life needs for that: the webhook that said a
 * persona's words, and the scene's id for the line above them.
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
 * A finished turn as it is kept: without tokens, and without thoughts that nobody can look at. One that never began has no words either: it is
 * not reported, so no forgetting would find them. Those of one that joined another turn belong to that one.
 */
export function keptAtEnd(turn: TurnRecord): TurnRecord {
  const isUnknown = turn.startedAt === null && turn.status !== "steered";
  if (isUnknown) return { ...withoutWords(turn), checkpoint: turn.checkpoint };
  const { thoughts, ...rest } = withoutTokens(turn);
  return { ...rest, ...(thoughts && !hidesWords(turn) && { thoughts }) };
}

/**
 * Another person's turn without this person's name. If it is over, also without the id of whoever stopped it or decided about its call; the
 * last edit of a turn that is not over may still need that id. An older program's entries don't say whose name they have; then the stop does.
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
