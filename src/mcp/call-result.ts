// Converts a remote tool's answer to our form: text, structured data, pictures for a model that can see, files for the reply, and a note
// about everything that is not text. The server's data is put under our own field names, so that it can't imitate one of the runtime's
// signals.

import { base64Bytes, decodeBase64 } from "../core/transcript/base64.ts";
import { canonicalJson } from "../core/transcript/canonical.ts";
import type { ToolOutcome } from "../toolkit/define/tool.ts";
import { isJsonObject } from "../toolkit/read-json.ts";

/** Models that can't see read this note, too. */
const SHOWN = "shown after the results, if you can see pictures";
const NOT_PASSED_ON = "not passed on";
/** How many pictures of one answer a model is shown, how large each may be in Base64, and which types are shown, by how their Base64 begins. */
const MAX_PICTURES = 5;
const MAX_PICTURE_CHARS = 4 * 1024 * 1024;
const PICTURE_TYPES = { png: /^iVBORw0KGgo/, jpeg: /^\/9j\//, webp: /^UklGR.{7}RUJQ/, gif: /^R0lGOD/ };

/** Returns the pictures of a result as data URLs, for a model that can see. Pictures that are meant only for people are left out. */
export function readPictures(result: unknown): string[] {
  const blocks = isJsonObject(result) ? readBlocks(result.content) : [];
  const shown = blocks.filter(isShown).slice(0, MAX_PICTURES);
  return shown.map(({ data }) => `data:image/${pictureType(String(data))};base64,${String(data)}`);
}

function isShown({ type, data, annotations }: Record<string, unknown>): boolean {
  if (type !== "image" || typeof data !== "string" || !isFor("assistant", annotations)) return false;
  if (data.length > MAX_PICTURE_CHARS || data.length % 4 > 0) return false;
  // Searches for what does not belong: a pattern that matches millions of characters may exceed the stack.
  return !/[^A-Za-z0-9+/=]|=[^=]/.test(data) && pictureType(data) !== undefined;
}

/** Returns the type by the bytes, whatever the server says, because a provider refuses a whole request for a picture with the wrong type. */
const pictureType = (data: string): string | undefined =>
  Object.entries(PICTURE_TYPES).find(([, beginning]) => beginning.test(data))?.[0];

/** Whether a part is meant for this reader. Without an audience it is for everyone. */
function isFor(reader: "assistant" | "user", annotations: unknown): boolean {
  const { audience } = isJsonObject(annotations) ? annotations : {};
  return !Array.isArray(audience) || audience.includes(reader);
}

type Block = Record<string, unknown>;

/** The most blocks that are read: this many already take more characters than a result may have. An answer may contain a million empty ones. */
const MAX_BLOCKS = 10_000;

/** Reads the blocks. Some servers write one block, or a text, instead of a list; and bytes as a data URL, or split into lines. */
const readBlocks = (content: unknown): Block[] =>
  [typeof content === "string" ? { type: "text", text: content } : content]
    .flat()
    .slice(0, MAX_BLOCKS)
    .filter(isJsonObject)
    .map((block) =>
      typeof block.data === "string" ? { ...block, data: block.data.replace(/^data:[^,]*,|[\r\n]+/g, "") } : block,
    );
type Files = NonNullable<ToolOutcome["files"]>;

/** Returns the picture, sound or file of a part that people may see, under a name that says which it is; null if it has none. */
function readFile({ type, data, mimeType, resource, annotations }: Block, position: number): Files[number] | null {
  const { uri, blob, mimeType: ownType } = isJsonObject(resource) ? resource : {};
  const isResource = type === "resource";
  const base64 = isResource ? blob : type === "image" || type === "audio" ? data : null;
  const bytes = typeof base64 === "string" && isFor("user", annotations) ? decodeBase64(base64) : null;
  if (!bytes) return null;
  const path = typeof uri === "string" ? uri.replace(/[?#].*/s, "") : "";
  const name = isResource
    ? path.slice(path.lastIndexOf("/") + 1)
    : `${type === "image" ? "picture" : "sound"}-${position}`;
  const given = isResource ? ownType : mimeType;
  return { name, type: typeof given === "string" ? given : "", data: bytes };
}

/**
 * Reads the result of `tools/call`. The bytes of pictures, sounds and files are kept apart from its data, which is stored and read by the model:
 * the data contains only their type and size. Cuts nothing: the runtime removes secrets first, and half a secret would not be recognized.
 */
export function readOutcome(result: unknown): ToolOutcome {
  if (!isJsonObject(result)) return { ok: false, error: "the server returned no result", isFault: true };
  const { content, structuredContent, isError: failed, _meta, resultType, ...others } = result;
  const blocks = readBlocks(content);
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && text ? [wordsOf(text)] : []));
  const text = texts.join("\n\n");
  // Without any field of the protocol, the server has written its data as the result itself.
  const isBare = blocks.length === 0 && Object.keys(others).length > 0;
  const structured = structuredContent ?? (isBare ? others : null);
  const isError = failed === true;
  const attached = isError ? [] : blocks.map((block, index) => readFile(block, index + 1));
  const files = attached.filter((file) => file !== null);
  const parts = blocks.flatMap((block, index) =>
    block.type === "text" ? [] : [readBlock(block, Boolean(attached[index]))],
  );
  const isRepeated = text !== "" && structured !== null && repeats(texts, structured);
  const data = {
    ...(text === "" || isRepeated ? {} : { text }),
    ...(structured === null ? {} : { structured }),
    ...(parts.length > 0 ? { parts } : {}),
  };
  if (!isError) return { ok: true, data, ...(files.length > 0 ? { files } : {}) };
  const more = structured !== null || parts.length > 0 ? { data } : {};
  return { ok: false, error: text || "the tool failed without saying why", ...more };
}

function readBlock(block: Block, isAttached: boolean): Record<string, unknown> {
  const { type, data, mimeType, uri, name, description, resource } = block;
  switch (type) {
    case "image":
    case "audio":
      return { type, mimeType, bytes: countBytes(data), ...(isShown(block) ? { note: SHOWN } : noteLoss(isAttached)) };
    case "resource_link":
      return said({ type, uri, name, description, mimeType });
    case "resource":
      return { type, ...(isJsonObject(resource) ? readResource(resource, isAttached) : {}) };
    default:
      return { type: wordsOf(type), note: "of an unknown kind" };
  }
}

/** Returns a text as it is, or the JSON of what a server writes in its place. */
const wordsOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Adds a note, except for what is attached: that is listed next to the data. */
const noteLoss = (isAttached: boolean) => (isAttached ? {} : { note: NOT_PASSED_ON });

function readResource({ uri, mimeType, text, blob }: Block, isAttached: boolean): Record<string, unknown> {
  if (typeof text === "string") return said({ uri, mimeType, text });
  return { ...said({ uri, mimeType }), bytes: countBytes(blob), ...noteLoss(isAttached) };
}

const said = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const countBytes = (base64: unknown): number => (typeof base64 === "string" ? base64Bytes(base64) : 0);

/**
 * Whether the text only repeats the structured data. Servers do that for clients that read only text. The protocol's Python library, on which
 * most servers are built, puts anything that is not an object under the name `result`, and gives each item of a list a separate text.
 */
function repeats(texts: readonly string[], structured: unknown): boolean {
  const { result, ...others } = isJsonObject(structured) ? structured : {};
  const values = result === undefined || Object.keys(others).length > 0 ? [structured] : [structured, result];
  return values.some(
    (value) =>
      sameJson(texts.join("\n\n"), value) ||
      (Array.isArray(value) && value.length === texts.length && texts.every((one, at) => sameJson(one, value[at]))),
  );
}

/** More than any model gets of a result. Reading millions of values again would take seconds, and more memory than an object has. */
const MAX_COMPARED_CHARS = 100_000;

function sameJson(text: string, value: unknown): boolean {
  try {
    const json = JSON.stringify(value);
    const isShort = Math.max(text.length, json.length) <= MAX_COMPARED_CHARS;
    return text === value || (isShort && canonicalJson(text) === canonicalJson(json));
  } catch {
    return false;
  }
}
