// Runs several programs over a text at once, as one automaton: the cost of a position depends on the paths that are open
// there, not on how many programs there are. A run may end early; every program has then seen the same part of the text.

import type { Program } from "./compile-pattern.ts";
import type { MatchingText } from "./matching-text.ts";
import { accepts, type CharSet } from "./pattern-syntax.ts";

/** The instructions of all programs, one program after the other. */
export interface Automaton {
  code: Program;
  /** The program of each instruction. */
  owners: readonly number[];
  /** The first instruction of each program. */
  starts: readonly number[];
  /** The code point of each instruction that reads exactly one; null for the others. */
  codes: readonly (number | null)[];
}

/** The result of a run. `work` is its cost: `steps`, and work that was repeated. */
export interface Run {
  /** For each program, whether it matches anywhere. */
  found: boolean[];
  /** How many instructions were visited. */
  steps: number;
  work: number;
}

/** The work of asking a set about a character if the answer is not cached. */
const ASKING_WORK = 8;
/** The most characters of a text whose answers are cached, and the most kinds of positions whose beginnings are. */
const MAX_REMEMBERED = 512;

/** Combines several programs into one automaton. */
export function combine(programs: readonly Program[]): Automaton {
  const code = programs.flat();
  const starts: number[] = [];
  const owners = programs.flatMap((program, owner) => {
    starts.push((starts[owner - 1] ?? 0) + (programs[owner - 1]?.length ?? 0));
    return program.map(() => owner);
  });
  return { code, owners, starts, codes: code.map((one) => (one.op === "read" ? onlyCode(one.set) : null)) };
}

function onlyCode({ negated, ranges: [range, ...more], classes }: CharSet): number | null {
  return range && range[0] === range[1] && !negated && more.length + classes.length === 0 ? range[0] : null;
}

/** Searches for all programs. Ends with the text, when all are found, or at the end of the position at which the work reaches `most`. */
export function searchAll(
  { code, owners, starts, codes }: Automaton,
  { chars, edges }: MatchingText,
  most: number = Number.POSITIVE_INFINITY,
): Run {
  const found = starts.map(() => false);
  const visitedAt = new Int32Array(code.length).fill(-1);
  const numbers = new Map<string, number>();
  const answers = new Map<CharSet, Uint8Array>();
  /** Where all programs continue that begin at a position, which depends only on the character and the edges there. */
  const beginnings = new Map<number, readonly number[]>();
  let missing = starts.length;
  let steps = 0;
  let work = 0;

  const isIn = (set: CharSet, char: string, number: number): boolean => {
    const known = answers.get(set) ?? new Uint8Array(MAX_REMEMBERED);
    if (known[number]) return known[number] === 1;
    work += ASKING_WORK;
    const answer = accepts(set, char);
    if (number < MAX_REMEMBERED) known[number] = answer ? 1 : 2;
    answers.set(set, known);
    return answer;
  };

  let threads: number[] = [];
  for (let at = 0; at <= chars.length && missing > 0 && work < most; at++) {
    const char = chars[at] ?? "";
    const isEnd = at === chars.length;
    const present = char.codePointAt(0);
    const number = isEnd ? 0 : (numbers.get(char) ?? numbers.size + 1);
    if (!isEnd) numbers.set(char, number);
    const isEdge = edges[at] === true;

    /** Follows paths up to what they read here. Returns where those that accept the character continue. */
    const follow = (open: number[]): number[] => {
      const waiting: number[] = [];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const owner = owners[next] ?? 0;
        if (visitedAt[next] === at || found[owner]) continue;
        visitedAt[next] = at;
        steps++;
        work++;
        const instruction = code[next];
        switch (instruction?.op) {
          case "read": {
            const only = codes[next] ?? null;
            const isRead = only === null ? !isEnd && isIn(instruction.set, char, number) : only === present;
            if (isRead) waiting.push(next + 1);
            break;
          }
          case "fork":
            open.push((starts[owner] ?? 0) + instruction.other, (starts[owner] ?? 0) + instruction.one);
            break;
          case "assert":
            if (holds(instruction.at, at === 0, isEnd, isEdge)) open.push(next + 1);
            break;
          case "found":
            found[owner] = true;
            missing--;
            break;
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
    // A path that begins here may also be one that continues; `visitedAt` drops the duplicate.
    threads = begun.length === 0 ? continued : continued.concat(begun);
  }
  return { found, steps, work };
}

function holds(what: "start" | "end" | "edge" | "no_edge", isStart: boolean, isEnd: boolean, isEdge: boolean): boolean {
  switch (what) {
    case "start":
      return isStart;
    case "end":
      return isEnd;
    case "edge":
      return isEdge;
    case "no_edge":
      return !isEdge;
  }
}
