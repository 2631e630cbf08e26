// Answers the inspector's questions about a channel; loaded when it asks. Changes nothing, and leaves no storage where there was none.
import { explainSettings } from "../../src/channel/explain-settings.ts";
import { listSecrets } from "../../src/config/secrets.ts";
import { SOURCES } from "../../src/core/copy/settings.ts";
import type {
  ChannelPulse,
  InspectAnswer,
  InspectedChannel,
  InspectedTurn,
  InspectedTurnLine,
  InspectedTurns,
  InspectQuestion,
  TurnFilter,
} from "../../src/core/state/inspected.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import type { Channel } from "../live-channel.ts";
import { settingsInput } from "../settings/effective-settings.ts";
import { openInspectedTurns } from "../store/inspected-turns.ts";
import { eraseIfUntouched } from "../upkeep/retention.ts";
import { failureName, turnLine } from "./turn-line.ts";
import { watchChannel } from "./watch.ts";
import { wholeTurn } from "./whole-turn.ts";

/** Answers one question. `name` is the object's name: the channel's id, or for a visitor's object `<channel>:<person>`. */
export function inspect(channel: Channel, name: string, question: InspectQuestion): InspectAnswer | ReadableStream {
  const answer = answerTo(channel, name, question);
  eraseIfUntouched(channel);
  return answer;
}

function answerTo(channel: Channel, name: string, question: InspectQuestion): InspectAnswer | ReadableStream {
  switch (question.kind) {
    case "pulse":
      return pulse(channel, name);
    case "channel":
      return wholeChannel(channel, name);
    case "turns":
      return page(channel, question.filter, question.before);
    case "turn":
      return oneTurn(channel, question.turnId);
    case "watch":
      return watchChannel(channel.ports, question.turnId, () => eraseIfUntouched(channel));
  }
}

const PAGE_TURNS = 50;
const DAY_MS = 86_400_000;
/** The most failures of a day that are counted. Beyond that an owner needs no exact number. */
const MAX_FAILURES = 500;
/** How many of the newest questions are searched for threads: each may have its own, in which nothing has ended yet. */
const NEW_QUESTIONS = 10;

/** Returns what the channel is doing now, and what failed in the last day. */
function pulse(channel: Channel, name: string): ChannelPulse {
  const { store, database, clock } = channel.ports;
  const inspectedTurns = openInspectedTurns(database);
  const { running, queue } = store.state();
  const counts = new Map<string, number>();
  for (const turn of inspectedTurns.failedSince(clock() - DAY_MS, MAX_FAILURES)) {
    const reason = failureName(turn) ?? turn.status ?? "";
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return clean(channel, [], {
    channelId: name,
    guildId: guildOf(channel),
    running: running && buildLine(channel, running),
    queued: queue.length,
    lastTurnAt: inspectedTurns.newestAt(),
    newThreads: inspectedTurns
      .page({ userId: null, status: null }, null, NEW_QUESTIONS)
      .flatMap(({ threadId }) => threadId ?? []),
    failures: [...counts].map(([reason, count]) => ({ reason, count })),
  });
}

/** Returns what is known of the channel besides its turns. */
function wholeChannel(channel: Channel, name: string): InspectedChannel {
  const { store, reminders, memories, marks, clock } = channel.ports;
  const { running, queue, parked } = store.state();
  return clean(channel, [], {
    now: clock(),
    channelId: name,
    parentId: marks.parent(),
    guildId: guildOf(channel),
    running: running && buildLine(channel, running),
    queued: queue.length,
    parked: parked.length,
    // Lists from several scopes apply together, so each of them is shown.
    settings: explainSettings(settingsInput(channel.ports)).flatMap(({ key, text, source, also = [] }) =>
      [{ text, source }, ...also].map((one) => ({ key, value: one.text ?? "", source: SOURCES[one.source] })),
    ),
    reminders: reminders.pending().map(({ number, userId, dueAt, task }) => ({
      ...{ number, userId, dueAt },
      isRecurring: task !== undefined,
      isPaused: task?.isPaused === true,
    })),
    memories: memories.count(),
    summarizedMessages: store.summary()?.messages ?? 0,
  });
}

const buildLine = ({ ports }: Channel, turn: TurnRecord): InspectedTurnLine =>
  turnLine(turn, openInspectedTurns(ports.database).models([turn.id]).get(turn.id) ?? null);

/** Returns a page of turns, newest first. */
function page(channel: Channel, filter: TurnFilter, before: number | null): InspectedTurns {
  const inspectedTurns = openInspectedTurns(channel.ports.database);
  const turns = inspectedTurns.page(filter, before, PAGE_TURNS);
  const models = inspectedTurns.models(turns.map(({ id }) => id));
  return clean(channel, [], {
    turns: turns.map((turn) => turnLine(turn, models.get(turn.id) ?? null)),
    before: turns.length < PAGE_TURNS ? null : (turns.at(-1)?.createdAt ?? null),
  });
}

/** Returns one turn; null if there is none with this id, or if it was refused. */
function oneTurn(channel: Channel, turnId: string): InspectedTurn | null {
  const turn = channel.ports.store.turn(turnId);
  if (!turn || turn.state === "refused") return null;
  return clean(channel, tokensOf(turn), wholeTurn(channel.ports, turn));
}

/** Returns the server of the newest turn. */
const guildOf = ({ ports }: Channel): string | null =>
  openInspectedTurns(ports.database).page({ userId: null, status: null }, null, 1)[0]?.request.guildId ?? null;

/** Lists a record's own tokens. Anyone who has one can post in the channel. */
function tokensOf({ request, voice, removal }: TurnRecord): string[] {
  const tokens = [request.token, removal?.token, voice?.kind === "webhook" ? voice.token : null];
  return tokens.filter((token) => typeof token === "string");
}

/** Removes secrets from what is shown: those of the configuration, the turn's tokens, and whatever looks like one. */
function clean<Shown>(channel: Channel, tokens: readonly string[], shown: Shown): Shown {
  const scrubber = createScrubber([...listSecrets(channel.ports.config), ...tokens]);
  return scrubber.value(shown) as Shown;
}
