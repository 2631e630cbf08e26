// Reads fields of JSON that a provider sent: servers that only call themselves compatible send anything.

import { parseJson as parse } from "../core/json.ts";
import { keepDigits } from "../core/transcript/long-numbers.ts";

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; null for anything else, a list too. */
export const readFields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** A list; empty for nothing; a list of one for anything else. */
export const readList = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
};

/** A text with something in it, or null. */
export const readText = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Parses JSON; undefined when it is none. Numbers that are too long for one, such as Discord's ids, are given as the text of their digits. */
export function parseJson(text: string): unknown {
  // There is an event for each word, and few have such a number.
  return parse(text, /\d{16}/.test(text) ? keepDigits : undefined);
}
