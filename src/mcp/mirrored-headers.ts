// Arguments that a server of the newer era wants repeated as headers, so that a proxy in front of it can route a call without reading the
// body. Its schema marks them with `x-mcp-header`.
import { isJsonObject } from "../toolkit/read-json.ts";
import { readSubschemas } from "./schema-shape.ts";

const MARK = "x-mcp-header";
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

interface Marked {
  path: readonly string[];
  header: unknown;
  type: unknown;
}

/** Returns why the schema's marks can't be followed; null if they can. A tool with such a fault must not be called. */
export function mirrorFault(schema: Record<string, unknown>): string | null {
  const marked = listMarked(schema, []);
  if (countMarks(schema) > marked.length) return "a value that it repeats in a header is not always there";
  const seen = new Set<string>();
  for (const { header, type } of marked) {
    if (typeof header !== "string" || !TOKEN.test(header)) return "it gives an invalid header name";
    if (!TYPES.has(type)) return "a value that it repeats in a header is not a text, whole number or boolean";
    if (seen.has(header.toLowerCase())) return "it repeats two parameters in the same header";
    seen.add(header.toLowerCase());
  }
  return null;
}

/** Returns the headers for a call with these arguments. A parameter that was not given has none. */
export function mirroredHeaders(schema: Record<string, unknown>, input: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of listMarked(schema, [])) {
    const value = path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), input);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      headers[`mcp-param-${String(header)}`] = headerText(String(value));
  }
  return headers;
}

/** Encodes a text for a header: as it is or, if it could be changed on the way or misread, as Base64 of its UTF-8. */
export function headerText(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && text.trim() === text && !/^=\?base64\?.*\?=$/i.test(text);
  if (isPlain) return text;
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return `=?base64?${btoa(binary)}?=`;
}

/** Lists the marked parameters that can be reached through `properties` alone. */
function listMarked(schema: unknown, path: readonly string[]): Marked[] {
  if (!isJsonObject(schema)) return [];
  const { properties } = schema;
  const inner = isJsonObject(properties) ? Object.entries(properties) : [];
  return [
    ...(Object.hasOwn(schema, MARK) ? [{ path, header: schema[MARK], type: schema.type }] : []),
    ...inner.flatMap(([name, part]) => listMarked(part, [...path, name])),
  ];
}

function countMarks(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  const inner = readSubschemas(schema) ?? [];
  return inner.reduce<number>((sum, part) => sum + countMarks(part), Object.hasOwn(schema, MARK) ? 1 : 0);
}
