// Sample arguments for the sentences of deliberate tool mode; samples.ts has the others.
import type { DeliberateFault } from "../../../src/core/copy/deliberate.ts";
import type { PatternFault } from "../../../src/core/deliberate/pattern-syntax.ts";
import type { TriggerFault } from "../../../src/core/deliberate/trigger-phrases.ts";
import type { ToolsReport } from "../../../src/core/state/rpc.ts";

type By<Union extends { fault: string }> = {
  [Value in Union["fault"]]: readonly Extract<Union, Record<"fault", Value>>[];
};
const one = (values: readonly unknown[]): [unknown][] => values.map((value) => [value]);
const all = (record: Readonly<Record<string, readonly unknown[]>>): [unknown][] => one(Object.values(record).flat());

const patternFaults: Record<PatternFault, true> = {
  nested_quantifier: true,
  nothing_to_repeat: true,
  bad_count: true,
  not_supported: true,
  unclosed_group: true,
  unopened_group: true,
  unclosed_class: true,
  bad_range: true,
  matches_nothing: true,
  too_large: true,
};

const triggerFaults: By<TriggerFault> = {
  pattern: Object.keys(patternFaults).map((why) => ({ fault: "pattern", why: why as PatternFault })),
  empty_phrase: [{ fault: "empty_phrase" }],
  too_long: [{ fault: "too_long", kind: "phrase", limit: 40 }],
  exists: [{ fault: "exists", tool: "roll_dice" }],
  tool_full: [{ fault: "tool_full", tool: "roll_dice", limit: 16 }],
  channel_full: [{ fault: "channel_full" }],
};

const deliberateFaults: By<DeliberateFault> = {
  window: [{ fault: "window", limit: 10 }],
  unknown_tool: [{ fault: "unknown_tool", tool: "fly" }],
  unknown_trigger: [{ fault: "unknown_trigger" }],
  too_many_people: [{ fault: "too_many_people", limit: 500 }],
};

const missing = (names: string[], turnsLeft = 0, exposed: ToolsReport["tools"][number]["exposed"] = null) => ({
  name: "a_tool",
  category: "safe",
  missing: names,
  exposed,
  turnsLeft,
});
const tools = [missing(["network access", "reminders"]), missing([], 1), missing([], 3), missing([])];
const custom = { tool: "roll_dice", kind: "phrase", text: "roll it" } as const;
const mode = { on: true, personal: "follow", active: true, turns: 4, triggers: [] } as const;

/** Keyed by the name of the sentence. */
export const deliberateSamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "deliberate.deliberateText": one([
    mode,
    { ...mode, turns: 1 },
    { ...mode, active: false, personal: "off", turns: 0 },
  ]),
  "deliberate.deliberateFaultText": all(deliberateFaults),
  "deliberate.triggersText": one([[], [custom, { ...custom, kind: "pattern", text: "dic?e" }]]),
  "deliberate.toolsText": one([
    { active: true, tools: [...tools, missing([], 0, { trigger: "^", source: "custom" })] },
    { active: false, tools },
  ]),
  "deliberate.moreTurnsText": one([1, 2]),
  "trigger-faults.triggerFaultText": all(triggerFaults),
};
