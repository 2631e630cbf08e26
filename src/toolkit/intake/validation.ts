// Checks the arguments of a call against its tool's schema and rules. Reports every problem at once, in a fixed order, so that a model
// can correct all of them in one more call.

import type { Stage } from "../define/check-value.ts";
import type { InputSchema, Problem } from "../define/input-schema.ts";
import { brokenRules } from "../define/rules.ts";
import { isQuiet, type JsonSchema, type Tool } from "../define/tool.ts";
import { isJsonObject } from "../read-json.ts";
import { coerce } from "./coercion.ts";
import { nearestTo } from "./tool-name.ts";

/** The result of validation. `cleanedParams` is what may run; it is empty when the arguments are not valid. */
export interface ValidationResult {
  valid: boolean;
  /** One line per problem: where it is and what it is. */
  errors: string[];
  warnings: string[];
  cleanedParams: Record<string, unknown>;
}

/** The most hints: a comparison of names costs the product of their lengths, and no answer shows more notes. */
const MAX_HINTS = 20;

const STAGES: readonly Stage[] = ["required", "type", "constraint"];

/** Checks arguments and cleans them: coerces values that did not fit, fills in defaults, drops unknown keys. */
export function validate(
  tool: Pick<Tool, "category" | "rules">,
  input: InputSchema,
  given: Record<string, unknown>,
): ValidationResult {
  const known = withoutUnknown(input, input.parameters, given, "");
  const unknown = known.unknown.map(({ path, name, properties }, at): Problem => {
    const nearest = at < MAX_HINTS ? nearestTo(name, Object.keys(properties)) : null;
    const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
    return { stage: "constraint", path, text: `is not a parameter${hint}` };
  });
  const asGiven = input.check(known.value);
  const coerced = asGiven.ok ? { value: known.value, notes: [] } : coerce(input, known.value);
  const checked = asGiven.ok ? asGiven : input.check(coerced.value);
  const accepted = withDefaults(input, input.parameters, checked.ok ? checked.value : coerced.value) as typeof given;

  const isStrict = !isQuiet(tool);
  const problems: Problem[] = [
    // Problems are reported for the text that the model wrote, not for the coerced copy.
    ...(checked.ok || asGiven.ok ? [] : asGiven.problems),
    ...(isStrict ? unknown : []),
  ];
  const staged = STAGES.flatMap((stage) => problems.filter((problem) => problem.stage === stage));
  const errors = [
    ...staged.map(({ path, text }) => `${path || "arguments"}: ${text}`),
    ...brokenRules(tool.rules ?? [], accepted),
  ];
  const dropped = isStrict ? [] : unknown.map(({ path, text }) => `${path}: ${text}; it was ignored`);
  const valid = errors.length === 0;
  return { valid, errors, warnings: [...dropped, ...coerced.notes], cleanedParams: valid ? accepted : {} };
}

/** A key that its schema does not name: where it is, and the names that exist there. */
interface UnknownKey {
  path: string;
  name: string;
  properties: JsonSchema;
}

/** Returns the value without keys that its schema does not name, at every level where the schema is closed or says nothing about other keys. */
function withoutUnknown(
  input: InputSchema,
  part: unknown,
  value: unknown,
  path: string,
): { value: unknown; unknown: UnknownKey[] } {
  const schema = input.resolve(part);
  const unknown: UnknownKey[] = [];
  const clean = (inner: unknown, innerPart: unknown, name: string | number) => {
    const below = withoutUnknown(input, innerPart, inner, path === "" ? String(name) : `${path}.${name}`);
    unknown.push(...below.unknown);
    return below.value;
  };
  if (Array.isArray(value) && isJsonObject(schema.items))
    return { value: value.map((item, index) => clean(item, schema.items, index)), unknown };
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return { value, unknown };
  const { properties } = schema;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (Object.hasOwn(properties, name)) return [[name, clean(inner, properties[name], name)]];
    if (allowsOthers(schema)) return [[name, inner]];
    unknown.push({ path: path === "" ? name : `${path}.${name}`, name, properties });
    return [];
  });
  return { value: Object.fromEntries(entries), unknown };
}

/**
 * Whether the schema may accept keys that `properties` does not list. A choice or a composition may add some, so such a schema can't say which
 * keys are unknown.
 */
function allowsOthers({ additionalProperties, patternProperties, anyOf, oneOf, allOf, ...rest }: JsonSchema): boolean {
  const isOpen = additionalProperties === true || isJsonObject(additionalProperties);
  return isOpen || [patternProperties, anyOf, oneOf, allOf, rest.if].some((keyword) => keyword !== undefined);
}

/**
 * Fills in defaults. A default that its own schema refuses, such as null for a text, only means that there is none: the tool knows what to do
 * then.
 */
function withDefaults(input: InputSchema, part: unknown, value: unknown): unknown {
  const schema = input.resolve(part);
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return value;
  const filled = { ...value };
  for (const [name, property] of Object.entries(schema.properties)) {
    const inner = input.resolve(property);
    if (filled[name] !== undefined) filled[name] = withDefaults(input, inner, filled[name]);
    else if (inner.default !== undefined && input.fits(inner, inner.default))
      filled[name] = structuredClone(inner.default);
  }
  return filled;
}
