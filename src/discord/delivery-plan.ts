// Which messages a reply should consist of, given its text so far and what Discord has already. Pure.
import { MAX_MESSAGES, MESSAGE_CODE_POINTS } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { codePoints, split } from "../core/split.ts";

/** One message of the reply as it should be. `textLength` counts the characters of the answer that it shows. */
export interface WantedPart {
  content: string;
  textLength: number;
  stopButton: boolean;
  /** The whole answer, when the messages can't carry it. */
  file: string | null;
}

/** What is known of the reply. `lost` parts may exist in Discord, but we don't know their ids and never send them again. */
export interface PlanInput {
  text: string;
  line: string | null;
  final: boolean;
  lost: boolean;
}

/**
 * The messages of a reply. A part that is full never changes while the text grows. A status line joins the last part if it
 * fits there; a final line is never dropped. Too many parts, or a lost one, and the final reply carries the answer as a file.
 */
export function planParts({ text, line, final, lost }: PlanInput): WantedPart[] {
  const whole = split(text);
  if (final && (lost || whole.length > MAX_MESSAGES)) return attached(text, whole, line, lost);
  const shown = whole.slice(0, lost ? 1 : MAX_MESSAGES).filter((part) => part.trim() !== "");
  const parts: WantedPart[] = shown.map((part, index) => ({
    content: part,
    textLength: part.length,
    stopButton: index === 0 && !final,
    file: null,
  }));
  if (line === null) return parts;
  const last = parts.at(-1);
  const joined = last ? joinLine(last.content, line) : line;
  if (last && codePoints(joined) <= MESSAGE_CODE_POINTS) last.content = joined;
  else if (!last || final)
    parts.push({ content: line, textLength: 0, stopButton: parts.length === 0 && !final, file: null });
  return parts;
}

/** The reply that ends in a file: after a lost part all is said in the first message, else after the last one allowed. */
function attached(text: string, whole: string[], line: string | null, lost: boolean): WantedPart[] {
  const shown = lost ? whole.slice(0, 1) : whole.slice(0, MAX_MESSAGES);
  const note = line === null ? say.wholeAnswerAttached : `${line}\n${say.wholeAnswerAttached}`;
  const room = MESSAGE_CODE_POINTS - codePoints(note) - 2;
  return (shown.length > 0 ? shown : [""]).map((part, index, all) => {
    if (index < all.length - 1) return { content: part, textLength: part.length, stopButton: false, file: null };
    const kept = split(part, room)[0] ?? "";
    return { content: joinLine(kept, note), textLength: kept.length, stopButton: false, file: text };
  });
}

const joinLine = (content: string, line: string) => (content.trim() === "" ? line : `${content.trimEnd()}\n\n${line}`);
