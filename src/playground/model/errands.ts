// Decides which words ask for which tool, with arguments that match the offered schema. Runs nothing and reports nothing.
import { channelErrands } from "./channel-errands.ts";
import { zonesIn } from "./cities.ts";
import type { Heard } from "./hearing.ts";
import type { OfferedTool } from "./request.ts";

/** A tool that the words ask for, whether or not it is offered. `before` is said before the call. */
export type Errand = { tool: string; arguments: Record<string, unknown>; before?: string };

const ASKS_TIME =
  /\bwhat(?:['’]s| is)? (?:the )?(?:current |local )?time\b|\btime (?:is it|now|in|for)\b|\b(?:current|local) time\b|\bthe time\b/i;
const ROLLS = /\b(?:roll|throw|toss)\b/i;
const NOTATION = /\b\d{0,3}d\d{1,4}(?:\s*[+-]\s*\d{1,4})?\b/gi;
const SOME_DICE = /\b(a|one|two|three|four|five|\d{1,2}) (?:die|dice)\b/i;
const NUMBERS: Record<string, string> = { a: "1", one: "1", two: "2", three: "3", four: "4", five: "5" };
const BY_NAME = /^(?:use|call|run) `?([a-zA-Z0-9_-]{1,64})`?(?: with)?\s*(\{[\s\S]*\})?\s*$/i;

/** Lists everything that the newest message asks tools to do, in a fixed order; empty if it asks for nothing. */
export function errandsIn(heard: Heard): Errand[] {
  const named = byName(heard);
  return named ? [named] : [...timeErrands(heard), ...diceErrands(heard), ...channelErrands(heard), ...worded(heard)];
}

function byName({ said, offered }: Heard): Errand | undefined {
  const [, tool = "", json = "{}"] = BY_NAME.exec(said) ?? [];
  if (!offered.has(tool)) return undefined;
  try {
    return { tool, arguments: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

function timeErrands({ said, offered }: Heard): Errand[] {
  if (!ASKS_TIME.test(said)) return [];
  const tool = offered.get("get_current_time");
  const zones = zonesIn(said);
  return (zones.length > 0 ? zones : ["UTC"]).map((zone) => ({
    tool: "get_current_time",
    arguments: { [fitting(tool, ["timezone", "time_zone", "zone", "tz"])]: zone },
  }));
}

function diceErrands({ said, offered }: Heard): Errand[] {
  const written = said.match(NOTATION) ?? [];
  const alone = written.length === 1 && written[0] === said;
  if (!ROLLS.test(said) && !alone) return [];
  const [, some = "1"] = SOME_DICE.exec(said) ?? [];
  const rolls =
    written.length > 0 ? written : /\b(?:die|dice)\b/i.test(said) ? [`${NUMBERS[some.toLowerCase()] ?? some}d6`] : [];
  return rolls.map((notation) => diceErrand(offered, notation.replace(/\s+/g, "").toLowerCase()));
}

/** Builds the errand for one roll, with the parameter name that the offered dice tool uses for the notation. */
export const diceErrand = (offered: Heard["offered"], notation: string): Errand => ({
  tool: "roll_dice",
  arguments: { [fitting(offered.get("roll_dice"), ["notation", "dice", "expression", "roll"])]: notation },
});

const WORDED: { tool: string; pattern: RegExp; property: string[] }[] = [
  {
    tool: "fetch_url",
    pattern: /\b(?:fetch|read|open|summari[sz]e|visit)\b.*?(https?:\/\/[^\s<>]+)/i,
    property: ["url"],
  },
  { tool: "web_search", pattern: /^(?:search|look up)(?: the web)?(?: for)? (.+)/i, property: ["query", "q"] },
  {
    tool: "remember",
    pattern: /^(?:please )?remember(?: that|:)? (.+)/i,
    property: ["text", "content", "fact", "note", "memory"],
  },
  {
    tool: "recall",
    pattern: /\b(?:recall|do you remember|what do you (?:know|remember) about) (.+?)\?*$/i,
    property: ["query", "text"],
  },
];

function worded({ said, offered }: Heard): Errand[] {
  for (const { tool, pattern, property } of WORDED) {
    const [, words] = pattern.exec(said) ?? [];
    if (words) return [{ tool, arguments: { [fitting(offered.get(tool), property)]: words } }];
  }
  return [];
}

/** Returns the property of the tool's schema that has one of these names, or its only required property, or the first name. */
function fitting(tool: OfferedTool | undefined, names: readonly string[]): string {
  const schema: Record<string, unknown> = tool?.function.parameters ?? {};
  const { properties, required } = schema;
  const known = Object.keys(typeof properties === "object" && properties !== null ? properties : {});
  const only = Array.isArray(required) && required.length === 1 ? String(required[0]) : undefined;
  return names.find((name) => known.includes(name)) ?? only ?? names[0] ?? "";
}
