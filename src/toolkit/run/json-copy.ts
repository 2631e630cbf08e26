// A copy of anything in plain JSON, so that nothing a tool keeps a hand on can change what was recorded. Marks what JSON can't
// say; refuses what would silently turn into nothing.
import { MAX_DEPTH } from "../read-json.ts";

/** The copy, or what in the value has no form in JSON. */
export type JsonCopy = { ok: true; value: unknown } | { ok: false; found: string };

/** A shared part that occurs again and again would otherwise grow without end. */
const MAX_NODES = 200_000;

/** Copies a value. Throws only what the value's own getters and `toJSON` throw. */
export function jsonCopy(value: unknown): JsonCopy {
  const state: CopyState = { within: [], nodes: 0, refused: null };
  const copied = copy(value, state);
  return state.refused === null ? { ok: true, value: copied ?? null } : { ok: false, found: state.refused };
}

interface CopyState {
  /** The objects around the present place: one that occurs again there is a cycle. */
  within: object[];
  nodes: number;
  refused: string | null;
}

/** Undefined for what an object leaves out. */
function copy(value: unknown, state: CopyState): unknown {
  if (++state.nodes > MAX_NODES) return "[too much]";
  switch (typeof value) {
    case "string":
      // Half a character, which a remote server may send and a cut may leave, makes providers refuse the whole request.
      return value.toWellFormed();
    case "boolean":
      return value;
    case "number":
      // JSON has no negative zero; adding zero leaves every other number as it is.
      return Number.isFinite(value) ? value + 0 : null;
    case "bigint":
      return String(value);
    case "object":
      return value === null ? null : copyObject(value, state);
    default:
      return undefined;
  }
}

function copyObject(value: object, state: CopyState): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (state.within.includes(value)) return "[cycle]";
  if (state.within.length >= MAX_DEPTH) return "[too deep]";
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    state.refused ??= `a ${value.constructor.name}`;
    return null;
  }
  state.within.push(value);
  const copied = copyContent(value, state);
  state.within.pop();
  return copied;
}

function copyContent(value: object, state: CopyState): unknown {
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), state);
  if (Array.isArray(value)) return Array.from(value, (item) => copy(item, state) ?? null);
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const copied = key === "__proto__" ? undefined : copy(inner, state);
    return copied === undefined ? [] : [[key, copied]];
  });
  return Object.fromEntries(entries);
}
