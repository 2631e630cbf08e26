// What the references of a JSON Schema point at, and what they make of it. They are followed wherever the schema is read, so one that
// leads back to itself may have no end, and a chain in which each part is used twice doubles with every level.
import { dereference, type Schema } from "@cfworker/json-schema";
import type { JsonSchema } from "./tool.ts";

/** The objects of a schema with each reference replaced by what it points at. No schema that people wrote comes near. */
const MAX_EXPANDED = 5000;
const MAX_LEVELS = 100;

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
  // The validator's view of the references is written into the schema that it gets.
  const root = structuredClone(schema);
  const byAddress = readAddresses(root);
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
    for (const inner of [...Object.values(part), ...referredBy(part)]) {
      const measured = measure(inner, depth + 1);
      if (typeof measured === "string") return measured;
      extent.objects += measured.objects;
      extent.levels = Math.max(extent.levels, measured.levels + 1);
    }
    if (extent.objects > MAX_EXPANDED) return "its references make it too large";
    known.set(part, extent);
    return extent;
  };
  /** The validator follows addresses, coercion follows paths: where a schema gives its parts names, they differ. */
  const referredBy = (part: Schema): unknown[] => {
    if (part.$recursiveRef !== undefined) return [root];
    if (typeof part.$ref !== "string") return [];
    const targets = [pointedAt(root, part.$ref), byAddress[part.__absolute_ref__ ?? part.$ref]];
    return targets[0] === targets[1] ? targets.slice(1) : targets;
  };

  const measured = measure(root, 0);
  return typeof measured === "string" ? measured : null;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels < 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Nothing for a schema that does not compile, which is found elsewhere. */
function readAddresses(schema: Schema): Record<string, unknown> {
  try {
    return dereference(schema);
  } catch {
    return {};
  }
}

/** What a path within the schema, also one through a list, points at; null where that is nothing. */
export function pointedAt(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return null;
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
