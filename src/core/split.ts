// One text into the messages that carry it. Every character is in exactly one part: the parts joined are the text.
// A cut depends on the text before it alone, so a part that is full stays as it is while the text behind it grows.
import { MESSAGE_CODE_POINTS } from "./limits.ts";

/** A cut may not leave a part shorter than this share of the limit; below it a hard cut is better. */
const SHORTEST_SHARE = 0.5;
const BOUNDARIES = ["\n\n", "\n", ". ", " "];

/**
 * The parts of `text`, each at most `limit` code points (what Discord counts), never cut inside a surrogate pair, at the
 * best boundary in the second half of the part. Empty text has no parts.
 */
export function split(text: string, limit: number = MESSAGE_CODE_POINTS): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const end = unitsOf(rest, limit);
    if (end >= rest.length) break;
    const cut = cutBefore(rest.slice(0, end));
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return rest === "" ? parts : [...parts, rest];
}

/** Length in UTF-16 units of the first `points` code points. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/** Where to cut a full window: behind its last paragraph, line, sentence or word, else at its end. */
function cutBefore(window: string): number {
  const earliest = window.length * SHORTEST_SHARE;
  for (const boundary of BOUNDARIES) {
    const at = window.lastIndexOf(boundary);
    if (at + boundary.length > earliest && at >= 0) return at + boundary.length;
  }
  return window.length;
}

/** Number of Unicode code points, which is how Discord measures a message. */
export function codePoints(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; count++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
