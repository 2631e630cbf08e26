// Converts values of the wrong type that can mean only one thing. Leaves alone whatever fits already. Decides nothing: the caller checks
// the whole value again.
import { isOfType } from "../define/check-value.ts";
import type { InputSchema } from "../define/input-schema.ts";
import type { JsonSchema } from "../define/tool.ts";
import { isJsonObject, readJson, readObject } from "../read-json.ts";

/** The coerced copy, and one line for each converted value. */
export interface Coerced {
  value: unknown;
  notes: string[];
}

/** Coerces arguments to their schema. */
export function coerce(input: InputSchema, value: unknown): Coerced {
  const notes: string[] = [];
  return { value: coerceTo(input, input.parameters, value, "", notes), notes };
}

function coerceTo(input: InputSchema, part: unknown, value: unknown, path: string, notes: string[]): unknown {
  const schema = input.resolve(part);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const chosen = coerceToOneOf(input, branches.map(input.resolve), value, path, notes);
    return schema.properties === undefined ? chosen : coerceWithin(input, schema, chosen, path, notes);
  }
  const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : null;
  if (values) return toOneOfValues(values, value, path, notes);
  const types = readTypes(schema);
  if (types.length === 0 || types.some((type) => isOfType(type, value)))
    return coerceWithin(input, schema, value, path, notes);
  for (const type of types) {
    const converted = convert(input, type, schema, value);
    if (converted === undefined) continue;
    notes.push(`${path || "arguments"}: took ${JSON.stringify(value)} for ${type}`);
    return coerceWithin(input, schema, converted, path, notes);
  }
  return value;
}

/** Picks the branch that fits without coercion, or else the first one that fits after it. */
function coerceToOneOf(
  input: InputSchema,
  branches: JsonSchema[],
  value: unknown,
  path: string,
  notes: string[],
): unknown {
  if (branches.some((branch) => input.fits(branch, value))) return value;
  for (const branch of branches) {
    const branchNotes: string[] = [];
    const candidate = coerceTo(input, branch, value, path, branchNotes);
    if (!input.fits(branch, candidate)) continue;
    notes.push(...branchNotes);
    return candidate;
  }
  return value;
}

/** The values of each list by their spelling. Each list is read only once, because every item of a long list may be looked up in it. */
const spellings = new WeakMap<readonly unknown[], Partial<Record<string, unknown[]>>>();

function toOneOfValues(values: unknown[], value: unknown, path: string, notes: string[]): unknown {
  if (typeof value !== "string") return value;
  const known =
    spellings.get(values) ??
    Object.groupBy(
      values.filter((one) => !(one instanceof Object)),
      (one) => String(one).toLowerCase(),
    );
  spellings.set(values, known);
  const alike = known[value.trim().toLowerCase()] ?? [];
  if (alike.length !== 1 || values.includes(value)) return value;
  notes.push(`${path}: took ${JSON.stringify(value)} for ${JSON.stringify(alike[0])}`);
  return alike[0];
}

/** Coerces the parts of an object or a list. */
function coerceWithin(input: InputSchema, schema: JsonSchema, value: unknown, path: string, notes: string[]): unknown {
  const below = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) {
    if (!isJsonObject(schema.items)) return value;
    return value.map((item, index) => coerceTo(input, schema.items, item, below(index), notes));
  }
  if (!isJsonObject(value)) return value;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const part = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    // Models write null for a parameter that they leave out.
    const isLeftOut = inner === null && Object.hasOwn(properties, name) && !required.includes(name);
    if (isLeftOut && !input.fits(input.resolve(part), null)) return [];
    return [[name, isJsonObject(part) ? coerceTo(input, part, inner, below(name), notes) : inner]];
  });
  return Object.fromEntries(entries);
}

const readTypes = ({ type }: JsonSchema): string[] =>
  (Array.isArray(type) ? type : [type]).filter((name): name is string => typeof name === "string");

/** Returns the value as the wanted type, or undefined when its meaning is not certain. */
function convert(input: InputSchema, type: string, schema: JsonSchema, value: unknown): unknown {
  switch (type) {
    case "integer":
      return toInteger(value);
    case "number":
      return toNumber(value);
    case "boolean":
      return toBoolean(value);
    case "string":
      return toText(value);
    case "array":
      return toArray(input, schema, value);
    case "object":
      return readObject(value) ?? undefined;
    default:
      return undefined;
  }
}

function toInteger(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^[+-]?\d+(?:\.0+)?$/.test(value.trim())) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.trim()))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
  [0, false],
]);

const toBoolean = (value: unknown): boolean | undefined =>
  BOOLEANS.get(typeof value === "string" ? value.trim().toLowerCase() : value);

function toText(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(value);
  // Above 2^53 the digits are no longer those that were written.
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
}

function toArray(input: InputSchema, schema: JsonSchema, value: unknown): unknown[] | undefined {
  const read = typeof value === "string" ? readJson(value) : null;
  if (read?.ok && Array.isArray(read.value)) return read.value;
  if (value === null || value === undefined || !input.fits(input.resolve(schema.items), value)) return undefined;
  return [value];
}
