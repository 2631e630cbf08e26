// Compiles triggers, which are phrases as people write them, or patterns.

import { compileNode, compilePattern, type Program } from "./compile-pattern.ts";
import { fold, isWordChar } from "./matching-text.ts";
import { type Node, only, type PatternFault } from "./pattern-syntax.ts";

/** A phrase or a pattern that exposes a tool when it occurs in a message. */
export interface TriggerWords {
  kind: "phrase" | "pattern";
  text: string;
}

/** A channel's own trigger. */
export interface CustomTrigger extends TriggerWords {
  tool: string;
}

/** Why a trigger is refused; copy/trigger-faults.ts has the sentences. */
export type TriggerFault =
  | { fault: "pattern"; why: PatternFault }
  | { fault: "empty_phrase" }
  | { fault: "too_long"; kind: TriggerWords["kind"]; limit: number }
  | { fault: "exists"; tool: string }
  | { fault: "tool_full"; tool: string; limit: number }
  | { fault: "channel_full" };

/** A program, or why there is none. */
export type CompiledTrigger = { ok: true; program: Program } | { ok: false; fault: TriggerFault };

/** Exposes its tool on every turn. */
const ALWAYS = "^";

const STEM = "*";

/**
 * Compiles a trigger. A phrase matches whole words only; a trailing `*` leaves its end open. Scripts without spaces have
 * no word edges.
 */
export function compileTrigger({ kind, text }: TriggerWords): CompiledTrigger {
  const phrase = kind === "phrase" ? readPhrase(text) : undefined;
  if (phrase === null) return { ok: false, fault: { fault: "empty_phrase" } };
  const compiled = phrase ? compileNode(phrase) : compilePattern(text);
  return compiled.ok ? compiled : { ok: false, fault: { fault: "pattern", why: compiled.fault } };
}

/** Reads the phrase as a pattern's tree; null if it is empty. */
function readPhrase(text: string): Node | null {
  const folded = fold(text);
  if (folded === ALWAYS) return { kind: "sequence", parts: [] };
  const isStem = folded.endsWith(STEM);
  const chars = [...(isStem ? folded.slice(0, -STEM.length).trim() : folded)];
  const [first] = chars;
  const last = chars.at(-1);
  if (first === undefined || last === undefined) return null;
  const edge: Node = { kind: "assert", at: "edge" };
  const parts = [
    ...(isWordChar(first) ? [edge] : []),
    ...chars.map((char): Node => ({ kind: "set", set: only(char) })),
    ...(isWordChar(last) && !isStem ? [edge] : []),
  ];
  return { kind: "sequence", parts };
}
