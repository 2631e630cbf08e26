// A channel's own triggers: decides which may be added, and how many.
import { MAX_PATTERN_CHARS, MAX_PHRASE_CHARS } from "../limits.ts";
import { codePoints } from "../markdown/code-points.ts";
import { fold } from "./matching-text.ts";
import { type CustomTrigger, compileTrigger, type TriggerFault } from "./trigger-phrases.ts";

/** The most triggers of one tool. */
export const MAX_TRIGGERS_PER_TOOL = 16;
/** The most instructions of all of a channel's triggers. One message costs at most this number times its length. */
export const MAX_CHANNEL_INSTRUCTIONS = 6000;

/** Adds a trigger to a channel's, or returns the rule that forbids it. The result is sorted, so that lists and prompts are stable. */
export function withTrigger(
  triggers: readonly CustomTrigger[],
  added: CustomTrigger,
): { ok: true; triggers: CustomTrigger[] } | { ok: false; fault: TriggerFault } {
  const { tool, kind } = added;
  const text = kind === "phrase" ? fold(added.text) : added.text.trim();
  const limit = kind === "phrase" ? MAX_PHRASE_CHARS : MAX_PATTERN_CHARS;
  if (codePoints(text) > limit) return { ok: false, fault: { fault: "too_long", kind, limit } };
  const compiled = compileTrigger({ kind, text });
  if (!compiled.ok) return compiled;
  const isSame = (one: CustomTrigger) => one.tool === tool && one.kind === kind && one.text === text;
  if (triggers.some(isSame)) return { ok: false, fault: { fault: "exists", tool } };
  if (triggers.filter((one) => one.tool === tool).length >= MAX_TRIGGERS_PER_TOOL)
    return { ok: false, fault: { fault: "tool_full", tool, limit: MAX_TRIGGERS_PER_TOOL } };
  const more = [...triggers, { tool, kind, text }].sort(byToolAndText);
  if (countInstructions(more) > MAX_CHANNEL_INSTRUCTIONS) return { ok: false, fault: { fault: "channel_full" } };
  return { ok: true, triggers: more };
}

/** Removes a trigger. Returns null if the channel does not have it. */
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
