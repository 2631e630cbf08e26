// A tool's schema in the part of JSON Schema that Gemini knows ("Schema" in its API). Gemini refuses a whole request for one keyword more,
// and other providers refuse a list of anything or a choice of objects. What a call must be is checked by the tool's own schema all the
// same.
import { type Fields, readFields, readList } from "./json-fields.ts";

const KEPT: ReadonlySet<string> = new Set(
  "description title minimum maximum minItems maxItems minLength maxLength pattern".split(" "),
);

/** The schema of a tool's arguments: an object. Undefined for a tool without any: Gemini refuses an object without properties, too. */
export function simpleParameters(schema: unknown): Fields | undefined {
  const { anyOf, properties, required = [], ...rest } = simpleSchema(schema);
  // What each of a choice of objects needs, another may not.
  const all: Fields = Object.assign({}, ...readList(anyOf).map((one) => readFields(one)?.properties), properties);
  return Object.keys(all).length === 0 ? undefined : { ...rest, type: "object", properties: all, required };
}

/** The schema without what is not known there; what it says in another way stays: a constant, several types. */
export function simpleSchema(schema: unknown): Fields {
  const { type, properties, required, items, oneOf, anyOf = oneOf, const: only, ...rest } = readFields(schema) ?? {};
  const [first] = readList(type).filter((one) => one !== "null");
  const named = readFields(properties);
  // Beside properties a choice only says which of them must be there.
  const parts = named ? [] : readList(anyOf).filter((one) => readFields(one)?.type !== "null");
  // An empty choice is refused, too.
  const texts = readList(rest.enum ?? only).filter((one) => typeof one === "string" && one !== "");
  const guess = named || "$ref" in rest || "allOf" in rest ? "object" : items ? "array" : "string";
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => KEPT.has(name))),
    ...(parts.length > 0 ? { anyOf: parts.map(simpleSchema) } : { type: first ?? guess }),
    ...(named && {
      properties: Object.fromEntries(Object.entries(named).map(([name, part]) => [name, simpleSchema(part)])),
      required: readList(required).filter((name) => Object.hasOwn(named, String(name))),
    }),
    ...((items || (first ?? guess) === "array") && { items: simpleSchema(items) }),
    ...(texts.length > 0 && (first ?? guess) === "string" && { enum: texts }),
  };
}
