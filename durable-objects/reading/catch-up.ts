// Reads, for a turn of /catch-up, what its asker missed. Uses the bot's token, while the turn begins, and makes the result the turn's whole
// conversation. None of it is stored; a new life reads it again.
import { leftOutBy } from "../../src/core/access/scope-copy.ts";
import { allHidden, nothingMissed, unreadNow } from "../../src/core/copy/catch-up.ts";
import { CATCH_UP_MESSAGES, CATCH_UP_TOKENS, TRANSCRIPT_SHARE } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { createFence } from "../../src/core/taint/untrusted-text.ts";
import { catchUpText, isHidden, type MissedBy, reachesBack, selectMissed } from "../../src/core/transcript/missed.ts";
import type { ChannelLine } from "../../src/core/transcript/overheard.ts";
import { readChannelLines } from "../../src/discord/rest/channel-lines.ts";
import { withinLimit } from "../../src/discord/rest/time-limit.ts";
import type { Model, TurnStore } from "../../src/turn/ports.ts";
import { readAsBot } from "../hearing/hearing.ts";
import type { Channel } from "../live-channel.ts";

/** The time limit for all pages together. */
const READ_LIMIT_MS = 10_000;
/** Discord's maximum for one request. */
const PAGE = 100;
const HOUR_MS = 3_600_000;

/** A question for the turn's model, or words that are said without asking it. */
export type Missed = { kind: "ask"; question: string } | { kind: "say"; text: string };

/** Reads what was missed, within 10 s; ends early when the signal fires. Never rejects; may run again. */
export async function readMissed(
  channel: Channel,
  { id: turnId, request }: TurnRecord,
  models: readonly Model[],
  signal: AbortSignal,
): Promise<Missed> {
  const { store, timers, log, random } = channel.ports;
  const { userId, userName, receivedAt, locale, catchUp } = request;
  const hours = catchUp?.hours ?? null;
  const by: MissedBy = { userId, userName, since: hours === null ? null : receivedAt - hours * HOUR_MS };
  let known: ChannelLine[];
  try {
    known = await withinLimit(timers, READ_LIMIT_MS, signal, (inTime) => readPages(channel, request, by, inTime));
  } catch (error) {
    if (!signal.aborted) log.warn("what was missed could not be read", { turnId, error: String(error) });
    return { kind: "say", text: unreadNow };
  }
  const lines = selectMissed(known, by, leftOutBy(store.scopeNote()));
  if (lines.length === 0) return { kind: "say", text: nothingMissed(hours) };
  if (lines.every(isHidden)) return { kind: "say", text: allHidden };
  const fence = createFence(random);
  return { kind: "ask", question: catchUpText({ lines, known, by, locale, fence, maxTokens: roomIn(models) }) };
}

/** Reads the newest messages before the command, oldest first, until there are enough. Throws if Discord gives no list. */
async function readPages(
  { ports }: Channel,
  { channelId, interactionId }: TurnRecord["request"],
  by: MissedBy,
  signal: AbortSignal,
): Promise<ChannelLine[]> {
  let lines: ChannelLine[] = [];
  while (lines.length < CATCH_UP_MESSAGES) {
    const path = `/channels/${channelId}/messages?limit=${PAGE}&before=${lines[0]?.id ?? interactionId}`;
    const page = readChannelLines(await readAsBot(ports, path, signal), ports.config.discord);
    if (!page) throw new Error("Discord returned no list of messages");
    lines = [...page, ...lines];
    if (page.length < PAGE || reachesBack(lines, by)) break;
  }
  return lines;
}

/** Returns how many tokens there are for what was missed, by the smallest window of the models: any of them may have to answer. */
const roomIn = (models: readonly Model[]): number =>
  models.reduce(
    (least, { contextTokens = Number.POSITIVE_INFINITY }) =>
      Math.min(least, Math.floor(contextTokens * TRANSCRIPT_SHARE)),
    CATCH_UP_TOKENS,
  );

/** Returns the turn's store with this question as the beginning of its conversation, and nothing before it. */
export const withQuestion = <Store extends TurnStore>(store: Store, question: string): Store => ({
  ...store,
  conversation: () => ({
    earlier: [],
    current: [{ role: "user", text: question }, ...store.conversation().current.slice(1)],
  }),
});
