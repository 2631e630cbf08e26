// JSON texts from outside, which may be none.

/** As `JSON.parse` and `JSON.stringify` take it. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** The most values of one text: while it is read, each may take 250 bytes, and an object has 128 MB for everything. */
const MAX_VALUES = 200_000;

/** What the text says; undefined where it is no JSON, or has so many values that no one could read it. */
export function parseJson(text: string, revive?: Revive): unknown {
  try {
    return hasTooMany(text) ? undefined : JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** Counts the signs of which each value has one or two. Most texts are too short for so many. */
function hasTooMany(text: string): boolean {
  let values = 0;
  let isWords = false;
  for (let at = text.length > MAX_VALUES ? 0 : text.length; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === '"') isWords = !isWords;
    else if (!isWords && (char === "," || char === "[" || char === "{")) values++;
  }
  return values > MAX_VALUES;
}

/** For reading and for writing: half of a character, which nobody can send on, is replaced. */
export const wellFormed: Revive = (_key, value) => (typeof value === "string" ? value.toWellFormed() : value);

/** Discord leaves out what is missing; a program in its place may write null. `meant`: the field whose null says something. */
export const withoutNulls = (json: unknown, meant?: string): object =>
  Object.fromEntries(Object.entries(json ?? {}).filter(([key, value]) => value !== null || key === meant));
