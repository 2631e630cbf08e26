// Which messages a reply should consist of, given its text so far and what Discord has already. Pure.

import { codePoints } from "../core/code-points.ts";
import { MAX_MESSAGES, MESSAGE_CODE_POINTS } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { type Part, type Splitter, split } from "../core/split.ts";

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
 * The splitter may be one that remembers what it has split before.
 */
export function planParts({ text, line, final, lost }: PlanInput, splitter: Splitter = split): WantedPart[] {
  // The second half of a character may still be on its way.
  const whole = piecesOf(splitter(final ? text : text.replace(/[\ud800-\udbff]$/, "")));
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
function piecesOf(parts: Part[]): Piece[] {
  let endsAt = 0;
  const pieces = parts.map(({ content, piece }) => {
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
    // How much of the piece is left of what is shown of it can't be told, so none of it counts as shown.
    const endsAt = kept === piece.content ? piece.endsAt : (all[index - 1]?.endsAt ?? 0);
    return { content: joinLine(kept, note), endsAt, stopButton: false, file: text };
  });
}

const joinLine = (content: string, line: string) => (content.trim() === "" ? line : `${content.trimEnd()}\n\n${line}`);
