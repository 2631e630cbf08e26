// Reads JSON text from unknown sources into plain values. Keeps all digits of numbers that JavaScript can't represent (Discord's ids),
// drops keys that reach a prototype, and refuses text that is too large or too deeply nested to read safely.
import { keepDigits } from "../core/transcript/long-numbers.ts";
import { isLongerThan } from "../core/transcript/utf8.ts";

/** Enough for any honest call. Repairing more would keep the object busy for a noticeable time. */
export const MAX_ARGUMENT_BYTES = 64 * 1024;
/** Every walk over a value recurses, so depth is limited where values enter. */
export const MAX_DEPTH = 64;

/** The result of reading. `malformed`: the text is not JSON. Text with one of the other problems must not be repaired either. */
export type JsonRead = { ok: true; value: unknown } | { ok: false; problem: "malformed" | "too_large" | "too_deep" };

const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Reads one JSON text. Never throws. */
export function readJson(text: string): JsonRead {
  if (isLongerThan(text, MAX_ARGUMENT_BYTES)) return { ok: false, problem: "too_large" };
  if (measureDepth(text) > MAX_DEPTH) return { ok: false, problem: "too_deep" };
  try {
    return { ok: true, value: JSON.parse(text, keptSafe) };
  } catch {
    return { ok: false, problem: "malformed" };
  }
}

/** Whether the value is a plain JSON object, and not a list, null or a scalar. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object itself, or the object that a text contains; null for anything else. */
export function readObject(value: unknown): Record<string, unknown> | null {
  const read = typeof value === "string" ? readJson(value) : null;
  const found = read?.ok ? read.value : value;
  return isJsonObject(found) ? found : null;
}

function keptSafe(key: string, value: unknown, context?: { source?: string }): unknown {
  if (PROTOTYPE_KEYS.has(key)) return undefined;
  // A tool that passes on half of a surrogate pair would throw, or its request would be refused.
  return typeof value === "string" ? value.toWellFormed() : keepDigits(key, value, context);
}

/** Returns the deepest nesting of brackets outside strings. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText && char === "\\") at++;
    else if (char === '"') isText = !isText;
    else if (isText) continue;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}

/**
 * Returns arguments as a conversation stores them: the JSON of an object, even if it was encoded twice. Anything else becomes `{}`, because
 * providers refuse to read it again.
 */
export function storedArguments(text: string): string {
  const outer = readJson(text);
  return JSON.stringify((outer.ok && readObject(outer.value)) || {});
}
