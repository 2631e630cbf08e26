// Rewrites a tool's schema in the part of JSON Schema that Gemini knows ("Schema" in its API). Gemini refuses a whole request for one
// further keyword, and other providers refuse a list of anything or a choice of objects. Calls are still checked against the tool's own
// schema.
import { type Fields, readFields, readList } from "./json-fields.ts";

const KEPT: ReadonlySet<string> = new Set(
  "description title minimum maximum minItems maxItems minLength maxLength pattern".split(" "),
);

/** Twice as much as a server may write: what a reference points at is repeated at each reference. */
const MAX_SIMPLE_CHARS = 32_768;
/** No schema written by people has so many references. A reference to itself is followed to this depth: 1,000 levels can overflow the stack. */
const MAX_FOLLOWED = 250;

/**
 * Returns the schema of a tool's arguments: an object. Undefined for a tool without arguments, because Gemini also refuses an object without
 * properties. `defs`: what its references point at.
 */
export function simpleParameters(schema: unknown, defs = readFields(readFields(schema)?.$defs)): Fields | undefined {
  let followed = 0;
  const find = (name: string) => (followed++ < MAX_FOLLOWED ? readFields(defs?.[name]) : null);
  const { anyOf, properties, required = [], ...rest } = simpleSchema(schema, find);
  // What one alternative requires, another may not.
  const all: Fields = Object.assign({}, ...readList(anyOf).map((one) => readFields(one)?.properties), properties);
  if (Object.keys(all).length === 0) return undefined;
  const simple = { ...rest, type: "object", properties: all, required };
  const isLong = followed > MAX_FOLLOWED || JSON.stringify(simple).length > MAX_SIMPLE_CHARS;
  return defs && isLong ? simpleParameters(schema, null) : simple;
}

/**
 * Returns the schema without keywords that Gemini does not know. What can be said in another way stays: a constant, several types, a reference to
 * a definition that `find` finds by its name, and a composition of only one part, as Pydantic writes it. `find` must stop at some point, because
 * a server may write a reference that leads back to itself.
 */
export function simpleSchema(schema: unknown, find: (name: string) => Fields | null = () => null): Fields {
  const { $ref, allOf, ...own } = readFields(schema) ?? {};
  const whole = readList(allOf);
  const meant = $ref ? find(String($ref).replace("#/$defs/", "")) : whole.length === 1 && readFields(whole[0]);
  if (meant) return simpleSchema({ ...meant, ...own }, find);
  const { type, properties, required, items, oneOf, anyOf = oneOf, const: only, ...rest } = own;
  const [first] = readList(type).filter((one) => one !== "null");
  const named = readFields(properties);
  // Next to properties, a choice only says which of them are required.
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
