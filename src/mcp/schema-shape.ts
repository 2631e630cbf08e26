// Checks whether a remote tool's schema has the form of one. A model's provider refuses a whole request for one bad schema in it, so a
// server with a wrong schema would end every turn. What the keywords mean is checked elsewhere, when the schema is compiled.
import { changeSchemas, PARAMETER } from "../toolkit/define/plain-schema.ts";
import { NAMED, referenceFault } from "../toolkit/define/schema-references.ts";
import { isJsonObject } from "../toolkit/read-json.ts";

const MAX_SCHEMA_CHARS = 16_384;
const MAX_DEPTH = 32;
const TYPES: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
/** Keywords by the type of their value. */
const KINDS = {
  string: "$id $ref $anchor $comment title description pattern format contentEncoding contentMediaType",
  number:
    "multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems maxProperties minProperties",
  boolean: "uniqueItems deprecated readOnly writeOnly",
};
const KIND_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, keywords]) => keywords.split(" ").map((keyword) => [keyword, kind] as const)),
);
const HOLDS_SCHEMA = ["additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const HOLDS_LIST = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** Keywords for which null is a meaningful value. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(["default", "const", "x-mcp-header"]);

/** Keywords that are booleans in the older drafts on which OpenAPI is based. The tool itself checks them. */
const WAS_BOOLEAN = /^(?:required|exclusive(?:Min|Max)imum)$/;

/**
 * Returns the schema as it was meant: many libraries write null, or PHP's empty list, for a missing value, and write no schema for a tool without
 * input.
 */
export function meantSchema(given: unknown): unknown {
  const said = changeSchemas(given ?? {}, (schema) =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (value === null && !MAY_BE_NULL.has(keyword)) return [];
        if (typeof value === "boolean" && WAS_BOOLEAN.test(keyword)) return [];
        return [[keyword, NAMED.has(keyword) && Array.isArray(value) && value.length === 0 ? {} : value]];
      }),
    ),
  );
  return isJsonObject(said) && [said.type ?? "object"].flat().includes("object") ? { ...said, type: "object" } : said;
}

/** Returns the problem with the schema, or null. */
export function schemaFault(schema: unknown): string | null {
  if (!isJsonObject(schema) || schema.type !== "object") return "it does not take an object";
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) return `it is longer than ${MAX_SCHEMA_CHARS} characters`;
  return faultIn(schema, 0) ?? referenceFault(schema);
}

function faultIn(schema: unknown, depth: number): string | null {
  if (typeof schema === "boolean") return null;
  if (!isJsonObject(schema)) return "a part of it is not a schema";
  if (depth > MAX_DEPTH) return "it is too deep";
  const wrong = Object.entries(schema).find(
    ([keyword, value]) => typeof value !== (KIND_OF.get(keyword) ?? typeof value),
  );
  if (wrong) return `its ${wrong[0]} is not a ${KIND_OF.get(wrong[0])}`;
  const { type, required, enum: values, examples = [] } = schema;
  if (type !== undefined && ![type].flat().every((one) => TYPES.has(one))) return "it has an unknown type";
  if (required !== undefined && !isTexts(required)) return "its required is not a list of names";
  if (!Array.isArray(examples)) return "its examples are not a list";
  if (values !== undefined && !(Array.isArray(values) && values.length > 0)) return "its enum is not a list";
  if (Array.isArray(required) && !required.every((name) => PARAMETER.test(name)))
    return "it needs a parameter whose name models refuse";
  const parts = readSubschemas(schema);
  if (parts === null) return "a part of it is not a schema";
  for (const part of parts) {
    const fault = faultIn(part, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");

/** Returns the schemas inside this one; null if a keyword has a value of the wrong kind. */
export function readSubschemas(schema: Record<string, unknown>): unknown[] | null {
  const said = (keywords: readonly string[]) =>
    keywords.flatMap((keyword) => (keyword in schema ? [schema[keyword]] : []));
  const lists = said(HOLDS_LIST);
  const maps = said([...NAMED]);
  if (!lists.every((list) => Array.isArray(list) && list.length > 0) || !maps.every(isJsonObject)) return null;
  const inner = maps.flatMap((map) => Object.values(map));
  return [...said(["items"]).flat(), ...said(HOLDS_SCHEMA), ...lists.flat(), ...inner];
}
