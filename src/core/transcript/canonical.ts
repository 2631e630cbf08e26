// One text for all ways to write the same JSON value, so that equal calls can be told by comparing texts.

/** JSON with the keys of every object in order of code units. Text that is no JSON stands for itself. */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text.trim() === "" ? "{}" : text)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
