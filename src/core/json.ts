// Reads text from outside that should be JSON but may not be.

/** The second argument of `JSON.parse` and `JSON.stringify`. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** The most values in one text: while it is parsed, each may take 250 bytes, and an object has 128 MB for everything. */
const MAX_VALUES = 200_000;

/** Parses the text; undefined if it isn't JSON or has too many values to parse safely. */
export function parseJson(text: string, revive?: Revive): unknown {
  try {
    return hasTooMany(text) ? undefined : JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** Counts commas and opening brackets, one or two for each value. Most texts are too short to have too many. */
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

/** Replaces lone surrogates, which no one can send on. For parsing and for writing. */
export const wellFormed: Revive = (_key, value) => (typeof value === "string" ? value.toWellFormed() : value);

/** Removes fields that are null: Discord leaves out missing fields, but a program in its place may write null. Keeps `meant` as it is. */
export const withoutNulls = (json: unknown, meant?: string): object =>
  Object.fromEntries(Object.entries(json ?? {}).filter(([key, value]) => value !== null || key === meant));
