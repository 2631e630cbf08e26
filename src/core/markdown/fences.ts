// Fenced code in Markdown: which fence is open at a position, how it is closed there and reopened after a cut. Handles
// any length, both kinds, with the whole info string, also inside a quote or a list. Three backticks count as Discord counts
// them: they also open code after words, and the next ones at the end or the beginning of a line close it.
import { codePoints } from "./code-points.ts";

/** An open fence. `linePrefix` precedes its marker: the sign of a quote, the indentation of a list. */
export interface Fence {
  linePrefix: string;
  marker: string;
  info: string;
}

/**
 * A list item may begin with a fence; its other lines then have spaces in place of the item's sign. To Discord, `>>> ` quotes all that
 * follows: no other line has a sign.
 */
const OPENING = /^(?:>>> )?([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)$/;
/** The language of code that begins after words on a line. */
const LANGUAGE = /^[\w+#-]*\s*$/;
/** What ends code after three backticks: others at the end or the beginning of a line that has none beside them. */
const CLOSING_THREE = /^(?:((?!```).)*```\s*$|[ \t>]*```(?!.*```))/;

/** The fence that is open after one line. */
export function fenceAfterLine(line: string, open: Fence | null): Fence | null {
  if (open && !hasLeft(line, open)) return closes(line, open) ? null : open;
  const fence = fenceWithin(line);
  return fence && (fenceLike(line) ? /^[^`]*$/ : LANGUAGE).test(fence.info) ? fence : null;
}

/** As `fenceLike`, but the fence may also begin after words. */
export function fenceWithin(line: string): Fence | null {
  const at = line.indexOf("```");
  return fenceLike(line) ?? (at < 0 ? null : fenceLike(readIndent(line) + line.slice(at)));
}

/** What precedes the first sign of a line in a quote, a list or a table. */
export const readIndent = (line: string): string => line.match(/^[ \t>]*/)?.[0] ?? "";

/** The fence that a line would open if it continues like this; only its end decides. */
export function fenceLike(line: string): Fence | null {
  const [, before = "", item = "", marker, info = ""] = line.match(OPENING) ?? [];
  return marker === undefined ? null : { linePrefix: before + " ".repeat(item.length), marker, info };
}

/** A fence in a quote ends where the quote does. */
const hasLeft = (line: string, { linePrefix }: Fence): boolean => linePrefix.includes(">") && !/^[ \t]*>/.test(line);

/** May a line that begins like this close a fence? No two parts of the expression take the same blank, as each would be tried for each. */
export const isClosingLike = (start: string): boolean => /^[ \t>]*(?:(?:\r|`+|~+)[ \t\r]*)?$/.test(start);

function closes(line: string, { marker }: Fence): boolean {
  return marker === "```" ? CLOSING_THREE.test(line) : isClosingLike(line) && line.includes(marker);
}

/** What closes a fence after `text`, on a line of its own. */
export function closingFence({ linePrefix, marker }: Fence, text: string): string {
  return `${text.endsWith("\n") ? "" : "\n"}${linePrefix}${marker}`;
}

/** Completes a text: an open fence is closed, so that what follows is not code, and blank lines at its end are dropped. */
export function withClosedFence(text: string): string {
  const fence = text.split("\n").reduce<Fence | null>((open, line) => fenceAfterLine(line, open), null);
  const words = text.trimEnd();
  return fence ? words + closingFence(fence, words) : words;
}

/** What reopens a fence at the start of the next message; without its info string if that would exceed `most` code points. */
export function reopeningFence({ linePrefix, marker, info }: Fence, most: number): string {
  const whole = `${linePrefix}${marker}${info}\n`;
  return codePoints(whole) <= most ? whole : `${linePrefix}${marker}\n`;
}
