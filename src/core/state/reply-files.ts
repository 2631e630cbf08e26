// The files that tools and models make for a reply: what is known about each, how many a reply may have, and their names.
import { MAX_REPLY_FILE_BYTES, MAX_REPLY_FILES } from "../limits.ts";

/** A file with its bytes. */
export interface MadeFile {
  name: string;
  /** Its content type. */
  type: string;
  data: Uint8Array;
}

/** What is known about a file, without its bytes. `leftOut`: it did not fit into the reply. `byModel`: it is part of a model's answer. */
export interface FileNote {
  name: string;
  type: string;
  bytes: number;
  leftOut?: true;
  byModel?: true;
}

/** How many files of one answer are still named when the reply has no room for them. A server may send 100,000, and each name is a row. */
export const MAX_NAMED_FILES = 3 * MAX_REPLY_FILES;

/** Whether a reply has room for another file of this many bytes. */
export function hasRoomFor(bytes: number, beside: readonly FileNote[]): boolean {
  const kept = beside.filter(({ leftOut }) => !leftOut);
  const sum = kept.reduce((all, one) => all + one.bytes, bytes);
  return kept.length < MAX_REPLY_FILES && sum <= MAX_REPLY_FILE_BYTES;
}

const MAX_NAME_CHARS = 100;
const MAX_TYPE_CHARS = 100;
/** Types whose usual file extension is not their second half. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "audio/mpeg": "mp3",
  "text/plain": "txt",
  "text/markdown": "md",
  "application/octet-stream": "bin",
};

/** Returns the content type, or the type of unknown bytes if it can't be read. */
export function readFileType(type: unknown): string {
  const text = typeof type === "string" ? (type.split(";", 1)[0] ?? "").trim().toLowerCase() : "";
  return /^[a-z]+\/[a-z0-9.+-]+$/.test(text) && text.length <= MAX_TYPE_CHARS ? text : "application/octet-stream";
}

/** Returns the name in characters that Discord keeps, with the type's usual extension if it has none. */
export function readFileName(name: string, type: string): string {
  const known = name.replaceAll(/[^\w.-]+/g, "_").replace(/^[._]+/, "");
  const stem = known === "" ? "file" : known;
  const ending = ENDINGS[type] ?? type.replace(/^.*\/(x-)?/, "");
  return /\.[A-Za-z0-9]{1,8}$/.test(stem)
    ? stem.slice(-MAX_NAME_CHARS)
    : `${stem.slice(0, MAX_NAME_CHARS - 10)}.${/^[a-z0-9]{1,8}$/.test(ending) ? ending : "bin"}`;
}
