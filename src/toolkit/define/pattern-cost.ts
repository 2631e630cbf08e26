// Decides which patterns of a foreign schema may be searched here. JavaScript's regular expressions backtrack, and a search that has
// begun can't be stopped, so only patterns whose shape bounds their work are run. The tool's own check covers the rest.

const MAX_CHARS = 200;
const MAX_COUNT = 100;
/** How many points in a pattern may make a search try another way. Each at most doubles the work. */
const MAX_FORKS = 6;

/** Escapes that match one character or one class. The back references `\1` and `\k` are not included. */
const ESCAPE = /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|[^1-9k])/gu;
const CLASS = /\[[^\]]*\]/gu;

/**
 * Whether the pattern's work is linear in the length of any text. Such a pattern has at most one open-ended repetition, which is anchored and has
 * no alternatives; no repetition repeats another, looks around or refers back. Many harmless patterns are rejected too.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > MAX_CHARS) return false;
  const bare = pattern.replace(ESCAPE, "x").replace(CLASS, "x").replaceAll("(?:", "(");
  if (/\\|\(\?/u.test(bare)) return false;
  // A lazy repetition takes as many steps as a greedy one.
  const shape = bare.replace(/([*+?}])\?/gu, "$1");
  const counts = [...shape.matchAll(/\{(\d+)(,?)(\d*)\}/gu)];
  const open = shape.split(/[*+]/u).length - 1 + counts.filter(([, , comma]) => comma !== "").length;
  const forks = shape.split(/[?|]/u).length - 1;
  const repeatsGroup = /\)[*+{]/u.test(shape);
  if (counts.some(([, low, , high]) => Number(high || low) > MAX_COUNT) || forks > MAX_FORKS) return false;
  // A repeated group must have only one way to match, and only one length.
  if (repeatsGroup && (forks > 0 || open + counts.length > 1 || shape.split(/\)[*+{]/u).length > 2)) return false;
  return open === 0 || (open === 1 && shape.startsWith("^") && !shape.includes("|"));
}
