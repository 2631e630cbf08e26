// A server's schema in a form that every provider takes. A valid schema is not enough. OpenAI, Anthropic, xAI and others refuse a whole
// request for one of these: an object without `properties`, `anyOf` and the like at the top, a list without `items` or with `prefixItems`.
import { isJsonObject } from "../read-json.ts";
import { MAX_LEVELS, NAMED, pointedAt, readParts, VALUES } from "./schema-references.ts";
import type { JsonSchema } from "./tool.ts";

/** Parameter names that every provider accepts; some refuse all others. */
export const PARAMETER = /^[\w.-]{1,64}$/;
/** Twice what a server may write. */
const MAX_TOLD_CHARS = 32_768;

/** The schema with each of its schemas changed, the inner ones first. `part`: the schema as it was before all changes. */
export function changeSchemas(
  part: unknown,
  change: (schema: JsonSchema, part: JsonSchema) => JsonSchema,
  areNamed = false,
  levels = 0,
): unknown {
  const inside = (inner: unknown, named = false) => changeSchemas(inner, change, named, levels + 1);
  if (Array.isArray(part) && levels < MAX_LEVELS) return part.map((inner) => inside(inner));
  // What is deeper is left as it is: no such schema is sound.
  if (!isJsonObject(part) || levels >= MAX_LEVELS) return part;
  const copy: JsonSchema = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name,
      !areNamed && VALUES.has(name) ? inner : inside(inner, !areNamed && NAMED.has(name)),
    ]),
  );
  return areNamed ? copy : change(copy, part);
}

/** The schema that models get. What is checked is the server's own. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const plain = withoutReferences(schema) ?? (changeSchemas(schema, plainPart) as JsonSchema);
  const { anyOf, oneOf, allOf, not, enum: _, ...top } = plain;
  const choices = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    ...top,
    properties: choices.length > 0 ? allProperties(plain, [plain, ...choices]) : (top.properties ?? {}),
  };
}

const plainPart = (part: JsonSchema): JsonSchema => withPlainNames(withPlainList(part));

/**
 * With what references point at in their place: Moonshot refuses those to anything but `$defs`, which stay. No reference here leads back to
 * itself, as long as each is followed in the way in which that was checked. Null: it would be too long.
 */
function withoutReferences(schema: JsonSchema): JsonSchema | null {
  const { pointedBy } = readParts(schema);
  const tell = (given: unknown): unknown =>
    changeSchemas(given, (one, part) => {
      const { $ref, ...rest } = one;
      const meant = typeof $ref === "string" && !$ref.startsWith("#/$defs/") ? pointedBy(part) : null;
      return plainPart(isJsonObject(meant) ? { ...(tell(meant) as JsonSchema), ...rest } : one);
    });
  const { definitions: _, ...told } = tell(schema) as JsonSchema;
  return JSON.stringify(told).length > MAX_TOLD_CHARS ? null : told;
}

/** Without parameters by names that models refuse: none of them is required. */
function withPlainNames(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema.properties)) return schema;
  const kept = Object.entries(schema.properties).filter(([name]) => PARAMETER.test(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** A list in which every item may be what any one place allows. */
function withPlainList(schema: JsonSchema): JsonSchema {
  const places = [schema.prefixItems, schema.items].find(Array.isArray);
  if (places) {
    const { prefixItems: _, ...rest } = schema;
    return { ...rest, items: places.length > 0 ? { anyOf: places } : {} };
  }
  const isBare = [schema.type].flat().includes("array") && schema.items === undefined;
  return isBare ? { ...schema, items: {} } : schema;
}

/** The parameters that any of these parts names. One that they describe in different ways may be either. */
function allProperties(root: JsonSchema, parts: readonly unknown[]): JsonSchema {
  const said = new Map<string, Map<string, unknown>>();
  for (const part of parts) {
    const meant = isJsonObject(part) && typeof part.$ref === "string" ? pointedAt(root, part.$ref) : part;
    const { properties } = isJsonObject(meant) ? meant : {};
    for (const [name, one] of Object.entries(isJsonObject(properties) ? properties : {}))
      said.set(name, (said.get(name) ?? new Map()).set(JSON.stringify(one), one));
  }
  return Object.fromEntries(
    [...said].map(([name, ways]) => [name, ways.size > 1 ? { anyOf: [...ways.values()] } : [...ways.values()][0]]),
  );
}
