// A tool's schema in the part of JSON Schema that Gemini knows ("Schema" in its API). Gemini refuses a whole request for one keyword more,
// and other providers refuse a list of anything or a choice of objects. What a call must be is checked by the tool's own schema all the
// same.
import { type Fields, readFields, readList } from "./json-fields.ts";

const KEPT: ReadonlySet<string> = new Set(
  "description title minimum maximum minItems maxItems minLength maxLength pattern".split(" "),
);

/** Twice what a server may write: what a reference points at is told wherever it is. */
const MAX_TOLD_CHARS = 32_768;
/** So many references are in no schema that people wrote. */
const MAX_FOLLOWED = 1000;

/**
 * The schema of a tool's arguments: an object. Undefined for a tool without any: Gemini refuses an object without properties, too. `defs`:
 * what its references point at.
 */
export function simpleParameters(schema: unknown, defs = readFields(readFields(schema)?.$defs)): Fields | undefined {
  let followed = 0;
  const find = (name: string) => (followed++ < MAX_FOLLOWED ? readFields(defs?.[name]) : null);
  const { anyOf, properties, required = [], ...rest } = simpleSchema(schema, find);
  // What each of a choice of objects needs, another may not.
  const all: Fields = Object.assign({}, ...readList(anyOf).map((one) => readFields(one)?.properties), properties);
  if (Object.keys(all).length === 0) return undefined;
  const told = { ...rest, type: "object", properties: all, required };
  const isLong = followed > MAX_FOLLOWED || JSON.stringify(told).length > MAX_TOLD_CHARS;
  return defs && isLong ? simpleParameters(schema, null) : told;
}

/**
 * The schema without what is not known there; what it says in another way stays: a constant, several types, a reference to a definition that
 * `find` finds by its name, and the only part of a whole, as Pydantic writes one. `find` has to end: a server may write what leads back to itself.
 */
export function simpleSchema(schema: unknown, find: (name: string) => Fields | null = () => null): Fields {
  const { $ref, allOf, ...own } = readFields(schema) ?? {};
  const whole = readList(allOf);
  const meant = $ref ? find(String($ref).replace("#/$defs/", "")) : whole.length === 1 && readFields(whole[0]);
  if (meant) return simpleSchema({ ...meant, ...own }, find);
  const { type, properties, required, items, oneOf, anyOf = oneOf, const: only, ...rest } = own;
  const [first] = readList(type).filter((one) => one !== "null");
  const named = readFields(properties);
  // Beside properties a choice only says which of them must be there.
  const parts = named ? [] : readList(anyOf).filter((one) => readFields(one)?.type !== "null");
  // An empty choice is refused, too.
  const texts = readList(rest.enum ?? only).filter((one) => typeof one === "string" && one !== "");
  const guess = named || $ref || allOf ? "object" : items ? "array" : "string";
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => KEPT.has(name))),
    ...(parts.length > 0 ? { anyOf: parts.map((one) => simpleSchema(one, find)) } : { type: first ?? guess }),
    ...(named && {
      properties: Object.fromEntries(Object.entries(named).map(([name, part]) => [name, simpleSchema(part, find)])),
      required: readList(required).filter((name) => Object.hasOwn(named, String(name))),
    }),
    ...((items || (first ?? guess) === "array") && { items: simpleSchema(items, find) }),
    ...(texts.length > 0 && (first ?? guess) === "string" && { enum: texts }),
  };
}
