// A call's result in the shape for the model and the history.
import type { ToolResult } from "../toolkit/run/runtime.ts";

/** The answer to one function call. */
export interface FunctionResponse {
  name: string;
  response: { result: unknown };
}

/** Success: the tool's data. Blocked by the gate: the gate's payload. Other failures: the reason and the tool's name. */
export function buildFunctionResponse(name: string, result: ToolResult): FunctionResponse {
  return { name, response: { result: buildResponseResult(name, result) } };
}

/** The content of the `tool` message: JSON text. */
export const toolMessageText = (name: string, result: ToolResult): string =>
  JSON.stringify(buildResponseResult(name, result));

function buildResponseResult(name: string, result: ToolResult): unknown {
  const { ok, status, data, issues } = result;
  if (ok) return data ?? { status: "completed" };
  if (status === "blocked" && data !== undefined) return data;
  return {
    status: "tool_execution_failed",
    reason: failureReason(result),
    tool_name: name,
    ...(data === undefined ? {} : { data }),
    ...(issues === undefined ? {} : { issues }),
  };
}

/** Why a call failed: the message written for the reader if there is one, else the error that was thrown. */
export const failureReason = ({ message, error, status }: ToolResult): string => message ?? error ?? status;
