// Fenced code in Markdown: finds which fence is open at a position, closes it there and reopens it after a cut. Handles fences of
// any length, both kinds, with the whole info string, even inside a quote or a list. Three backticks work as in Discord: they
// also open code after words, and the next ones at the end or the beginning of a line close it.
import { codePoints } from "./code-points.ts";

/** An open fence. `linePrefix` precedes its marker: a quote's `>`, or a list's indentation. */
export interface Fence {
  linePrefix: string;
  marker: string;
  info: string;
}

/**
 * A list item may begin with a fence; its other lines then have spaces instead of the item's marker. In Discord, `>>> ` quotes everything
 * that follows, so no other line has a marker.
 */
const OPENING = /^(?:>>> )?([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)$/;
/** The language of code that begins after words on a line. */
const LANGUAGE = /^[\w+#-]*\s*$/;
/** What ends code that three backticks opened: three at the end or the beginning of a line that has no others. */
const CLOSING_THREE = /^(?:((?!```).)*```\s*$|[ \t>]*```(?!.*```))/;

/** Returns the fence that is open after one line. */
export function fenceAfterLine(line: string, open: Fence | null): Fence | null {
  if (open && !hasLeft(line, open)) return closes(line, open) ? null : open;
  const fence = fenceWithin(line);
  return fence && (fenceLike(line) ? /^[^`]*$/ : LANGUAGE).test(fence.info) ? fence : null;
}

/** Like `fenceLike`, but the fence may also begin after words. */
export function fenceWithin(line: string): Fence | null {
  const at = line.indexOf("```");
  return fenceLike(line) ?? (at < 0 ? null : fenceLike(readIndent(line) + line.slice(at)));
}

/** Returns the indentation and quote marks before the text of a line. */
export const readIndent = (line: string): string => line.match(/^[ \t>]*/)?.[0] ?? "";

/** Returns the fence that a line would open if it continues like this; only its end decides. */
export function fenceLike(line: string): Fence | null {
  const [, before = "", item = "", marker, info = ""] = line.match(OPENING) ?? [];
  return marker === undefined ? null : { linePrefix: before + " ".repeat(item.length), marker, info };
}

/** Whether the line has left a quote in which the fence is: the fence ends where the quote does. */
const hasLeft = (line: string, { linePrefix }: Fence): boolean => linePrefix.includes(">") && !/^[ \t]*>/.test(line);

/** Whether a line that begins like this may close a fence. No two parts of the expression match the same space, to avoid backtracking. */
export const isClosingLike = (start: string): boolean => /^[ \t>]*(?:(?:\r|`+|~+)[ \t\r]*)?$/.test(start);

function closes(line: string, { marker }: Fence): boolean {
  return marker === "```" ? CLOSING_THREE.test(line) : isClosingLike(line) && line.includes(marker);
}

/** Returns what closes a fence after `text`, on its own line. */
export function closingFence({ linePrefix, marker }: Fence, text: string): string {
  return `${text.endsWith("\n") ? "" : "\n"}${linePrefix}${marker}`;
}

/** Completes a text: closes an open fence, so that what follows is not code, and drops blank lines at the end. */
export function withClosedFence(text: string): string {
  const fence = text.split("\n").reduce<Fence | null>((open, line) => fenceAfterLine(line, open), null);
  const words = text.trimEnd();
  return fence ? words + closingFence(fence, words) : words;
}

/** Returns what reopens a fence at the start of the next message, without its info string if that would exceed `most` code points. */
export function reopeningFence({ linePrefix, marker, info }: Fence, most: number): string {
  const whole = `${linePrefix}${marker}${info}\n`;
  return codePoints(whole) <= most ? whole : `${linePrefix}${marker}\n`;
}
