// Which patterns of a schema from elsewhere are searched for here. The platform's expressions backtrack, and nobody can end one that
// has begun, so only those run whose work is bounded by their shape; the rest is left to the tool's own check.

const MAX_CHARS = 200;
const MAX_COUNT = 100;
/** Places where a search may have to go on in another way: each doubles the work at most. */
const MAX_FORKS = 6;

/** Escapes that mean one character or one class; `\1` and `\k`, which refer back, are none of them. */
const ESCAPE = /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|[^1-9k])/gu;
const CLASS = /\[[^\]]*\]/gu;

/**
 * Is the pattern's work linear in the text, whatever that is? Then at most one repetition has an open end, anchored and without
 * another way beside it; nothing repeats a repetition, looks around or refers back. Says no to many a harmless one.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > MAX_CHARS) return false;
  const bare = pattern.replace(ESCAPE, "x").replace(CLASS, "x").replaceAll("(?:", "(");
  if (/\\|\(\?/u.test(bare)) return false;
  // A lazy repetition finds its end in as many steps as a greedy one.
  const shape = bare.replace(/([*+?}])\?/gu, "$1");
  const counts = [...shape.matchAll(/\{(\d+)(,?)(\d*)\}/gu)];
  const open = shape.split(/[*+]/u).length - 1 + counts.filter(([, , comma]) => comma !== "").length;
  const forks = shape.split(/[?|]/u).length - 1;
  const repeatsGroup = /\)[*+{]/u.test(shape);
  if (counts.some(([, low, , high]) => Number(high || low) > MAX_COUNT) || forks > MAX_FORKS) return false;
  // What stands in a repeated group has one way and one length.
  if (repeatsGroup && (forks > 0 || open + counts.length > 1 || shape.split(/\)[*+{]/u).length > 2)) return false;
  return open === 0 || (open === 1 && shape.startsWith("^") && !shape.includes("|"));
}
