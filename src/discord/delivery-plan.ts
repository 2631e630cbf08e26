// Which messages a reply should consist of, given its text so far and what Discord has already. Pure.
import { MAX_MESSAGES, MESSAGE_CODE_POINTS } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { codePoints, split } from "../core/split.ts";

/** One message of the reply as it should be. `endsAt` is the place in the answer up to which it and those before it show it. */
export interface WantedPart {
  content: string;
  endsAt: number;
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
  const whole = piecesOf(text);
  if (final && (whole.length > MAX_MESSAGES || (lost && whole.length > 0))) return attached(text, whole, line, lost);
  const parts: WantedPart[] = whole
    .slice(0, lost ? 1 : MAX_MESSAGES)
    .map((piece, index) => ({ ...piece, stopButton: index === 0 && !final, file: null }));
  if (line === null) return parts;
  const last = parts.at(-1);
  const joined = last ? joinLine(last.content, line) : line;
  if (last && codePoints(joined) <= MESSAGE_CODE_POINTS) last.content = joined;
  else if (!last || final)
    parts.push({ content: line, endsAt: last?.endsAt ?? 0, stopButton: parts.length === 0 && !final, file: null });
  return parts;
}

type Piece = Pick<WantedPart, "content" | "endsAt">;

/** The parts of the text but those of white space alone, which Discord refuses. */
function piecesOf(text: string): Piece[] {
  let endsAt = 0;
  const pieces = split(text).map(({ content, piece }) => {
    endsAt += piece.length;
    return { content, endsAt };
  });
  return pieces.filter(({ content }) => content.trim() !== "");
}

/** The reply that ends in a file: after a lost part all is said in the first message, else after the last one allowed. */
function attached(text: string, whole: Piece[], line: string | null, lost: boolean): WantedPart[] {
  const note = line === null ? say.wholeAnswerAttached : `${line}\n${say.wholeAnswerAttached}`;
  const room = MESSAGE_CODE_POINTS - codePoints(note) - 2;
  return whole.slice(0, lost ? 1 : MAX_MESSAGES).map((piece, index, all) => {
    if (index < all.length - 1) return { ...piece, stopButton: false, file: null };
    const kept = split(piece.content, room)[0]?.content ?? "";
    const endsAt = piece.endsAt - Math.max(0, piece.content.length - kept.length);
    return { content: joinLine(kept, note), endsAt, stopButton: false, file: text };
  });
}

const joinLine = (content: string, line: string) => (content.trim() === "" ? line : `${content.trimEnd()}\n\n${line}`);
