// Writes equal JSON values as equal text, so that equal calls can be recognized.
import { keepDigits } from "./long-numbers.ts";

/** Returns JSON with the keys of every object sorted by code units, and long numbers as text. Text that isn't JSON is returned unchanged. */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text.trim() === "" ? "{}" : text, keepDigits)));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
