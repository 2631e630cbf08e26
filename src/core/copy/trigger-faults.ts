// Why a trigger of deliberate tool mode is not taken, in words.
import type { PatternFault } from "../deliberate/pattern-syntax.ts";
import type { TriggerFault } from "../deliberate/trigger-phrases.ts";

/** The rule that was broken. */
export function triggerFaultText(fault: TriggerFault): string {
  switch (fault.fault) {
    case "pattern":
      return `The pattern is not allowed: ${PATTERN_RULES[fault.why]}.`;
    case "empty_phrase":
      return "The phrase is empty.";
    case "too_long":
      return `A ${fault.kind} has at most ${fault.limit} characters.`;
    case "exists":
      return `\`${fault.tool}\` has this trigger already.`;
    case "tool_full":
      return `\`${fault.tool}\` has ${fault.limit} triggers already, which is the most a tool may have.`;
    case "channel_full":
      return "The triggers of this channel are too much work together; remove some first.";
  }
}

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
