// Checks a value against a JSON Schema that is known only at run time, by interpreting it: a Worker may not generate code. Covers what
// drafts 7 and 2020-12 say about values.
import { isJsonObject } from "../read-json.ts";
import { checkNumber, checkText, type Keywords, searchFor } from "./check-plain.ts";
import type { SchemaParts } from "./schema-references.ts";
import type { JsonSchema } from "./tool.ts";

/** The kind of a problem, in the order in which problems are reported. */
export type Stage = "required" | "type" | "constraint";

/** What is wrong with one part of a value. */
export interface Fault {
  stage: Stage;
  path: readonly string[];
  text: string;
  /** The part, unless it is missing. */
  got?: unknown;
}

/**
 * Finds the faults of a value. If no alternative of a choice fits, that is the only fault, without the faults of each alternative. `goesOn`:
 * shares the steps that are left with the check before it.
 */
export type CheckValue = (schema: unknown, value: unknown, goesOn?: boolean) => Fault[];

/**
 * The most parts that are looked at, plus faults that are reported. Arguments of 64 KiB have at most 32,000 values. If a schema would look at
 * each of them a thousand times, the rest of the check is left to the tool.
 */
const MAX_STEPS = 50_000;
/** What a look at a value costs in addition to one step, for each of its characters and items: a keyword may go through all of them. */
const CHAR_STEPS = 1 / 64;
const ITEM_STEPS = 1 / 8;

