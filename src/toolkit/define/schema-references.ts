// What the references of a JSON Schema point at, and what they make of it. They are followed wherever the schema is read, so one that
// leads back to itself may have no end, and a chain in which each part is used twice doubles with every level.
import { isJsonObject } from "../read-json.ts";
import type { JsonSchema } from "./tool.ts";

/** The objects of a schema with each reference replaced by what it points at. No schema that people wrote comes near. */
const MAX_EXPANDED = 5000;
/** A schema that is deeper is refused. */
export const MAX_LEVELS = 100;

/** Keywords with values, which may look like schemas. */
export const VALUES: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
/** Keywords with schemas by names that someone has chosen, such as that of a value. */
export const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Where a schema is that does not say it. */
const NOWHERE = "schema:///";

/** A schema's parts, and what they refer to. */
export interface SchemaParts {
  /** The schema and all schemas in it. */
  parts: readonly JsonSchema[];
  /** What the reference of this part points at; null or undefined where that is nothing. */
  pointedBy(part: JsonSchema): unknown;
}

/** Reads the schemas within a schema, with the addresses and names that they give themselves. */
export function readParts(root: JsonSchema): SchemaParts {
  const known = new Map<string, unknown>([[NOWHERE, root]]);
  /** The address from which a part refers to others. */
  const bases = new Map<JsonSchema, string>();
  const read = (part: unknown, outer: string, areNamed = false): void => {
    if (Array.isArray(part)) for (const one of part) read(one, outer);
    if (!isJsonObject(part)) return;
    const { $id, $anchor } = areNamed ? {} : part;
    const base = (typeof $id === "string" && URL.parse($id, outer)?.href) || outer;
    if (!areNamed) bases.set(part, base);
    if (base !== outer) known.set(base, part);
    if (typeof $anchor === "string") known.set(`${base}#${$anchor}`, part);
    for (const [name, inner] of Object.entries(part))
      if (areNamed || !VALUES.has(name)) read(inner, base, !areNamed && NAMED.has(name));
  };
  read(root, NOWHERE);
  /** What each part points at, found once: every item of a long list may be checked by it. */
  const pointed = new WeakMap<JsonSchema, unknown>();
  return {
    parts: [...bases.keys()],
    pointedBy(part) {
      if (part.$recursiveRef !== undefined) return root;
      if (pointed.has(part)) return pointed.get(part);
      const href = URL.parse(String(part.$ref), bases.get(part) ?? NOWHERE)?.href ?? "";
      const [address = "", path = ""] = href.split("#");
      const document = known.get(address);
      const found = known.get(href) ?? (isJsonObject(document) ? pointedAt(document, `#${path}`) : null);
      pointed.set(part, found);
      return found;
    },
  };
}

/** A part of a schema with all that it refers to. */
interface Extent {
  objects: number;
  levels: number;
}

/**
 * What is wrong with the references, or null. For schemas of others only: a circle is sound, and ends where the value ends, as long
 * as whoever wrote it means well. `looked` is given the number of parts that were looked at, for tests: each part is measured once.
 */
export function referenceFault(schema: JsonSchema, looked: (parts: number) => void = () => {}): string | null {
  // Its copy would not be made.
  if (isDeeper(schema, MAX_LEVELS)) return "it is too deep";
  const { pointedBy } = readParts(schema);
  const known = new Map<object, Extent | "open">();

  const measure = (part: unknown, depth: number): Extent | string => {
    if (typeof part !== "object" || part === null) return { objects: 0, levels: 0 };
    const before = known.get(part);
    if (before === "open") return "it refers to itself";
    if (depth + (before?.levels ?? 0) > MAX_LEVELS) return "it is too deep";
    if (before) return before;
    looked(1);
    known.set(part, "open");
    const extent: Extent = { objects: 1, levels: 1 };
    const { $ref, $recursiveRef } = part as JsonSchema;
    const refers = typeof $ref === "string" || $recursiveRef !== undefined;
    for (const inner of [...Object.values(part), ...(refers ? [pointedBy(part as JsonSchema)] : [])]) {
      const measured = measure(inner, depth + 1);
      if (typeof measured === "string") return measured;
      extent.objects += measured.objects;
      extent.levels = Math.max(extent.levels, measured.levels + 1);
    }
    if (extent.objects > MAX_EXPANDED) return "its references make it too large";
    known.set(part, extent);
    return extent;
  };

  const measured = measure(schema, 0);
  return typeof measured === "string" ? measured : null;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels < 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** What a path within the schema, also one through a list, points at; null where that is nothing. */
export function pointedAt(root: JsonSchema, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return null;
  const names = reference.slice(1).split("/").slice(1);
  return names.reduce<unknown>((at, name) => {
    const key = readName(name);
    return typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as JsonSchema)[key] : null;
  }, root);
}

function readName(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return name;
  }
}
