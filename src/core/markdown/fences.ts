// Fenced code in Markdown: which fence is open at a position, how it is closed there and reopened after a cut. Handles
// any length, both kinds, with the whole info string, also inside a quote or a list.
import { codePoints } from "./code-points.ts";

/** An open fence. `linePrefix` precedes its marker: the sign of a quote, the indentation of a list. */
export interface Fence {
  linePrefix: string;
  marker: string;
  info: string;
}

/** A list item may begin with a fence; its other lines then have spaces in place of the item's sign. */
const OPENING = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)$/;
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*$/;

/** The fence that is open after one line. */
export function fenceAfterLine(line: string, open: Fence | null): Fence | null {
  if (open && !hasLeft(line, open)) return closes(line, open) ? null : open;
  const fence = fenceLike(line);
  return fence?.marker.startsWith("`") && fence.info.includes("`") ? null : fence;
}

/** The fence that a line would open if it continues like this; only its end decides. */
export function fenceLike(line: string): Fence | null {
  const [, before = "", item = "", marker, info = ""] = line.match(OPENING) ?? [];
  return marker === undefined ? null : { linePrefix: before + " ".repeat(item.length), marker, info };
}

/** A fence in a quote ends where the quote does. */
const hasLeft = (line: string, { linePrefix }: Fence): boolean => linePrefix.includes(">") && !/^[ \t]*>/.test(line);

/** May a line that begins like this close a fence? */
export const isClosingLike = (start: string): boolean => /^[ \t>]*(`*|~*)[ \t\r]*$/.test(start);

function closes(line: string, { marker }: Fence): boolean {
  const [, found = ""] = line.match(CLOSING) ?? [];
  return found[0] === marker[0] && found.length >= marker.length;
}

/** What closes a fence after `text`, on a line of its own. */
export function closingFence({ linePrefix, marker }: Fence, text: string): string {
  return `${text.endsWith("\n") ? "" : "\n"}${linePrefix}${marker}`;
}

/** What reopens a fence at the start of the next message; without its info string if that would exceed `most` code points. */
export function reopeningFence({ linePrefix, marker, info }: Fence, most: number): string {
  const whole = `${linePrefix}${marker}${info}\n`;
  return codePoints(whole) <= most ? whole : `${linePrefix}${marker}\n`;
}
