// Shows a person what this object keeps of them: the counts for `/privacy`, and the full text for an export.
import { personalSettingKeys } from "../../src/channel/deliberate.ts";
import type { ExportedConversation, KeptHere } from "../../src/core/access/person-rpc.ts";
import { KEPT_TURNS, PRUNING_SLACK } from "../../src/core/limits.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Summary } from "../../src/core/transcript/compaction.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { saidText } from "../turn/turn-texts.ts";

/** Counts what is kept of a person. Changes nothing. */
export function aboutPerson({ ports }: Channel, userId: string): KeptHere {
  // A turn that was forgotten since has kept only its row, without words.
  const turns = turnsOf(ports, userId).filter(({ request }) => request.text !== "" || request.attachments);
  const summary = summaryWith(ports, userId);
  return {
    questions: turns.length,
    messages: turns.reduce((count, { id }) => count + ports.store.messagesInTurn(id).length, 0),
    memories: ports.memories.by(userId).length,
    reminders: remindersOf(ports, userId).length,
    keepDays: effectiveSettings(ports).keep_days,
    summary: summary && { messages: summary.messages, at: summary.at },
  };
}

/** Collects everything that is kept of a person, in full; null if there is nothing. Changes nothing. */
export function exportPerson({ ports }: Channel, userId: string): ExportedConversation | null {
  const { store, memories } = ports;
  const turns = turnsOf(ports, userId).toReversed();
  const kept = {
    questions: turns.map((turn) => exportedTurn(ports, turn)),
    memories: memories.by(userId).map(({ number, text, at }) => ({ number, text, toldAt: asText(at) })),
    reminders: remindersOf(ports, userId).map(exportedReminder),
    settings: personalSettings(store.settings(), userId),
  };
  const summary = summaryWith(ports, userId);
  const isEmpty = [kept.questions, kept.memories, kept.reminders, Object.keys(kept.settings)].every(
    (list) => list.length === 0,
  );
  if (isEmpty && !summary) return null;
  return { ...kept, ...(summary && { summary: exportedSummary(summary) }) };
}

/** Returns the summary if this person's words are in it. */
function summaryWith({ store }: ChannelPorts, userId: string): Summary | null {
  const summary = store.summary();
  return summary?.users.includes(userId) ? summary : null;
}

/** Leaves the text out if others' words are in it: the channel's permissions don't apply to the exported file. */
function exportedSummary({ messages, at, text, users }: Summary): NonNullable<ExportedConversation["summary"]> {
  return { messages, writtenAt: asText(at), ...(users.length === 1 && { text }) };
}

const turnsOf = ({ store }: ChannelPorts, userId: string): TurnRecord[] =>
  store.recentTurns(KEPT_TURNS + PRUNING_SLACK, { userId, moderator: false });

const remindersOf = ({ reminders }: ChannelPorts, userId: string) =>
  reminders.pending().filter((one) => one.userId === userId);

const exportedReminder = ({ number, text, dueAt, task }: ReturnType<typeof remindersOf>[number]) => ({
  number,
  text,
  dueAt: asText(dueAt),
  ...(task && { every: task.every }),
});

const exportedTurn = ({ store }: ChannelPorts, { id, createdAt, request, status }: TurnRecord) => {
  const { text, attachments = [], heard = [] } = request;
  return {
    askedAt: asText(createdAt),
    question: text,
    ...(attachments.length > 0 && { files: attachments.map(({ filename }) => filename) }),
    ...(heard.length > 0 && { heard: heard.map(({ name, text }) => ({ name, text })) }),
    answer: saidText(store.messagesInTurn(id)),
    status,
  };
};

function personalSettings(settings: Readonly<Record<string, string>>, userId: string): Record<string, string> {
  const own = personalSettingKeys(userId);
  return Object.fromEntries(Object.entries(settings).filter(([key]) => own.includes(key)));
}

const asText = (at: number): string => new Date(at).toISOString();