/** Creates the check for the values of one schema and its parts. In draft 7, everything next to a reference is ignored. */
export function createCheck(pointedBy: SchemaParts["pointedBy"], isDraft7: boolean): CheckValue {
  let left = 0;
  /** Each text is built once: thousands of faults may quote the same long list. */
  const texts = new WeakMap<object, string>();
  const textOf = (owner: object, value: unknown): string => {
    const text = texts.get(owner) ?? JSON.stringify(value);
    texts.set(owner, text);
    return text;
  };
  /** Returns a text that is the same for equal values. The order of an object's keys has no meaning. */
  const identify = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) => {
      left -= ITEM_STEPS + sizeOf(inner);
      return isJsonObject(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner;
    });
  const searches = new Map<string, RegExp | null>();
  /** Compiles each expression only once. */
  const search = (pattern: string): RegExp | null => {
    const known = searches.get(pattern);
    const found = known === undefined ? searchFor(pattern) : known;
    searches.set(pattern, found);
    return found;
  };
  const choices = new WeakMap<readonly unknown[], ReadonlySet<string>>();
  /** Reads each list of choices only once, because every item of a long list may be compared with it. */
  const isOneOf = (list: readonly unknown[], value: unknown): boolean => {
    const texts = choices.get(list) ?? new Set(list.map(identify));
    choices.set(list, texts);
    return texts.has(identify(value));
  };
  const check = (
    part: unknown,
    value: unknown,
    path: readonly string[] = [],
    // The names and indexes of the value's parts that some keyword has evaluated.
    judged = new Set<string>(),
  ): Fault[] => {
    if (left <= 0) return [];
    left -= 1 + sizeOf(value);
    if (!isJsonObject(part))
      return part === false ? [{ stage: "constraint", path, text: "False boolean schema.", got: value }] : [];
    const faults: Fault[] = [];
    const wrong = (text: string, stage: Stage = "constraint") => {
      if (left-- > 0) faults.push({ stage, path, text, got: value });
    };
    /** Checks the same value against another schema. The parts that it evaluates count only if all of it fits. */
    const also = (other: unknown): Fault[] => {
      const seen = new Set<string>();
      const found = check(other, value, path, seen);
      if (found.length === 0) for (const one of seen) judged.add(one);
      return found;
    };
    const fits = (other: unknown) => also(other).length === 0;
    /** Checks one property or item of the value against a schema. */
    const within = (name: string, inner: unknown, schema: unknown): Fault[] => {
      judged.add(name);
      return check(schema, inner, [...path, name]);
    };
    const report = (text: string, found: readonly Fault[]) => {
      if (found.length > 0) wrong(text);
      faults.push(...found);
    };

    if (part.$ref !== undefined || part.$recursiveRef !== undefined) {
      faults.push(...also(pointedBy(part)));
      if (isDraft7) return faults;
    }
    const schema = part as Keywords;
    const types = schema.type === undefined ? null : [schema.type].flat();
    if (types && !types.some((type) => isOfType(type, value)))
      wrong(`Instance type "${typeName(value)}" is invalid. Expected "${types.join('", "')}".`, "type");
    if (part.const !== undefined && identify(value) !== identify(part.const))
      wrong(`Instance does not match ${textOf(part, part.const)}.`);
    if (schema.enum && !isOneOf(schema.enum, value))
      wrong(`Instance does not match any of ${textOf(schema.enum, schema.enum)}.`);
    if (schema.not !== undefined && check(schema.not, value).length === 0) wrong('Instance matched "not" schema.');
    // Every alternative is checked, because each may evaluate other parts.
    if (schema.anyOf && schema.anyOf.filter(fits).length === 0)
      wrong("Instance does not match any subschemas.", "type");
    for (const one of schema.allOf ?? []) faults.push(...also(one));
    const matches = schema.oneOf?.filter(fits).length ?? 1;
    if (matches !== 1) wrong(`Instance does not match exactly one subschema (${matches} matches).`, "type");
    if (part.if !== undefined) {
      const then = fits(part.if) ? "then" : "else";
      report(`Instance does not match "${then}" schema.`, also(part[then]));
    }
    if (isJsonObject(value)) checkObject(value);
    else if (Array.isArray(value)) checkList(value);
    else if (typeof value === "number") checkNumber(schema, value, wrong);
    else if (typeof value === "string") checkText(schema, value, search, wrong);
    return faults;

    function checkObject(object: JsonSchema): void {
      const names = Object.keys(object);
      const { properties = {}, patternProperties = {}, minProperties = 0, maxProperties = names.length } = schema;
      for (const name of schema.required ?? [])
        if (!Object.hasOwn(object, name) && left-- > 0)
          faults.push({ stage: "required", path: [...path, name], text: "is required" });
      if (names.length < minProperties) wrong(`Instance does not have at least ${minProperties} properties.`);
      if (names.length > maxProperties) wrong(`Instance has more than ${maxProperties} properties.`);
      if (schema.propertyNames !== undefined)
        for (const name of names)
          report(`Property name "${name}" does not match schema.`, check(schema.propertyNames, name, [...path, name]));
      const dependencies = [schema.dependencies, schema.dependentRequired, schema.dependentSchemas].flatMap((of) =>
        Object.entries(of ?? {}),
      );
      const patterns = Object.entries(patternProperties).map(([pattern, one]) => [search(pattern), one] as const);
      left -= dependencies.length + patterns.length * (1 + names.length);
      if (left <= 0) return;
      for (const [name, needed] of dependencies) {
        if (!Object.hasOwn(object, name)) continue;
        if (!Array.isArray(needed)) report(`Instance has "${name}" but does not match dependant schema.`, also(needed));
        else
          for (const one of needed)
            if (!Object.hasOwn(object, one)) wrong(`Instance has "${name}" but does not have "${one}".`);
      }
      for (const [name, inner] of Object.entries(object)) {
        const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
        for (const [pattern, one] of patterns) if (pattern?.test(name)) own.push(one);
        if (own.length === 0 && schema.additionalProperties !== undefined) own.push(schema.additionalProperties);
        for (const one of own) faults.push(...within(name, inner, one));
      }
      if (schema.unevaluatedProperties !== undefined)
        for (const name of names.filter((one) => !judged.has(one)))
          report(
            `Property "${name}" does not match unevaluated properties schema.`,
            within(name, object[name], schema.unevaluatedProperties),
          );
    }

    function checkList(list: readonly unknown[]): void {
      const { items, prefixItems, minItems = 0, maxItems = list.length } = schema;
      if (list.length > maxItems) wrong(`Array has too many items (${list.length} > ${maxItems}).`);
      if (list.length < minItems) wrong(`Array has too few items (${list.length} < ${minItems}).`);
      const places = prefixItems ?? (Array.isArray(items) ? items : []);
      const others = places === items ? schema.additionalItems : items;
      for (const [index, one] of list.entries()) {
        const expected = index < places.length ? places[index] : others;
        if (expected !== undefined) faults.push(...within(String(index), one, expected));
      }
      if (schema.contains !== undefined) {
        const { minContains = 1, maxContains = list.length } = schema;
        const found = [...list.keys()].filter((index) => check(schema.contains, list[index]).length === 0);
        for (const index of found) judged.add(String(index));
        const were = `${found.length} items were found.`;
        if (found.length < minContains)
          wrong(`Array must contain at least ${minContains} items matching schema. Only ${were}`);
        if (found.length > maxContains)
          wrong(`Array may contain at most ${maxContains} items matching schema. ${were}`);
      }
      if (schema.unevaluatedItems !== undefined)
        for (const [index, one] of list.entries())
          if (!judged.has(String(index)))
            report(
              "Items did not match unevaluated items schema.",
              within(String(index), one, schema.unevaluatedItems),
            );
      if (!schema.uniqueItems) return;
      const firsts = new Map<string, number>();
      for (const [index, one] of list.entries()) {
        const text = identify(one);
        const first = firsts.get(text);
        if (first !== undefined) {
          wrong(`Duplicate items at indexes ${first} and ${index}.`);
          return;
        }
        firsts.set(text, index);
      }
    }
  };
  return (schema, value, goesOn = false) => {
    if (!goesOn) left = MAX_STEPS;
    return check(schema, value);
  };
}

/** Whether the value has this type of JSON Schema. */
export function isOfType(type: string, value: unknown): boolean {
  return typeName(value) === type || (type === "integer" && Number.isInteger(value));
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length * CHAR_STEPS;
  if (Array.isArray(value)) return value.length * ITEM_STEPS;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
