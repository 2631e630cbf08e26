// Builds the body of a request: JSON in UTF-8. A long turn sends the same messages and tools with every request, so the bytes of each are
// made only once. Joining and encoding them as one text for every request took more time than everything else about it.
import { joinBytes } from "../core/bytes.ts";
import { withoutHalves } from "../core/transcript/utf8.ts";
import type { Fields } from "./json-fields.ts";

const utf8 = new TextEncoder();

/** The bytes of each part, with a comma before it. Parts stay the same objects from one request to the next and are never changed in place. */
const known = new WeakMap<object, Uint8Array>();

/**
 * Returns the bytes of the text that `JSON.stringify` gives for the body. Lists in the body must contain objects. Half of a surrogate pair is
 * replaced.
 */
export function bodyBytes(body: Fields): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let text = "{";
  let separator = "";
  for (const [name, value] of Object.entries(body)) {
    const isList = Array.isArray(value);
    const written = isList ? "[" : jsonOf(value);
    if (written === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:${written}`;
    separator = ",";
    if (!isList) continue;
    pieces.push(utf8.encode(text));
    value.forEach((part, at) => void pieces.push(at === 0 ? partBytes(part).subarray(1) : partBytes(part)));
    text = "]";
  }
  pieces.push(utf8.encode(`${text}}`));
  return joinBytes(pieces);
}

function jsonOf(value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? json : withoutHalves(json);
}

function partBytes(part: unknown): Uint8Array {
  const isKept = typeof part === "object" && part !== null;
  const before = isKept ? known.get(part) : undefined;
  if (before) return before;
  const bytes = utf8.encode(`,${jsonOf(part) ?? "null"}`);
  if (isKept) known.set(part, bytes);
  return bytes;
}
