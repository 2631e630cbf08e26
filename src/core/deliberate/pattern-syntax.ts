// Parses the subset of regular expressions that triggers may use: what can be searched in linear time, without lookaround,
// back references or nested repetition. The result is a tree; compile-pattern.ts turns it into a program.
import { onceExpression } from "../once.ts";
import { isWordChar, withPlainQuotes } from "./matching-text.ts";

/** Why a pattern is refused; copy/trigger-faults.ts has the sentences. */
export type PatternFault =
  | "nested_quantifier"
  | "nothing_to_repeat"
  | "bad_count"
  | "not_supported"
  | "unclosed_group"
  | "unopened_group"
  | "unclosed_class"
  | "bad_range"
  | "matches_nothing"
  | "too_large";

/** The code points that one position of a pattern accepts. */
export interface CharSet {
  negated: boolean;
  ranges: (readonly [from: number, to: number])[];
  classes: ((char: string) => boolean)[];
}

/** A pattern as a tree. `edge` is the beginning or end of a word. */
export type Node =
  | { kind: "set"; set: CharSet }
  | { kind: "assert"; at: "start" | "end" | "edge" | "no_edge" }
  | { kind: "sequence"; parts: readonly Node[] }
  | { kind: "choice"; options: readonly Node[] }
  | { kind: "repeat"; of: Node; min: number; max: number | null };

/** A tree, or the first fault. */
export type ParsedPattern = { ok: true; node: Node } | { ok: false; fault: PatternFault };

/** The largest count in braces. */
const MAX_COUNT = 100;

/** The state of a parser. It continues after a fault; the first one is reported. */
interface Reader {
  chars: readonly string[];
  at: number;
  fault: PatternFault | null;
}

/** Parses a pattern: literals, `.`, classes, `\d \w \s \b` and their opposites, groups, `|`, `^`, `$`, `* + ? {m,n}`. */
export function parsePattern(pattern: string): ParsedPattern {
  const reader: Reader = { chars: [...withPlainQuotes(pattern.normalize("NFKC"))], at: 0, fault: null };
  const node = readChoice(reader);
  if (reader.at < reader.chars.length) reader.fault ??= "unopened_group";
  if (mayBeEmpty(node)) reader.fault ??= "matches_nothing";
  return reader.fault === null ? { ok: true, node } : { ok: false, fault: reader.fault };
}

/** Returns the set of one code point, in either case. */
export const only = (char: string): CharSet => ({
  negated: false,
  ranges: [[foldedCode(char), foldedCode(char)]],
  classes: [],
});

/** Whether the set accepts this code point of a folded text. */
export function accepts({ negated, ranges, classes }: CharSet, char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  const isHeld = ranges.some(([from, to]) => from <= code && code <= to) || classes.some((isIn) => isIn(char));
  return isHeld !== negated;
}

function readChoice(reader: Reader): Node {
  const options = [readSequence(reader)];
  while (take(reader, "|")) options.push(readSequence(reader));
  return options.length === 1 && options[0] ? options[0] : { kind: "choice", options };
}

function readSequence(reader: Reader): Node {
  const parts: Node[] = [];
  for (let next = peek(reader); next !== undefined && next !== "|" && next !== ")"; next = peek(reader))
    parts.push(readRepeat(reader, readAtom(reader)));
  return { kind: "sequence", parts };
}

function readAtom(reader: Reader): Node {
  const char = reader.chars[reader.at++] ?? "";
  switch (char) {
    case "(":
      return readGroup(reader);
    case "[":
      return { kind: "set", set: readClass(reader) };
    case ".":
      return { kind: "set", set: { negated: true, ranges: [], classes: [] } };
    case "^":
      return { kind: "assert", at: "start" };
    case "$":
      return { kind: "assert", at: "end" };
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
    case "{":
      reader.fault ??= "nothing_to_repeat";
      return NOTHING;
    default:
      return { kind: "set", set: only(char) };
  }
}

const NOTHING: Node = { kind: "sequence", parts: [] };

/** `(…)` and `(?:…)` mean the same, because groups are never captured. */
function readGroup(reader: Reader): Node {
  if (take(reader, "?") && !take(reader, ":")) reader.fault ??= "not_supported";
  const node = readChoice(reader);
  if (!take(reader, ")")) reader.fault ??= "unclosed_group";
  return node;
}

