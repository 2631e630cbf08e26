// Copies any value as plain JSON, so that a tool can't change a recorded result through a reference that it keeps. Marks what JSON can't
// express, and refuses what would silently disappear.
import { MAX_DEPTH } from "../read-json.ts";

/** The copy, or the part of the value that has no JSON form. */
export type JsonCopy = { ok: true; value: unknown } | { ok: false; found: string };

/** Without this limit, a shared part that occurs many times could grow endlessly. */
const MAX_NODES = 200_000;

/** Copies a value. Throws only what the value's own getters and `toJSON` throw. */
export function jsonCopy(value: unknown): JsonCopy {
  const state: CopyState = { within: [], nodes: 0, refused: null };
  const copied = copy(value, state);
  return state.refused === null ? { ok: true, value: copied ?? null } : { ok: false, found: state.refused };
}

interface CopyState {
  /** The objects around the current position. If one occurs again, that is a cycle. */
  within: object[];
  nodes: number;
  refused: string | null;
}

/** Returns undefined for anything that JSON leaves out of an object. */
function copy(value: unknown, state: CopyState): unknown {
  if (++state.nodes > MAX_NODES) return "[too much]";
  switch (typeof value) {
    case "string":
      // A remote server may send a lone surrogate, and a cut may leave one. Providers then refuse the whole request.
      return value.toWellFormed();
    case "boolean":
      return value;
    case "number":
      // JSON has no negative zero; adding zero leaves every other number unchanged.
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
