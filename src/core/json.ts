// JSON texts from outside, which may be none.

/** As `JSON.parse` and `JSON.stringify` take it. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** What the text says; undefined where it is no JSON. */
export function parseJson(text: string, revive?: Revive): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** For reading and for writing: half of a character, which nobody can send on, is replaced. */
export const wellFormed: Revive = (_key, value) => (typeof value === "string" ? value.toWellFormed() : value);

/** Discord leaves out what is missing; a program in its place may write null. `meant`: the field whose null says something. */
export const withoutNulls = (json: unknown, meant?: string): object =>
  Object.fromEntries(Object.entries(json ?? {}).filter(([key, value]) => value !== null || key === meant));
