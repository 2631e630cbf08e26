// Drops the label that a model puts before its own answer although no one asked for one (a header, or its own name), and blank lines. This
// happens only at the beginning of an answer: inside it the same characters are someone's list, code or quote.
import { isLikeHeader } from "./speaker.ts";

/** Text that may still become a label is held back up to this length. */
const MAX_HELD = 64;

/** Takes an answer piece by piece and returns what may be shown of it. */
export interface LabelGuard {
  push(piece: string): string;
  /** Returns the rest at the end of the stream. */
  end(): string;
}

/** Makes the guard for an answer by the voice of this name. */
export function createLabelGuard(name: string): LabelGuard {
  let held = "";
  let isOpen = true;
  const take = (isEnd: boolean): string => {
    for (let label = readLabel(held, name); label !== ""; label = readLabel(held, name)) {
      // The next piece may belong to the label.
      if (!isEnd && label === held && held.length <= MAX_HELD) return "";
      held = held.slice(label.length);
    }
    if (!isEnd && mayBecomeLabel(held, name)) return "";
    isOpen = false;
    return held;
  };
  return {
    push(piece) {
      if (!isOpen) return piece;
      held = (held + piece).replace(BLANK_LINES, "");
      return take(false);
    },
    end: () => (isOpen ? take(true) : ""),
  };
}

/** Returns a whole answer without the labels at its beginning. */
export function withoutLabel(text: string, name: string): string {
  const guard = createLabelGuard(name);
  return guard.push(text) + guard.end();
}

/** Reasoning models begin their answers with blank lines, which would leave a gap below the question or below earlier text. */
const BLANK_LINES = /^\s*\n/;
const BRACKETED = /^\s*\[([^\]\n]{1,62})\]:?\s*/;
/** What a header may have after the name, apart from a number: a model that copies a header has no number. */
const TIME_AND_REPLY = /( · (\d\d:\d\d|re m\d+))+$/;
const BEFORE_NAME = /^\s*\*{0,2}/;
const AFTER_NAME = /^(?:\*{0,2}:\*{0,2}(?:\s+|$)|\*{0,2}[^\S\n]*\n\s*(?=\S))/;

/**
 * Returns the label at the beginning, with the white space after it: a header, `[Name]` (unless a link), `Name:` or the name alone on its line,
 * also in bold. Empty without one. The name with nothing after it is an answer.
 */
function readLabel(text: string, name: string): string {
  const [line, inside = ""] = BRACKETED.exec(text) ?? [];
  if (line !== undefined) {
    const isLink = text.slice(line.length - 1).startsWith("](");
    return isLikeHeader(line) || (isOwn(inside.replace(TIME_AND_REPLY, "").trim(), name) && !isLink) ? line : "";
  }
  const nameAt = BEFORE_NAME.exec(text)?.[0].length ?? 0;
  const nameEnd = nameAt + name.length;
  if (!isOwn(text.slice(nameAt, nameEnd), name)) return "";
  const [after] = AFTER_NAME.exec(text.slice(nameEnd, nameEnd + MAX_HELD)) ?? [];
  return after === undefined ? "" : text.slice(0, nameEnd + after.length);
}

const isOwn = (said: string, name: string): boolean => said.toLowerCase() === name.toLowerCase();

function mayBecomeLabel(text: string, name: string): boolean {
  const begun = text.trimStart();
  if (text.length > MAX_HELD) return false;
  if (begun === "") return true;
  if (begun.startsWith("[")) return !/[\]\n]/.test(begun);
  const word = begun.replace(/^\*{1,2}[^\S\n]*/, "").toLowerCase();
  const whole = name.toLowerCase();
  return (
    whole.startsWith(word) || (word.startsWith(whole) && /^[^\S\n]*\*{0,2}:?\*{0,2}\s*$/.test(word.slice(whole.length)))
  );
}
