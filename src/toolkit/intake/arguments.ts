// Reads the arguments of a call, as a model wrote them, into one plain object: parses them, repairs them where that can do no harm, and
// removes the wrappers that models put around them. Refuses rather than guesses.
import { jsonrepair } from "jsonrepair";
import { isJsonObject, MAX_ARGUMENT_BYTES, MAX_DEPTH, readJson, readObject } from "../read-json.ts";
import { refused, type ToolResult, truncatedInput } from "../tool-result.ts";
import { findBreak } from "./truncation.ts";

/** What intake needs to know about the tool. */
export interface ArgumentRules {
  /** False for tools whose effect can't be undone: their arguments are taken exactly as written, or not at all. */
  mayRepair: boolean;
  /** The parameters' names, to distinguish a wrapper from a parameter of the same name. */
  parameters: ReadonlySet<string>;
}

/** Arguments ready for validation. `repaired` names each repair; each deserves a warning. */
export interface ReadArguments {
  ok: true;
  value: Record<string, unknown>;
  repaired: string[];
  /** The model's reason for the call, if it wrote one among the arguments. */
  reasoning: string | null;
}

/** The note about the repair of text that is not valid JSON. */
export const NOT_QUITE_JSON = "the arguments were not quite JSON";
const NOT_JSON = "the arguments are not valid JSON; call again with a JSON object";
const WRAPPERS = ["arguments", "parameters", "params", "input"];

/** Reads arguments in any form: nothing, text, or an object from a caller. Never throws. */
export function readArguments(given: unknown, rules: ArgumentRules): ReadArguments | { ok: false; result: ToolResult } {
  const repaired: string[] = [];
  const parsed = parse(given, rules.mayRepair, repaired);
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value))
    return { ok: false, result: refused("invalid_input", "arguments: must be a JSON object") };
  const { value, reasoning } = unwrapped(parsed.value, rules.parameters, repaired);
  return { ok: true, value, repaired, reasoning };
}

type Parsed = { ok: true; value: unknown } | { ok: false; result: ToolResult };

function parse(given: unknown, mayRepair: boolean, repaired: string[]): Parsed {
  const text = readText(given);
  if (text === null) return { ok: false, result: refused("invalid_input", NOT_JSON) };
  const read = readOnce(text, mayRepair, repaired);
  if (!read.ok || typeof read.value !== "string") return read;
  // The arguments were encoded twice: the string itself is their JSON.
  repaired.push("the arguments were encoded twice");
  return readOnce(read.value, mayRepair, repaired);
}

/** Reads one layer of JSON. Empty text and null mean that there are no arguments. */
function readOnce(text: string, mayRepair: boolean, repaired: string[]): Parsed {
  if (text.trim() === "") return { ok: true, value: {} };
  const read = readJson(text);
  if (read.ok) return { ok: true, value: read.value ?? {} };
  return read.problem === "malformed" ? mended(text, mayRepair, repaired) : tooMuch(read.problem);
}

function tooMuch(problem: "too_large" | "too_deep"): Parsed {
  const limit = problem === "too_large" ? `larger than ${MAX_ARGUMENT_BYTES} bytes` : `deeper than ${MAX_DEPTH} levels`;
  return { ok: false, result: refused("invalid_input", `the arguments are ${limit}; call again with less`) };
}

/** Turns arguments into text. An object from a caller becomes text first, so that the same limits apply. */
function readText(given: unknown): string | null {
  if (given === null || given === undefined) return "";
  if (typeof given === "string") return given;
  try {
    return JSON.stringify(given, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)) ?? null;
  } catch {
    return null;
  }
}

function mended(text: string, mayRepair: boolean, repaired: string[]): Parsed {
  const refuse = (result: ToolResult): Parsed => ({ ok: false, result });
  const bare = withoutFence(text.trim());
  // Prose, markup or several values in a row are refused: a repairer would turn them into strings and lists.
  const looksLikeObject = bare.startsWith("{");
  const brokenness = findBreak(bare);
  if (looksLikeObject && brokenness === "cut") return refuse(truncatedInput());
  if (!looksLikeObject || brokenness !== "repairable" || !mayRepair) return refuse(refused("invalid_input", NOT_JSON));
  try {
    const read = readJson(jsonrepair(bare));
    if (!read.ok || !isJsonObject(read.value)) return refuse(refused("invalid_input", NOT_JSON));
    repaired.push(NOT_QUITE_JSON);
    return read;
  } catch {
    return refuse(refused("invalid_input", NOT_JSON));
  }
}

/** Returns the text inside a Markdown fence. The closing fence may be missing. */
function withoutFence(text: string): string {
  const firstLineEnd = text.indexOf("\n");
  if (!text.startsWith("```") || firstLineEnd < 0) return text;
  return text.slice(firstLineEnd, text.endsWith("```") ? -3 : undefined).trim();
}

/** Takes the parameters out of `{tool, parameters, reasoning}`, out of a lone wrapper, or from next to an empty one. */
function unwrapped(
  value: Record<string, unknown>,
  parameters: ReadonlySet<string>,
  repaired: string[],
): { value: Record<string, unknown>; reasoning: string | null } {
  const wrapper = WRAPPERS.find((name) => Object.hasOwn(value, name) && !parameters.has(name));
  const inner = wrapper === undefined ? null : readObject(value[wrapper]);
  if (!wrapper || !inner) return { value, reasoning: null };
  const envelope = ["tool", "name", "reasoning"].filter((name) => Object.hasOwn(value, name) && !parameters.has(name));
  const rest = Object.fromEntries(
    Object.entries(value).filter(([name]) => name !== wrapper && !envelope.includes(name)),
  );
  const isBeside = Object.keys(rest).length > 0;
  if (isBeside && Object.keys(inner).length > 0) return { value, reasoning: null };
  repaired.push(isBeside ? `the parameters were next to "${wrapper}"` : `the parameters were inside "${wrapper}"`);
  const reasoning = envelope.includes("reasoning") && typeof value.reasoning === "string" ? value.reasoning : null;
  return { value: isBeside ? rest : inner, reasoning };
}
