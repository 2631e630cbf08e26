// Turns a tool's answer into a result: reads it in either of two dialects, copies, limits and scrubs it. Any JSON value is a valid
// answer; only a broken envelope is refused.

import type { Tool } from "../define/tool.ts";
import { isJsonObject } from "../read-json.ts";
import { MAX_THROWN_CHARS, refused, type ToolResult, wholeErrorMessage } from "../tool-result.ts";
import { jsonCopy } from "./json-copy.ts";
import { separateFiles } from "./result-files.ts";
import type { Scrubber } from "./scrub.ts";

const MAX_RESULT_CHARS = 20_000;
/** The envelope's own fields, which are not data. */
const ENVELOPE = new Set([
  "ok",
  "success",
  "data",
  "output",
  "error",
  "message",
  "endTurn",
  "imageMetadata",
  "retryable",
  "retryAfterMs",
  "isFault",
]);

/** Reads a tool's answer. Never throws: a getter that throws makes the result invalid. */
export function readToolAnswer(answer: unknown, tool: Pick<Tool, "maxResultChars">, scrub: Scrubber): ToolResult {
  try {
    const { files, more, rest } = separateFiles(answer, scrub);
    const result = read(rest, tool.maxResultChars ?? MAX_RESULT_CHARS, scrub);
    if (!result.ok || files.length === 0) return result;
    const warnings = [...(result.warnings ?? []), `${more} more files were left out`];
    return { ...result, files, ...(more > 0 && { warnings }) };
  } catch (error) {
    return refused("invalid_result", `the tool's answer can't be read: ${thrownText(error, scrub)}`);
  }
}

/** Returns the result of a tool that threw. */
export const thrownResult = (error: unknown, scrub: Scrubber): ToolResult => refused("error", thrownText(error, scrub));

const thrownText = (error: unknown, scrub: Scrubber): string => cut(wholeErrorMessage(error), MAX_THROWN_CHARS, scrub);

function read(answer: unknown, maxChars: number, scrub: Scrubber): ToolResult {
  if (answer === undefined || answer === null)
    return { ok: true, status: "ok", data: null, warnings: ["the tool returned nothing"] };
  const copied = jsonCopy(answer);
  if (!copied.ok) return refused("invalid_result", `the tool returned ${copied.found}, which JSON can't represent`);
  const { value } = copied;
  if (!isJsonObject(value) || !("ok" in value || "success" in value || "error" in value))
    return { ok: true, status: "ok", data: bounded(value, maxChars, scrub) };
  return readEnvelope(value, maxChars, scrub);
}

/** Reads `{ok, data, error}` or `{success, output, error}`, or a mixture. If there is no data field, all other fields are the data. */
function readEnvelope(value: Record<string, unknown>, maxChars: number, scrub: Scrubber): ToolResult {
  const { message, endTurn, imageMetadata } = value;
  // Many answers always have this field, and leave it empty on success.
  const error = value.error === "" ? null : (value.error ?? null);
  const ok = value.ok ?? value.success ?? error === null;
  if (typeof ok !== "boolean")
    return refused("invalid_result", "the tool returned an ok that is neither true nor false");
  if (error !== null && typeof error !== "string")
    return refused("invalid_result", "the tool returned an error that is not text");
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !ENVELOPE.has(name)));
  const hasRest = Object.keys(rest).length > 0;
  const data = value.data ?? value.output ?? (hasRest ? rest : undefined);
  const isBeside = hasRest && data !== rest;
  return {
    ok,
    status: ok ? "ok" : "error",
    ...(data === undefined ? nothing(value) : { data: bounded(data, maxChars, scrub) }),
    ...(ok ? {} : { error: cut(error ?? "the tool failed without saying why", maxChars, scrub) }),
    ...(typeof message === "string" ? { message: cut(message, maxChars, scrub) } : {}),
    ...(endTurn === true ? { endTurn } : {}),
    ...(imageMetadata === undefined ? {} : { imageMetadata: bounded(imageMetadata, maxChars, scrub) }),
    ...(isBeside
      ? { warnings: [`ignored next to the data: ${cut(Object.keys(rest).join(", "), maxChars, scrub)}`] }
      : {}),
  };
}

/** Keeps an explicit null; a field that is absent stays absent. */
const nothing = (value: Record<string, unknown>) => ("data" in value || "output" in value ? { data: null } : {});

function bounded(value: unknown, maxChars: number, scrub: Scrubber): unknown {
  const { length } = JSON.stringify(value) ?? "null";
  if (length <= maxChars) return scrub.value(value);
  const json = JSON.stringify(scrub.value(value, maxChars));
  return { cut: `${length - maxChars} characters were cut`, text: json.slice(0, maxChars).toWellFormed() };
}

/** Returns the beginning of a text, at most `maxChars`, without secrets and without half of one at its end. */
export const cut = (text: string, maxChars: number, scrub: Pick<Scrubber, "text">): string =>
  scrub.text(text, maxChars).slice(0, maxChars).toWellFormed();
