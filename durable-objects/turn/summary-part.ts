// Reads the part of the channel's transcript that is summarized next, as text for the summarizing model.
import type { ChannelStore, StoredMessage } from "../../src/channel/store.ts";
import { openTurns } from "../../src/core/state/unfinished.ts";
import { countWithin, type Summary } from "../../src/core/transcript/compaction.ts";
import { withoutLabel } from "../../src/core/transcript/own-label.ts";
import { BOT_NAME } from "../../src/core/transcript/speaker.ts";
import { linesWithin, pastLine } from "../../src/core/transcript/summary-text.ts";
import { estimateTokens } from "../../src/core/transcript/tokens.ts";
import type { WindowLimits } from "../../src/core/transcript/transcript.ts";
import type { ToolResult } from "../../src/toolkit/run/runtime.ts";
import { readResults } from "./stored-rounds.ts";
import { olderTurns } from "./summarizable.ts";
import { withoutQuoted, withTranscripts } from "./turn-conversation.ts";

/** The turns that one request summarizes. */
export interface SummaryPart extends Pick<Summary, "fromSeq" | "toSeq" | "messages" | "users" | "tainted"> {
  lines: string[];
  turnIds: string[];
}

/**
 * Returns the oldest turns to summarize, as many as fit in `room` (estimated tokens); null if there are none. They end before the first
 * unfinished turn: it may end without another word, and would then be before the end of a summary that doesn't include it.
 */
export function readPart(
  store: ChannelStore,
  limits: WindowLimits,
  room: number,
  owner: string | null = null,
): SummaryPart | null {
  const open = openTurns(store.state()).flatMap((turn) => store.messagesInTurn(turn.id));
  const end = Math.min(...open.map(({ seq }) => seq));
  const older = olderTurns(store, limits, owner)
    .filter((stored) => (stored.at(-1)?.seq ?? 0) < end)
    .map((stored) => ({ stored, lines: stored.map((one) => buildLine(store, one)) }));
  const sizes = older.map(({ lines }) => lines.reduce((sum, line) => sum + estimateTokens(line), 0));
  const turns = older.slice(0, countWithin(sizes, room));
  const messages = turns.flatMap(({ stored }) => stored);
  if (messages.length === 0) return null;
  const seqs = messages.map(({ seq }) => seq);
  const askers = turns.flatMap(({ stored }) => store.turn(stored[0]?.turnId ?? "")?.request.userId ?? []);
  // Strangers' words are left out, but an answer may repeat them.
  const hasRead = turns.some(({ stored }) => store.turn(stored[0]?.turnId ?? "")?.taint === "full");
  return {
    lines: linesWithin(
      turns.flatMap(({ lines }) => lines),
      room,
    ),
    turnIds: turns.flatMap(({ stored }) => stored[0]?.turnId ?? []),
    fromSeq: Math.min(...seqs),
    toSeq: Math.max(...seqs),
    messages: messages.length,
    users: [...new Set([...askers, ...messages.flatMap(({ speaker }) => speaker?.id ?? [])])],
    ...(hasRead && { tainted: true }),
  };
}

/** Whether every turn of the part is still stored. Words that were deleted meanwhile must not survive in a summary. */
export const isStored = (store: ChannelStore, { turnIds }: SummaryPart): boolean =>
  turnIds.every((id) => store.messagesInTurn(id).length > 0);

function buildLine(store: ChannelStore, { seq, turnId, role, text, calls, speaker }: StoredMessage): string {
  const { request } = store.turn(turnId) ?? {};
  if (role === "user") {
    // Others' words would taint every later request, as results of tools would.
    const own = request?.taint === undefined ? withTranscripts(text, request?.heard) : withoutQuoted(text, request);
    return pastLine({ by: "person", text: own, ...(speaker && { speaker }) });
  }
  const name = request?.persona?.name ?? BOT_NAME;
  const results = readResults(store, seq);
  const tools = calls.flatMap((call, position) =>
    call === null ? [] : [{ name: call.name, outcome: describeOutcome(results.get(position) ?? null) }],
  );
  return pastLine({ by: "bot", name, text: withoutLabel(text, name), tools });
}

function describeOutcome(result: ToolResult | null): string {
  if (result === null) return "no result";
  return result.ok ? "done" : result.status.replaceAll("_", " ");
}
