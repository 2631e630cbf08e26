// Checks a number or a text against those keywords of a JSON Schema that concern only such a value.
import { formats, isStrictPattern } from "./formats.ts";
import { isQuickPattern } from "./pattern-cost.ts";
import type { JsonSchema } from "./tool.ts";

/** The keywords, with the types that JSON Schema gives them: a server's schema is checked for that before. */
export interface Keywords {
  type?: string | string[];
  enum?: unknown[];
  not?: unknown;
  anyOf?: unknown[];
  allOf?: unknown[];
  oneOf?: unknown[];
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  propertyNames?: unknown;
  dependencies?: JsonSchema;
  dependentRequired?: JsonSchema;
  dependentSchemas?: JsonSchema;
  properties?: JsonSchema;
  patternProperties?: JsonSchema;
  additionalProperties?: unknown;
  unevaluatedProperties?: unknown;
  minItems?: number;
  maxItems?: number;
  prefixItems?: unknown[];
  items?: unknown;
  additionalItems?: unknown;
  contains?: unknown;
  minContains?: number;
  maxContains?: number;
  uniqueItems?: boolean;
  unevaluatedItems?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/** Reports a fault. */
type Wrong = (text: string) => void;

/** Finds the faults of a number. */
export function checkNumber(schema: Keywords, value: number, wrong: Wrong): void {
  const { minimum = value, maximum = value, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (value < minimum) wrong(`${value} is less than ${minimum}.`);
  if (value > maximum) wrong(`${value} is greater than ${maximum}.`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    wrong(`${value} is less than or equal to ${exclusiveMinimum}.`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    wrong(`${value} is greater than or equal to ${exclusiveMaximum}.`);
  if (multipleOf === undefined) return;
  const times = value / multipleOf;
  // 0.3 is three times 0.1, except for the last bits.
  if (!(Math.abs(times - Math.round(times)) <= Math.abs(times) * 2 * Number.EPSILON))
    wrong(`${value} is not a multiple of ${multipleOf}.`);
}

/** Finds the faults of a text. `search` works like `searchFor`. */
export function checkText(schema: Keywords, value: string, search: typeof searchFor, wrong: Wrong): void {
  const { minLength, maxLength, pattern, format = "" } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (minLength !== undefined && length < minLength) wrong(`String is too short (${length} < ${minLength}).`);
  if (maxLength !== undefined && length > maxLength) wrong(`String is too long (${length} > ${maxLength}).`);
  if (pattern !== undefined && search(pattern)?.test(value) === false) wrong("String does not match pattern.");
  if (formats.get(format)?.(value) === false) wrong(`String does not match format "${format}".`);
}

/**
 * Compiles a pattern; null for one that could take too long, or that only browsers accept. Models see those anyway, and the tool checks them
 * itself.
 */
export const searchFor = (pattern: string): RegExp | null =>
  isQuickPattern(pattern) && isStrictPattern(pattern) ? new RegExp(pattern, "u") : null;
