// Says why a trigger of deliberate tool mode is refused.
import type { PatternFault } from "../deliberate/pattern-syntax.ts";
import type { TriggerFault } from "../deliberate/trigger-phrases.ts";

/** Says which rule was broken. */
export function triggerFaultText(fault: TriggerFault): string {
  switch (fault.fault) {
    case "pattern":
      return `The pattern is not allowed: ${PATTERN_RULES[fault.why]}.`;
    case "empty_phrase":
      return "The phrase is empty. Write a word.";
    case "too_long":
      return `A ${fault.kind} can have at most ${fault.limit} characters.`;
    case "exists":
      return `\`${fault.tool}\` already has this trigger.`;
    case "tool_full":
      return `\`${fault.tool}\` already has ${fault.limit} triggers, the most a tool can have. Remove one first.`;
    case "channel_full":
      return "Together, this channel's triggers take too long to match. Remove some first.";
  }
}

const PATTERN_RULES: Record<PatternFault, string> = {
  nested_quantifier: "a repetition can't be repeated, as in `(a+)+`",
  nothing_to_repeat: "`*`, `+`, `?` and `{…}` need something before them to repeat",
  bad_count: "write a count as `{2}`, `{2,}` or `{2,5}`, at most 100",
  not_supported: "lookarounds, backreferences and Unicode properties are not supported",
  unclosed_group: "a `(` is not closed",
  unopened_group: "a `)` has no `(` before it",
  unclosed_class: "a `[` is not closed",
  bad_range: "a range in `[…]` must go from a lower to a higher character, as in `[a-z]`",
  matches_nothing: "it would match every message (if you want that, use the phrase `^`)",
  too_large: "its counts make it too large (use smaller ones)",
};
