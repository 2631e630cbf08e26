// Marks results that contain words of strangers: cleans them, and adds the turn's fence. The mark is stored in the row that is written
// anyway.
import { cleanUntrusted, cleanUntrustedJson, createFence } from "../../core/taint/untrusted-text.ts";
import type { Tool } from "../define/tool.ts";
import type { ToolResult, ToolStatus } from "../tool-result.ts";
import type { CheckedCall } from "./runtime-ports.ts";

/** Results in which the tool itself speaks. All others are the runtime's words. */
const SPOKEN: ReadonlySet<ToolStatus> = new Set(["ok", "error", "invalid_result"]);

/**
 * Marks a result of a call. `whole`: returns the data as the tool gave them, because the tool's own function decides by them and the result may
 * contain only their beginning. Null: the result is from the cache and was marked before.
 */
type Mark = (
  call: Pick<CheckedCall, "tool" | "input" | "context">,
  result: ToolResult,
  whole: (() => unknown) | null,
) => ToolResult;

/**
 * Creates the function that marks the results of one turn. Outside a turn no model reads them, so they stay unmarked. `random`: uniform in [0,
 * 1).
 */
export function createUntrustedMark(random: () => number): Mark {
  let fence: string | null = null;
  return ({ tool, input, context }, result, whole) => {
    if (!context.taint || !isUntrusted(tool, result, whole)) return result;
    // The tool refused the call before it read anything.
    if (!result.ok && tool.objection?.(input, context)) return result;
    fence ??= createFence(random);
    const { data, error, message, warnings, files } = result;
    return {
      ...result,
      ...(data === undefined ? {} : { data: cleanUntrustedJson(data) }),
      ...(error === undefined ? {} : { error: cleanUntrusted(error) }),
      ...(message === undefined ? {} : { message: cleanUntrusted(message) }),
      ...(warnings === undefined ? {} : { warnings: warnings.map(cleanUntrusted) }),
      ...(files === undefined ? {} : { files: files.map((file) => ({ ...file, name: cleanUntrusted(file.name) })) }),
      untrusted: fence,
    };
  };
}

function isUntrusted({ untrusted }: Tool, result: ToolResult, whole: Parameters<Mark>[2]): boolean {
  if (!SPOKEN.has(result.status)) return false;
  if (typeof untrusted !== "function") return untrusted === true;
  return whole ? result.ok && untrusted(whole()) : result.untrusted !== undefined;
}
