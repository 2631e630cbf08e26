// Triggers: phrases as people write them, or patterns; and the rules for a channel's own triggers.
import { fold, isWordChar } from "./matching-text.ts";
import { compileNode, compilePattern, type Program } from "./pattern-search.ts";
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

/** A program, or the broken rule as a sentence. */
export type CompiledTrigger = { ok: true; program: Program } | { ok: false; rule: string };

/** Exposes its tool on every turn. */
export const ALWAYS = "^";
/** The longest phrase and pattern, in code points, and the most triggers of one tool. */
export const MAX_PHRASE_CHARS = 40;
export const MAX_PATTERN_CHARS = 120;
export const MAX_TRIGGERS_PER_TOOL = 16;
/** The most instructions of all triggers of a channel. One message costs at most this number times its length. */
export const MAX_CHANNEL_INSTRUCTIONS = 6000;

const STEM = "*";

const PATTERN_RULES: Record<PatternFault, string> = {
  nested_quantifier: "a repetition may not be repeated again, as in `(a+)+`",
  nothing_to_repeat: "`*`, `+`, `?` and `{…}` need something before them that they repeat",
  bad_count: "a count is written `{2}`, `{2,}` or `{2,5}` and is at most 100",
  not_supported: "look-around, references and properties are not supported",
  unclosed_group: "a `(` is not closed",
  unopened_group: "a `)` was never opened",
  unclosed_class: "a `[` is not closed",
  bad_range: "a range in `[…]` goes from a lower to a higher character, as in `[a-z]`",
  matches_nothing: "it would match every message; use the phrase `^` if that is meant",
  too_large: "with its counts it is too large",
};

/**
 * Compiles a trigger. A phrase matches whole words only; a trailing `*` leaves its end open. Scripts without spaces have
 * no word edges.
 */
export function compileTrigger({ kind, text }: TriggerWords): CompiledTrigger {
  if (kind === "phrase") return compilePhrase(text);
  const compiled = compilePattern(text);
  return compiled.ok ? compiled : { ok: false, rule: `The pattern is not allowed: ${PATTERN_RULES[compiled.fault]}.` };
}

function compilePhrase(text: string): CompiledTrigger {
  const folded = fold(text);
  if (folded === ALWAYS) return { ok: true, program: [{ op: "found" }] };
  const isStem = folded.endsWith(STEM);
  const chars = [...(isStem ? folded.slice(0, -STEM.length).trim() : folded)];
  const [first] = chars;
  const last = chars.at(-1);
  if (first === undefined || last === undefined) return { ok: false, rule: "The phrase is empty." };
  const edge: Node = { kind: "assert", at: "edge" };
  const parts = [
    ...(isWordChar(first) ? [edge] : []),
    ...chars.map((char): Node => ({ kind: "set", set: only(char) })),
    ...(isWordChar(last) && !isStem ? [edge] : []),
  ];
  const compiled = compileNode({ kind: "sequence", parts });
  return compiled.ok ? compiled : { ok: false, rule: PATTERN_RULES[compiled.fault] };
}

/** Adds a trigger to a channel's, or returns the rule that forbids it. Sorted, so that lists and prompts are stable. */
export function withTrigger(
  triggers: readonly CustomTrigger[],
  added: CustomTrigger,
): { ok: true; triggers: CustomTrigger[] } | { ok: false; rule: string } {
  const { tool, kind } = added;
  const text = kind === "phrase" ? fold(added.text) : added.text.trim();
  const limit = kind === "phrase" ? MAX_PHRASE_CHARS : MAX_PATTERN_CHARS;
  if ([...text].length > limit) return { ok: false, rule: `A ${kind} has at most ${limit} characters.` };
  const compiled = compileTrigger({ kind, text });
  if (!compiled.ok) return compiled;
  const isSame = (one: CustomTrigger) => one.tool === tool && one.kind === kind && one.text === text;
  if (triggers.some(isSame)) return { ok: false, rule: `\`${tool}\` has this trigger already.` };
  if (triggers.filter((one) => one.tool === tool).length >= MAX_TRIGGERS_PER_TOOL)
    return {
      ok: false,
      rule: `\`${tool}\` has ${MAX_TRIGGERS_PER_TOOL} triggers already, which is the most a tool may have.`,
    };
  const more = [...triggers, { tool, kind, text }].sort(byToolAndText);
  if (countInstructions(more) > MAX_CHANNEL_INSTRUCTIONS)
    return { ok: false, rule: "The triggers of this channel are too much work together; remove some first." };
  return { ok: true, triggers: more };
}

/** Removes a trigger. Null when the channel does not have it. */
export function withoutTrigger(triggers: readonly CustomTrigger[], removed: CustomTrigger): CustomTrigger[] | null {
  const text = removed.kind === "phrase" ? fold(removed.text) : removed.text.trim();
  const left = triggers.filter((one) => one.tool !== removed.tool || one.kind !== removed.kind || one.text !== text);
  return left.length < triggers.length ? left : null;
}

function countInstructions(triggers: readonly CustomTrigger[]): number {
  return triggers.reduce((sum, trigger) => {
    const compiled = compileTrigger(trigger);
    return sum + (compiled.ok ? compiled.program.length : 0);
  }, 0);
}

function byToolAndText(one: CustomTrigger, other: CustomTrigger): number {
  const [a, b] = [one, other].map(({ tool, kind, text }) => `${tool} ${kind} ${text}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
