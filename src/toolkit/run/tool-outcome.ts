// Turns a tool's answer into a result: reads it in either of two dialects, copies, limits and scrubs it. Any JSON value is a
// valid answer; only a broken envelope is refused.

import type { Tool } from "../define/tool.ts";
import { isJsonObject } from "../read-json.ts";
import { errorMessage, refused, type ToolResult } from "../tool-result.ts";
import { jsonCopy } from "./json-copy.ts";
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
]);

/** Reads a tool's answer. Never throws: a getter that throws makes the result invalid. */
export function readToolAnswer(answer: unknown, tool: Pick<Tool, "maxResultChars">, scrub: Scrubber): ToolResult {
  try {
    return read(answer, tool.maxResultChars ?? MAX_RESULT_CHARS, scrub);
  } catch (error) {
    return refused("invalid_result", scrub.text(`the tool answered what can't be read: ${errorMessage(error)}`));
  }
}

/** The result of a tool that threw. */
export const thrownResult = (error: unknown, scrub: Scrubber): ToolResult =>
  refused("error", scrub.text(errorMessage(error)));

function read(answer: unknown, maxChars: number, scrub: Scrubber): ToolResult {
  if (answer === undefined || answer === null)
    return { ok: true, status: "ok", data: null, warnings: ["the tool answered nothing"] };
  const copied = jsonCopy(answer);
  if (!copied.ok) return refused("invalid_result", `the tool answered ${copied.found}, which JSON can't hold`);
  const value = scrub.value(copied.value);
  if (!isJsonObject(value) || !("ok" in value || "success" in value || "error" in value))
    return { ok: true, status: "ok", data: bounded(value, maxChars) };
  return readEnvelope(value, maxChars);
}

/** Reads `{ok, data, error}`, `{success, output, error}` or a mixture. Other fields are the data if there is no data field. */
function readEnvelope(value: Record<string, unknown>, maxChars: number): ToolResult {
  const { error = null, message, endTurn, imageMetadata } = value;
  const ok = value.ok ?? value.success ?? error === null;
  if (typeof ok !== "boolean")
    return refused("invalid_result", "the tool answered an ok that is neither true nor false");
  if (error !== null && typeof error !== "string")
    return refused("invalid_result", "the tool answered an error that is no text");
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !ENVELOPE.has(name)));
  const hasRest = Object.keys(rest).length > 0;
  const data = value.data ?? value.output ?? (hasRest ? rest : undefined);
  const isBeside = hasRest && data !== rest;
  return {
    ok,
    status: ok ? "ok" : "error",
    ...(data === undefined ? nothing(value) : { data: bounded(data, maxChars) }),
    ...(ok ? {} : { error: (error ?? "the tool failed without saying why").slice(0, maxChars).toWellFormed() }),
    ...(typeof message === "string" ? { message: message.slice(0, maxChars).toWellFormed() } : {}),
    ...(endTurn === true ? { endTurn } : {}),
    ...(imageMetadata === undefined ? {} : { imageMetadata: bounded(imageMetadata, maxChars) }),
    ...(isBeside ? { warnings: [`ignored beside the data: ${Object.keys(rest).join(", ")}`] } : {}),
  };
}

/** An explicit null stays; a field that is absent is left out. */
const nothing = (value: Record<string, unknown>) => ("data" in value || "output" in value ? { data: null } : {});

function bounded(value: unknown, maxChars: number): unknown {
  const json = JSON.stringify(value) ?? "null";
  if (json.length <= maxChars) return value;
  return { cut: `${json.length - maxChars} characters were cut`, text: json.slice(0, maxChars).toWellFormed() };
}