function readEscape(reader: Reader): Node {
  const char = reader.chars[reader.at++] ?? "";
  if (char === "b" || char === "B") return { kind: "assert", at: char === "b" ? "edge" : "no_edge" };
  const named = namedClass(char);
  if (named) return { kind: "set", set: { negated: false, ranges: [], classes: [named] } };
  // Any other letter or digit is a reference, a property or an escape that is not supported.
  if (char === "" || letterOrDigit().test(char)) reader.fault ??= "not_supported";
  return { kind: "set", set: only(char) };
}

const letterOrDigit = onceExpression("[\\p{L}\\p{N}]", "u");
const digit = onceExpression("\\p{Nd}", "u");
const isDigit = (char: string) => digit().test(char);
const isSpace = (char: string) => char === " ";

function namedClass(letter: string): ((char: string) => boolean) | null {
  const isIn = { d: isDigit, w: isWordChar, s: isSpace }[letter.toLowerCase()];
  if (!isIn) return null;
  return letter === letter.toLowerCase() ? isIn : (char) => !isIn(char);
}

function readClass(reader: Reader): CharSet {
  const set: CharSet = { negated: take(reader, "^"), ranges: [], classes: [] };
  while (!take(reader, "]")) {
    const from = readMember(reader, set);
    if (from === undefined) {
      reader.fault ??= "unclosed_class";
      return set;
    }
    if (from === null) continue;
    const isRange = peek(reader) === "-" && reader.chars[reader.at + 1] !== "]";
    if (isRange) reader.at++;
    const to = isRange ? readMember(reader, set) : from;
    // A named class has no order, so it can't end a range.
    if (to === null || to === undefined || foldedCode(to) < foldedCode(from)) reader.fault ??= "bad_range";
    else set.ranges.push([foldedCode(from), foldedCode(to)]);
  }
  return set;
}

/** Reads one item of a class: returns its code point, null for a named class, which is added here, or undefined at the pattern's end. */
function readMember(reader: Reader, set: CharSet): string | null | undefined {
  const char = reader.chars[reader.at++];
  if (char !== "\\") return char;
  const escaped = reader.chars[reader.at++];
  const named = escaped === undefined ? null : namedClass(escaped);
  if (named) {
    set.classes.push(named);
    return null;
  }
  if (escaped !== undefined && letterOrDigit().test(escaped)) reader.fault ??= "not_supported";
  return escaped;
}

/** Reads the quantifier after a node, if there is one. A lazy one is ignored, because it finds the same texts. */
function readRepeat(reader: Reader, of: Node): Node {
  const counts = readCounts(reader);
  if (!counts) return of;
  take(reader, "?");
  if (readCounts(reader) || repeats(of)) reader.fault ??= "nested_quantifier";
  if (of.kind === "assert") reader.fault ??= "nothing_to_repeat";
  return { kind: "repeat", of, ...counts };
}

function readCounts(reader: Reader): { min: number; max: number | null } | null {
  if (take(reader, "*")) return { min: 0, max: null };
  if (take(reader, "+")) return { min: 1, max: null };
  if (take(reader, "?")) return { min: 0, max: 1 };
  if (!take(reader, "{")) return null;
  const end = reader.chars.indexOf("}", reader.at);
  const inside = end < 0 ? "" : reader.chars.slice(reader.at, end).join("");
  const [, low, comma, high] = /^(\d{1,3})(?:(,)(\d{0,3}))?$/.exec(inside) ?? [];
  if (end >= 0) reader.at = end + 1;
  const min = Number(low);
  const max = comma === "," ? (high === "" ? null : Number(high)) : min;
  // Without a count `min` is NaN, for which this comparison is false.
  const isSound = (max ?? min) >= min;
  if (!isSound || (max ?? min) > MAX_COUNT) reader.fault ??= "bad_count";
  return { min, max };
}

function repeats(node: Node): boolean {
  switch (node.kind) {
    case "repeat":
      return true;
    case "sequence":
      return node.parts.some(repeats);
    case "choice":
      return node.options.some(repeats);
    case "set":
    case "assert":
      return false;
  }
}

/** A pattern that matches the empty text matches every message. */
function mayBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case "repeat":
      return node.min === 0 || mayBeEmpty(node.of);
    case "sequence":
      return node.parts.every(mayBeEmpty);
    case "choice":
      return node.options.some(mayBeEmpty);
    case "assert":
      return true;
    case "set":
      return false;
  }
}

const foldedCode = (char: string): number => char.toLowerCase().codePointAt(0) ?? 0;
const peek = (reader: Reader): string | undefined => reader.chars[reader.at];

function take(reader: Reader, char: string): boolean {
  if (peek(reader) !== char) return false;
  reader.at++;
  return true;
}
