// Follows several programs through a text in one run, as one automaton: the cost of a position depends on the paths that
// are open there, not on how many programs there are. A run may end early; every program has then seen the same text.
import type { MatchingText } from "./matching-text.ts";
import type { Program } from "./pattern-search.ts";
import { accepts, type CharSet } from "./pattern-syntax.ts";

/** The instructions of all programs behind each other, as numbers. */
export interface Automaton {
  /** The first instruction of each program. */
  starts: readonly number[];
  /** The program of each instruction. */
  owners: Int32Array;
  ops: Uint8Array;
  /** What the instruction works with: a code point, a set, or where to continue. */
  one: Int32Array;
  other: Int32Array;
  sets: readonly CharSet[];
}

/** What a run came to. `work` is what it cost: `steps`, and what was done again. */
export interface Run {
  /** Of each program: does it occur? */
  found: boolean[];
  /** The visited instructions. */
  steps: number;
  work: number;
}

const READ_ONE = 0;
const READ_SET = 1;
const FORK = 2;
const FOUND = 3;
const ASSERTS = { start: 4, end: 5, edge: 6, no_edge: 7 };

/** The work of asking a set about a character whose answer is not remembered. */
const ASKING_WORK = 8;
/** Characters of a text whose answers are remembered, and kinds of positions whose beginnings are. */
const MAX_REMEMBERED = 512;

/** Makes one automaton of several programs. */
export function combine(programs: readonly Program[]): Automaton {
  const length = programs.reduce((sum, program) => sum + program.length, 0);
  const [owners, one, other] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  const ops = new Uint8Array(length);
  const sets: CharSet[] = [];
  const numbers = new Map<CharSet, number>();
  const starts: number[] = [];
  let at = 0;
  programs.forEach((program, owner) => {
    const start = at;
    starts.push(start);
    for (const instruction of program) {
      owners[at] = owner;
      switch (instruction.op) {
        case "read": {
          const { set } = instruction;
          const single = onlyCode(set);
          ops[at] = single === null ? READ_SET : READ_ONE;
          const number = numbers.get(set) ?? sets.length;
          one[at] = single ?? number;
          if (single === null && number === sets.length) {
            numbers.set(set, number);
            sets.push(set);
          }
          break;
        }
        case "fork":
          ops[at] = FORK;
          one[at] = start + instruction.one;
          other[at] = start + instruction.other;
          break;
        case "assert":
          ops[at] = ASSERTS[instruction.at];
          break;
        case "found":
          ops[at] = FOUND;
          break;
      }
      at++;
    }
  });
  return { starts, owners, ops, one, other, sets };
}

function onlyCode({ negated, ranges, classes }: CharSet): number | null {
  const [range] = ranges;
  return !negated && classes.length === 0 && ranges.length === 1 && range && range[0] === range[1] ? range[0] : null;
}

/** Searches for all programs. Ends with the text, when all are found, or after `most` work and the position it is at. */
export function searchAll(
  { starts, owners, ops, one, other, sets }: Automaton,
  { chars, edges }: MatchingText,
  most: number = Number.POSITIVE_INFINITY,
): Run {
  const found = starts.map(() => false);
  const visitedAt = new Int32Array(ops.length).fill(-1);
  const numbers = new Map<string, number>();
  const answers: Uint8Array[] = [];
  /** What waits after the beginning of all programs at a position: it depends only on the character and the edges there. */
  const beginnings = new Map<number, readonly number[]>();
  let missing = starts.length;
  let steps = 0;
  let work = 0;

  const isIn = (setNumber: number, char: string, number: number): boolean => {
    const set = sets[setNumber];
    if (!set) return false;
    answers[setNumber] ??= new Uint8Array(MAX_REMEMBERED);
    const known = answers[setNumber][number];
    if (known) return known === 1;
    work += ASKING_WORK;
    const answer = accepts(set, char);
    if (number < MAX_REMEMBERED) answers[setNumber][number] = answer ? 1 : 2;
    return answer;
  };

  let threads: number[] = [];
  for (let at = 0; at <= chars.length && missing > 0 && work < most; at++) {
    const char = chars[at] ?? "";
    const isEnd = at === chars.length;
    const code = isEnd ? -1 : (char.codePointAt(0) ?? -1);
    const number = isEnd ? 0 : (numbers.get(char) ?? numbers.size + 1);
    if (!isEnd) numbers.set(char, number);
    const isEdge = edges[at] === true;

    /** Follows paths up to what they read here. Returns where those continue that may read the character. */
    const follow = (open: number[]): number[] => {
      const waiting: number[] = [];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const owner = owners[next] ?? 0;
        if (visitedAt[next] === at || found[owner]) continue;
        visitedAt[next] = at;
        steps++;
        work++;
        const op = ops[next];
        if (op === READ_ONE) {
          if (one[next] === code) waiting.push(next + 1);
        } else if (op === READ_SET) {
          if (!isEnd && isIn(one[next] ?? 0, char, number)) waiting.push(next + 1);
        } else if (op === FORK) {
          open.push(other[next] ?? 0, one[next] ?? 0);
        } else if (op === FOUND) {
          found[owner] = true;
          missing--;
        } else {
          const isHeld =
            op === ASSERTS.start ? at === 0 : op === ASSERTS.end ? isEnd : (op === ASSERTS.edge) === isEdge;
          if (isHeld) open.push(next + 1);
        }
      }
      return waiting;
    };

    // A match may begin at every position.
    const kind = number * 4 + (isEdge ? 2 : 0) + (at === 0 ? 1 : 0);
    const known = beginnings.get(kind);
    const begun = known ?? follow([...starts]);
    if (known) work += known.length;
    else if (beginnings.size < MAX_REMEMBERED) beginnings.set(kind, begun);
    const continued = follow(threads);
    // What begins may be followed already.
    threads = begun.length === 0 ? continued : continued.concat(begun);
  }
  return { found, steps, work };
}
