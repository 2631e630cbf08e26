// Decides what a turn's final edit says in addition to the answer, and whether it says anything.
import type { ChannelStore } from "../../src/channel/store.ts";
import { endingNotice } from "../../src/core/copy/endings.ts";
import { filesLeftOut } from "../../src/core/copy/files.ts";
import { reminderLine, say, taskPaused } from "../../src/core/copy/notices.ts";
import { shouldNotifyPrivately } from "../../src/core/decisions/private-refusal.ts";
import type { Ending } from "../../src/core/state/ending.ts";
import { isAskedFor, type TurnRecord } from "../../src/core/state/record.ts";
import type { ReplyView } from "../../src/turn/ports.ts";
import type { Channel } from "../live-channel.ts";
import { isDeleted } from "../store/marks.ts";

/**
 * Whether Discord gets the end of a turn. Two ends are not sent: that of a reminder whose person may no longer use the bot, unless part of
 * it is already there or only a limit could not be checked; and that of a question by message that has no reply yet, if its asker has
 * deleted or replaced it, or is notified privately.
 */
export function isEndSaid({ ports }: Channel, turn: TurnRecord, ending: Ending, text: string): boolean {
  const { kind } = ending;
  if (shouldNotifyPrivately(turn)) return false;
  const isUnchecked = kind === "access_refused" && ending.refusal.reason === "limit_unchecked";
  if (kind === "access_refused" && !isUnchecked) return isAskedFor(turn) || turn.parts.length > 0;
  // If it posted something on the way, to ask for an approval, that message gets its end all the same.
  if (ending.kind === "completed" && ending.silent) return turn.parts.length > 0;
  const { messageId } = turn.request;
  if (turn.parts.length > 0 || text !== "") return true;
  // A turn with its own thread still has the id of the message that asked.
  if (isDeleted(ports.marks, messageId ?? turn.id)) return false;
  return messageId === undefined || kind !== "superseded";
}

/** What the last line depends on besides the ending. */
interface EndFacts {
  /** The turn's task has failed so often that it pauses. */
  isPaused: boolean;
  /** The answer has words above the line. */
  hasWords: boolean;
}

/** Returns what goes with the last words: a line, the files that were made, and the names of those that were left out. */
export function lastView(
  store: ChannelStore,
  turn: TurnRecord,
  ending: Ending,
  facts: EndFacts,
): Pick<ReplyView, "line" | "files"> {
  const leftOut = store.fileNotes(turn.id).filter((note) => note.leftOut);
  const lines = [lastLine(turn, ending, facts), filesLeftOut(leftOut.map(({ name }) => name))];
  const files = store.files(turn.id);
  return { line: lines.filter((line) => line !== null).join("\n") || null, ...(files.length > 0 && { files }) };
}

/** Keeps a reminder's line to the end and hides a failure of its turn: the person is reminded all the same. A task says that it pauses. */
function lastLine(
  { request: { reminder, userId, noThread } }: TurnRecord,
  ending: Ending,
  { isPaused, hasWords }: EndFacts,
): string | null {
  if (noThread !== undefined)
    return [say.noThread(noThread), endingNotice(ending, hasWords) ?? ""].join("\n").trimEnd();
  if (!reminder) return endingNotice(ending, hasWords);
  const isWordless = ending.kind === "completed" && ending.wordless;
  const notice = isWordless ? null : endingNotice({ ...ending, quiet: true });
  const paused = isPaused && reminder.task ? [taskPaused(reminder.task.number)] : [];
  return [reminderLine(reminder, userId), ...(notice === null ? [] : [notice]), ...paused].join("\n");
}
