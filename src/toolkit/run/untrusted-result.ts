// Marks results that have words of strangers: cleaned, and with the turn's fence, in the row that is written anyway.
import { cleanUntrusted, cleanUntrustedJson, createFence } from "../../core/taint/untrusted-text.ts";
import type { Tool } from "../define/tool.ts";
import type { ToolResult, ToolStatus } from "../tool-result.ts";
import type { CheckedCall } from "./runtime-ports.ts";

/** Results in which a tool itself speaks. All others are the runtime's words. */
const SPOKEN: ReadonlySet<ToolStatus> = new Set(["ok", "error", "invalid_result"]);

/** Marks a result of a call. */
type Mark = (call: Pick<CheckedCall, "tool" | "context">, result: ToolResult) => ToolResult;

/** Makes the function that marks the results of one turn; outside a turn no model reads them. `random`: uniform in [0, 1). */
export function createUntrustedMark(random: () => number): Mark {
  let fence: string | null = null;
  return ({ tool, context }, result) => {
    if (!context.taint || !isUntrusted(tool, result)) return result;
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

function isUntrusted({ untrusted }: Tool, { ok, status, data }: ToolResult): boolean {
  if (!SPOKEN.has(status)) return false;
  return typeof untrusted === "function" ? ok && untrusted(data) : untrusted === true;
}
