// Reads fields of JSON that a provider sent. Servers that only call themselves compatible may send anything.

import { parseJson as parse } from "../core/json.ts";
import { keepDigits } from "../core/transcript/long-numbers.ts";

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object; null for anything else, including a list. */
export const readFields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Returns a list as it is, an empty list for nothing, and a list of one for anything else. */
export const readList = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
};

/** Returns a text that is not empty, or null. */
export const readText = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Parses JSON; undefined if the text is not JSON. Numbers with too many digits to be represented, such as Discord's ids, are returned as text. */
export function parseJson(text: string): unknown {
  // There is an event for each word, and few contain such a number.
  return parse(text, /\d{16}/.test(text) ? keepDigits : undefined);
}
