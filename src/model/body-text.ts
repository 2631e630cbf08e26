// The JSON text of a request's body. A long turn sends the same messages and tools with every request, so the text of each is made once.
import type { Fields } from "./json-fields.ts";

/** Parts that stay the same objects from one request to the next; they are never changed in place. */
const texts = new WeakMap<object, string>();

/** The same text as `JSON.stringify` gives for the body, whose lists hold objects. */
export function bodyText(body: Fields): string {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? `[${value.map(partText).join()}]` : JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${fields.join()}}`;
}

function partText(part: unknown): string {
  if (typeof part !== "object" || part === null) return JSON.stringify(part) ?? "null";
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  texts.set(part, text);
  return text;
}
