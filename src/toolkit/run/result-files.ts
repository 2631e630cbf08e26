// Takes the files out of a tool's answer before the rest is copied as JSON, because JSON can't contain bytes.

import { MAX_NAMED_FILES, type MadeFile, readFileName, readFileType } from "../../core/state/reply-files.ts";
import { isJsonObject } from "../read-json.ts";
import type { ResultFile, ToolResult } from "../tool-result.ts";
import type { Scrubber } from "./scrub.ts";

/**
 * Returns the files of an answer, with names that Discord keeps, and the answer without them. Empty files are dropped, because Discord refuses
 * them. `more`: how many files there are beyond those that are named.
 */
export function separateFiles(
  answer: unknown,
  scrub: Pick<Scrubber, "text">,
): { files: ResultFile[]; more: number; rest: unknown } {
  if (!isJsonObject(answer) || !hasFiles(answer)) return { files: [], more: 0, rest: answer };
  const { files, ...rest } = answer;
  const full = files.filter(({ data }) => data.byteLength > 0);
  const named = full.slice(0, MAX_NAMED_FILES).map(({ name, type, data }): ResultFile => {
    const known = readFileType(type);
    return { name: readFileName(scrub.text(name), known), type: known, bytes: data.byteLength, data };
  });
  return { files: named, more: full.length - named.length, rest };
}

/** Whether the answer has files. A list `files` of another form is data like any other. */
function hasFiles(answer: Record<string, unknown>): answer is { files: MadeFile[] } {
  return Array.isArray(answer.files) && answer.files.length > 0 && answer.files.every(isFile);
}

const isFile = (one: unknown): one is MadeFile =>
  isJsonObject(one) && typeof one.name === "string" && typeof one.type === "string" && one.data instanceof Uint8Array;

/** Returns the result as another call gets it: files are attached only once. */
export const withoutBytes = (result: ToolResult): ToolResult =>
  result.files ? { ...result, files: result.files.map(({ data: _, ...note }) => note) } : result;
