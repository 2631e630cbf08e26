// Text measured as Discord measures it: in Unicode code points, where half of a surrogate pair without the other counts as one.

const PAIR = 0xffff;

/** Number of code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; count++) unit += (text.codePointAt(unit) ?? 0) > PAIR ? 2 : 1;
  return count;
}

/** Length in UTF-16 units of the first `points` code points, or of all when there are fewer. */
export function unitsAtPoints(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++)
    units += (text.codePointAt(units) ?? 0) > PAIR ? 2 : 1;
  return units;
}
