// What the model reads of a call's result, as the content of its `tool` message.
import type { ToolResult } from "./runtime.ts";

/** JSON text: the data of a success, or a failure that names its reason and the tool. */
export function toolMessageText(name: string, result: ToolResult): string {
  if (result.ok) return JSON.stringify(result.data ?? { status: "completed" });
  const data = result.data === undefined ? {} : { data: result.data };
  return JSON.stringify({
    status: "tool_execution_failed",
    reason: result.error ?? result.status,
    tool_name: name,
    ...data,
  });
}
