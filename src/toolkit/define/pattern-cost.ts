// Decides which patterns of a foreign schema may be searched here. JavaScript's expressions backtrack, and a search that has
// begun can't be stopped, so only patterns whose work is bounded by their shape run. The tool's own check covers the rest.

const MAX_CHARS = 200;
const MAX_COUNT = 100;
/** How many points may let a search try another way. Each at most doubles the work. */
const MAX_FORKS = 6;

/** Escapes for one character or one class. The back references `\1` and `\k` are not among them. */
const ESCAPE = /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|[^1-9k])/gu;
const CLASS = /\[[^\]]*\]/gu;

/**
 * Is the pattern's work linear in the text, for any text? Then it has at most one open-ended repetition, anchored and without an
 * alternative; no repetition repeats another, looks around or refers back. It also rejects many harmless patterns.
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
  // A repeated group must match in one way and with one length.
  if (repeatsGroup && (forks > 0 || open + counts.length > 1 || shape.split(/\)[*+{]/u).length > 2)) return false;
  return open === 0 || (open === 1 && shape.startsWith("^") && !shape.includes("|"));
}
