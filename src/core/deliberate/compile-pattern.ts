// Compiles a pattern into a program (Thompson's construction). side-by-side.ts searches a text for several of them in one run: it follows
// all paths at once, so no pattern and no text makes it start over, and visits each instruction at most once per position in the text.
import { type CharSet, type Node, type ParsedPattern, type PatternFault, parsePattern } from "./pattern-syntax.ts";

/** One step of a program. */
export type Instruction =
  | { op: "read"; set: CharSet }
  | { op: "fork"; one: number; other: number }
  | { op: "assert"; at: "start" | "end" | "edge" | "no_edge" }
  | { op: "found" };

/** A pattern ready for searching. Its length limits the work: `length × (code points + 1)` steps. */
export type Program = readonly Instruction[];

/** A program, or the reason why there is none. */
export type CompiledPattern = { ok: true; program: Program } | { ok: false; fault: PatternFault };

/** The longest program. Repeat counts multiply what they repeat. */
export const MAX_INSTRUCTIONS = 300;

/** Compiles a pattern. */
export function compilePattern(pattern: string): CompiledPattern {
  const parsed: ParsedPattern = parsePattern(pattern);
  return parsed.ok ? compileNode(parsed.node) : parsed;
}

/** Compiles a pattern's tree. */
export function compileNode(node: Node): CompiledPattern {
  if (measureLength(node) >= MAX_INSTRUCTIONS) return { ok: false, fault: "too_large" };
  const program: Instruction[] = [];
  emit(program, node);
  program.push({ op: "found" });
  return { ok: true, program };
}

/** Computes the number of instructions for a tree before they are built, so that no repeat count can fill the memory. */
function measureLength(node: Node): number {
  switch (node.kind) {
    case "set":
    case "assert":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + measureLength(part), 0);
    case "choice":
      return node.options.reduce((sum, option) => sum + measureLength(option) + 2, 0);
    case "repeat": {
      const { of, min, max } = node;
      return measureLength(of) * (max ?? min + 1) + 2 * ((max ?? min + 1) - min);
    }
  }
}

function emit(program: Instruction[], node: Node): void {
  switch (node.kind) {
    case "set":
      program.push({ op: "read", set: node.set });
      return;
    case "assert":
      program.push({ op: "assert", at: node.at });
      return;
    case "sequence":
      for (const part of node.parts) emit(program, part);
      return;
    case "choice":
      emitChoice(program, node.options);
      return;
    case "repeat":
      emitRepeat(program, node);
      return;
  }
}

function emitChoice(program: Instruction[], options: readonly Node[]): void {
  const exits: number[] = [];
  options.forEach((option, index) => {
    const isLast = index === options.length - 1;
    const fork = program.length;
    if (!isLast) program.push({ op: "fork", one: 0, other: 0 });
    emit(program, option);
    if (isLast) return;
    exits.push(program.length);
    program.push({ op: "fork", one: 0, other: 0 });
    program[fork] = { op: "fork", one: fork + 1, other: program.length };
  });
  for (const exit of exits) program[exit] = { op: "fork", one: program.length, other: program.length };
}

function emitRepeat(program: Instruction[], { of, min, max }: Extract<Node, { kind: "repeat" }>): void {
  for (let count = 0; count < min; count++) emit(program, of);
  const skips: number[] = [];
  for (let count = min; count < (max ?? min + 1); count++) {
    skips.push(program.length);
    program.push({ op: "fork", one: 0, other: 0 });
    emit(program, of);
    const [start = 0] = skips;
    if (max === null) program.push({ op: "fork", one: start, other: start });
  }
  for (const skip of skips) program[skip] = { op: "fork", one: skip + 1, other: program.length };
}
