// Measures and cuts text as Discord counts it: in Unicode code points, where an unpaired surrogate counts as one.

const PAIR = 0xffff;

/** Counts the code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; count++) unit += (text.codePointAt(unit) ?? 0) > PAIR ? 2 : 1;
  return count;
}

/** Returns the length in UTF-16 units of the first `points` code points, or of the whole text if it has fewer. */
export function unitsAtPoints(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++)
    units += (text.codePointAt(units) ?? 0) > PAIR ? 2 : 1;
  return units;
}

/** Returns the first `points` code points of a text, or all of it. */
export const firstPoints = (text: string, points: number): string => text.slice(0, unitsAtPoints(text, points));

/** Shortens a text to at most `points` code points; if it was longer, the last one is an ellipsis. */
export const shortened = (text: string, points: number): string =>
  codePoints(text) <= points ? text : `${firstPoints(text, points - 1)}…`;

/** Returns the first `units` UTF-16 units of a text, or one fewer, so that the cut never splits a character that takes two. */
export function cutText(text: string, units: number): string {
  const isInside = (text.codePointAt(units - 1) ?? 0) > PAIR;
  return text.slice(0, isInside ? units - 1 : units);
}
