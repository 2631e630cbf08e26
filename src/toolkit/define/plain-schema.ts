// A server's schema as every provider takes it. To be sound is not enough: OpenAI, xAI and others refuse a whole request for an object
// without properties at its top, or for a list that says something else of each of its places.
import { isJsonObject } from "../read-json.ts";
import type { JsonSchema } from "./tool.ts";

/** Values, which may look like schemas. */
const VALUES: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
/** Schemas by names that someone has chosen, such as that of a value. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** The schema that models get. What is checked is the server's own. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const plain = withPlainLists(schema) as JsonSchema;
  return { ...plain, properties: plain.properties ?? {} };
}

/** With lists whose items may be whatever one of their places may be. */
function withPlainLists(part: unknown, areNamed = false): unknown {
  if (Array.isArray(part)) return part.map((inner) => withPlainLists(inner));
  if (!isJsonObject(part)) return part;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name,
      !areNamed && VALUES.has(name) ? inner : withPlainLists(inner, !areNamed && NAMED.has(name)),
    ]),
  );
  const places = [copy.prefixItems, copy.items].find(Array.isArray);
  if (!places) return copy;
  const { prefixItems: _, ...rest } = copy;
  return { ...rest, items: places.length > 0 ? { anyOf: places } : {} };
}
