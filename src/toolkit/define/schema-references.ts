// Resolves the references of a JSON Schema, and measures what they make of it. They are followed wherever the schema is read, so a
// reference that leads back to itself may have no end, and a chain in which each part is used twice doubles with every level.
import { isJsonObject } from "../read-json.ts";
import type { JsonSchema } from "./tool.ts";

/** The most objects of a schema in which each reference is replaced by what it points at. No schema written by people comes near this. */
const MAX_EXPANDED = 5000;
/** A schema with more levels is refused. */
export const MAX_LEVELS = 100;

/** Keywords that contain values, which may look like schemas. */
export const VALUES: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
/** Keywords that contain schemas under freely chosen names. Such a name may equal a keyword. */
export const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** The address of a schema that does not give one. */
const NOWHERE = "schema:///";

/** A schema's parts, and what they refer to. */
export interface SchemaParts {
  /** The schema itself and all schemas inside it. */
  parts: readonly JsonSchema[];
  /** Returns what the reference of this part points at; null or undefined if it points at nothing. */
  pointedBy(part: JsonSchema): unknown;
}

/** Reads the schemas within a schema, with the addresses and names that they give themselves. */
export function readParts(root: JsonSchema): SchemaParts {
  const known = new Map<string, unknown>([[NOWHERE, root]]);
  /** The address against which a part's references are resolved. */
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
  /** What each part points at, found only once: every item of a long list may be checked against it. */
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

/** The size of a part of a schema, including all that it refers to. */
interface Extent {
  objects: number;
  levels: number;
}

/**
 * Returns what is wrong with the references, or null. Only for schemas from elsewhere: a cycle is valid and ends where the value ends, as long as
 * the author means well. `looked` gets the number of parts that were looked at, for tests: each part is measured once.
 */
export function referenceFault(schema: JsonSchema, looked: (parts: number) => void = () => {}): string | null {
  // A schema this deep would not be copied.
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

/** Returns what a path within the schema points at; it may lead through a list. Null if it points at nothing. */
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
