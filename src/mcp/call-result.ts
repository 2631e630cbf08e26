// Converts a remote tool's answer to our form: text, structured data, pictures for a model that sees, and a note of everything that is not
// text. The server's data goes under field names of ours, so that it can't imitate one of the runtime's own signals.

import type { ToolOutcome } from "../toolkit/define/tool.ts";
import { isJsonObject } from "../toolkit/read-json.ts";

/** A model without eyes reads it, too. */
const SHOWN = "shown after the results, if you can see pictures";
/** How many pictures of one answer a model is shown, how large each may be in Base64, and of which types. */
const MAX_PICTURES = 5;
const MAX_PICTURE_CHARS = 4 * 1024 * 1024;
const PICTURE_TYPES: ReadonlySet<unknown> = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** The pictures of a result as data addresses, for a model that sees. Those that are meant for people alone are not among them. */
export function readPictures(result: unknown): string[] {
  const blocks = isJsonObject(result) && Array.isArray(result.content) ? result.content.filter(isJsonObject) : [];
  const shown = blocks.filter(isShown).slice(0, MAX_PICTURES);
  return shown.map(({ mimeType, data }) => `data:${String(mimeType)};base64,${String(data)}`);
}

function isShown({ type, data, mimeType, annotations }: Record<string, unknown>): boolean {
  const { audience } = isJsonObject(annotations) ? annotations : {};
  const isForModel = !Array.isArray(audience) || audience.includes("assistant");
  const isPicture = type === "image" && PICTURE_TYPES.has(mimeType) && isForModel;
  return isPicture && typeof data === "string" && data.length <= MAX_PICTURE_CHARS && /^[A-Za-z0-9+/]+=*$/.test(data);
}

/**
 * Reads the result of `tools/call`. The bytes of pictures and sounds are not part of it, because it is stored: only type and size are.
 * Cuts nothing: the runtime takes secrets out first, and half a secret would not be known.
 */
export function readOutcome(result: unknown): ToolOutcome {
  if (!isJsonObject(result)) return { ok: false, error: "the server answered no result", isFault: true };
  const blocks = Array.isArray(result.content) ? result.content.filter(isJsonObject) : [];
  const text = blocks.flatMap((block) => (block.type === "text" ? [String(block.text)] : [])).join("\n\n");
  const structured = result.structuredContent ?? null;
  const parts = blocks.flatMap((block) => (block.type === "text" ? [] : [readBlock(block)]));
  // A server repeats its structured data as text, for clients that read only text.
  const isRepeated = structured !== null && sameJson(text, structured);
  const data = {
    ...(text === "" || isRepeated ? {} : { text }),
    ...(structured === null ? {} : { structured }),
    ...(parts.length > 0 ? { parts } : {}),
  };
  if (result.isError !== true) return { ok: true, data };
  const more = structured !== null || parts.length > 0 ? { data } : {};
  return { ok: false, error: text || "the tool failed without saying why", ...more };
}

function readBlock(block: Record<string, unknown>): Record<string, unknown> {
  const { type, data, mimeType, uri, name, description, resource } = block;
  switch (type) {
    case "image":
    case "audio":
      return { type, mimeType, bytes: countBytes(data), note: isShown(block) ? SHOWN : "not passed on" };
    case "resource_link":
      return said({ type, uri, name, description, mimeType });
    case "resource":
      return { type, ...(isJsonObject(resource) ? readResource(resource) : {}) };
    default:
      return { type: String(type), note: "of a kind that is not known" };
  }
}

function readResource({ uri, mimeType, text, blob }: Record<string, unknown>): Record<string, unknown> {
  if (typeof text === "string") return said({ uri, mimeType, text });
  return { ...said({ uri, mimeType }), bytes: countBytes(blob), note: "not passed on" };
}

const said = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The byte count of Base64, from its length. */
function countBytes(base64: unknown): number {
  const text = typeof base64 === "string" ? base64.replace(/=+$/, "") : "";
  return Math.floor((text.length * 3) / 4);
}

function sameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}
