// Finds the spoilers of a text. Discord hides their words only if both marks are in one message.
import { codeEnd, type Mark } from "./inline-marks.ts";

/** What begins or ends a spoiler, what ends its paragraph, and what may contain those marks: an escape, a table row, code. */
const SIGNS = /\\[\s\S]|^[ \t>]*\|(?!\|).*|\n(?=[ \t>]*\n)|\|{2,}|`+/gm;
const MARK = "||";
/** The most UTF-16 units of a spoiler. Anything longer, or continuing in another paragraph, was hardly meant as one. */
const LONGEST = 1500;
const PARAGRAPH_END = /\n[ \t>]*\n/;
/** Code that may have empty lines begins with at least this many ticks. */
const BLOCK_TICKS = 3;

/**
 * Returns the spoilers of a text in order. One that is not closed continues after the text, unless its paragraph ends before. `looked` gets
 * the number of characters that were searched for the end of code, for tests.
 */
export function spoilersIn(text: string, looked?: (chars: number) => void): Mark[] {
  if (!text.includes(MARK)) return [];
  const spoilers: Mark[] = [];
  const signs = new RegExp(SIGNS);
  let start: number | null = null;
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found;
    if (sign.startsWith("`")) signs.lastIndex = skipCode(text, found.index, sign, looked);
    else if (sign === "\n") start = null;
    else if (start !== null && sign.startsWith(MARK)) {
      spoilers.push({ start, end: signs.lastIndex });
      start = null;
    } else if (sign === MARK) start = found.index;
  }
  return start === null ? spoilers : [...spoilers, { start, end: Number.POSITIVE_INFINITY }];
}

/** The characters around a mark that surely begins a spoiler: no letter before it, and no space or punctuation right after it. */
const BEFORE = /^[\s([{"'“‘*_~]?$/;
const AFTER = /[^\s|,.;:!?)\]}]/;

/** Whether a spoiler is open after a line, outside code. A spoiler that begins in a quote never continues in the next message. */
export function isSpoilerOpen(line: string, wasOpen: boolean): boolean {
  if (!line.includes(MARK)) return wasOpen;
  const mayBegin = !/^[ \t]*>(?!>> )/.test(line);
  const signs = new RegExp(SIGNS);
  let isOpen = wasOpen;
  for (let found = signs.exec(line); found; found = signs.exec(line)) {
    const [sign] = found;
    if (sign.startsWith("`")) signs.lastIndex = skipCode(line, found.index, sign);
    else if (!sign.startsWith(MARK)) continue;
    else if (isOpen) isOpen = false;
    else
      isOpen =
        mayBegin &&
        sign === MARK &&
        BEFORE.test(line.charAt(found.index - 1)) &&
        AFTER.test(line.charAt(signs.lastIndex));
  }
  return isOpen;
}

/**
 * Returns a growing text without a spoiler at its end that is still open. Two bars that are not a mark, as in a || b outside code, hold back
 * the rest of their paragraph. A longer text never yields less, unless a single bar becomes a mark.
 */
export function withoutOpenSpoiler(text: string, looked?: (chars: number) => void): string {
  const earliest = Math.max(0, text.length - LONGEST);
  if (text.indexOf(MARK, earliest) < 0) return text;
  const last = spoilersIn(text, looked).at(-1);
  const isOpen = last?.end === Number.POSITIVE_INFINITY && last.start >= earliest;
  return isOpen ? text.slice(0, last.start) : text;
}

/** Returns the position after code. Unclosed code reaches to the end of its paragraph or the text. Reads no further than the next closing ticks. */
function skipCode(text: string, start: number, ticks: string, looked?: (chars: number) => void): number {
  const end = codeEnd(text, start, ticks);
  looked?.(end - start);
  const paragraph = ticks.length < BLOCK_TICKS ? text.slice(start, end).search(PARAGRAPH_END) : -1;
  return paragraph === -1 ? end : start + paragraph;
}
