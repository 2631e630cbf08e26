// Finds the tool that a model means. Models add prefixes, change case and invent suffixes; such a name counts if it fits exactly one
// tool. A near miss never runs; it is only suggested.

/** The tool's own name and whether it matched exactly, or the nearest name for a hint. */
export type ResolvedName = { found: true; name: string; isExact: boolean } | { found: false; nearest: string | null };

/** The prefixes of several model families. One family also appends an index. */
const PREFIX = /^(?:functions?|tools?|default_api|mcp)[.:/]+/i;
const INDEX_SUFFIX = /:\d+$/;
/** Part of a model's own notation, which its server takes for the end of the name (gpt-oss served by vLLM, GLM by Fireworks). */
const MARKUP = /<.*$/s;
/** Two names are similar when they differ in at most this share of their length. */
const NEAR_SHARE = 0.4;
/** No tool has a longer name, and a comparison costs the product of the lengths. */
export const MAX_NAME_CHARS = 128;
/** What all comparisons together may cost: as much as 128 names of 36 characters with one of 64. */
const MAX_COMPARED = 300_000;

/** Finds the one of `names` that is meant: exactly, without prefix and markup, or in another case or style. */
export function resolveToolName(called: string, names: readonly string[]): ResolvedName {
  if (names.includes(called)) return { found: true, name: called, isExact: true };
  if (called.length > MAX_NAME_CHARS) return { found: false, nearest: null };
  const stripped = called.trim().replace(MARKUP, "").replace(PREFIX, "").replace(INDEX_SUFFIX, "");
  if (names.includes(stripped)) return { found: true, name: stripped, isExact: false };
  const alike = names.filter((name) => styleless(name) === styleless(stripped));
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return { found: true, name: only, isExact: false };
  return { found: false, nearest: nearestTo(stripped, names) };
}

/** Returns the name that this one is probably a misspelling of, or null. Also used for parameters. */
export function nearestTo(name: string, names: readonly string[]): string | null {
  if (name.length > MAX_NAME_CHARS || name.length * names.join("").length > MAX_COMPARED) return null;
  const ranked = names
    .map((other) => ({ other, distance: editDistance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, distance }) => distance <= Math.max(name.length, other.length) * NEAR_SHARE)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.other ?? null;
}

/** Returns the same text for weather_report, WeatherReport, weather-report and weather_report_tool. */
function styleless(name: string): string {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  return snake
    .toLowerCase()
    .replace(/_tool$/, "")
    .replaceAll("_", "");
}

/** Counts the edits of one character that turn one text into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, char] of [...a].entries()) {
    let replaced = index;
    let last = index + 1;
    row[0] = last;
    for (let column = 1; column <= b.length; column++) {
      const above = row[column] ?? 0;
      last = Math.min(replaced + (char === b[column - 1] ? 0 : 1), above + 1, last + 1);
      row[column] = last;
      replaced = above;
    }
  }
  return row.at(-1) ?? 0;
}
