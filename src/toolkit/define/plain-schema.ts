// Rewrites a server's schema into a form that every provider accepts. That it is valid is not enough: OpenAI, Anthropic, xAI and others
// refuse a whole request for an object without `properties`, for `anyOf` and the like at the top level, or for a list without `items` or
// with `prefixItems`.
import { isJsonObject } from "../read-json.ts";
import { MAX_LEVELS, NAMED, pointedAt, readParts, VALUES } from "./schema-references.ts";
import type { JsonSchema } from "./tool.ts";

/** Parameter names that every provider accepts. Some providers refuse all others. */
export const PARAMETER = /^[\w.-]{1,64}$/;
/** Twice as much as a server may write. */
const MAX_INLINED_CHARS = 32_768;

/** Returns the schema with each schema inside it changed, the inner ones first. `part`: the schema as it was before all changes. */
export function changeSchemas(
  part: unknown,
  change: (schema: JsonSchema, part: JsonSchema) => JsonSchema,
  areNamed = false,
  levels = 0,
): unknown {
  const inside = (inner: unknown, named = false) => changeSchemas(inner, change, named, levels + 1);
  if (Array.isArray(part) && levels < MAX_LEVELS) return part.map((inner) => inside(inner));
  // Deeper levels are left as they are: no valid schema has so many.
  if (!isJsonObject(part) || levels >= MAX_LEVELS) return part;
  const copy: JsonSchema = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name,
      !areNamed && VALUES.has(name) ? inner : inside(inner, !areNamed && NAMED.has(name)),
    ]),
  );
  return areNamed ? copy : change(copy, part);
}

/** Builds the schema that models get. Arguments are still checked against the server's own. */
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
 * Replaces references by what they point at. References to `$defs` stay, because those are the only ones that Moonshot accepts. No reference here
 * leads back to itself, as long as each is followed in the way in which that was checked. Null: the result would be too long.
 */
function withoutReferences(schema: JsonSchema): JsonSchema | null {
  const { pointedBy } = readParts(schema);
  const inline = (given: unknown): unknown =>
    changeSchemas(given, (one, part) => {
      const { $ref, ...rest } = one;
      const meant = typeof $ref === "string" && !$ref.startsWith("#/$defs/") ? pointedBy(part) : null;
      return plainPart(isJsonObject(meant) ? { ...(inline(meant) as JsonSchema), ...rest } : one);
    });
  const { definitions: _, ...inlined } = inline(schema) as JsonSchema;
  return JSON.stringify(inlined).length > MAX_INLINED_CHARS ? null : inlined;
}

/** Removes parameters whose names models refuse. None of them is required. */
function withPlainNames(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema.properties)) return schema;
  const kept = Object.entries(schema.properties).filter(([name]) => PARAMETER.test(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** Rewrites a list with a schema per position, so that every item may be what any position allows. */
function withPlainList(schema: JsonSchema): JsonSchema {
  const places = [schema.prefixItems, schema.items].find(Array.isArray);
  if (places) {
    const { prefixItems: _, ...rest } = schema;
    return { ...rest, items: places.length > 0 ? { anyOf: places } : {} };
  }
  const isBare = [schema.type].flat().includes("array") && schema.items === undefined;
  return isBare ? { ...schema, items: {} } : schema;
}

/** Collects the parameters that any of these parts names. One that is described in different ways may be any of them. */
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
