// What the thought log is told of a turn's tools and the channel is not. Data only: who may read it, and where, is decided where
// it is posted.
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { failureReason } from "./function-response.ts";
import type { TriggerMatch } from "./ports.ts";

/** One hidden notice. `arguments` is JSON text without values that look like secrets. */
export type HiddenNotice =
  | ({ kind: "tool_triggered"; tool: string } & TriggerMatch)
  | { kind: "tool_failed"; tool: string; reason: string; arguments: string; data?: unknown };

/** Answered before the tool was reached, for reasons that have nothing to do with it. */
const NEVER_LAUNCHED: ReadonlySet<ToolResult["status"]> = new Set(["blocked", "truncated_input"]);

/** The notices that one call gives rise to. */
export function buildNotices(
  { name, arguments: text }: ToolCall,
  result: ToolResult,
  trigger?: TriggerMatch,
): HiddenNotice[] {
  const isUsed = !NEVER_LAUNCHED.has(result.status);
  const triggered: HiddenNotice[] = trigger && isUsed ? [{ kind: "tool_triggered", tool: name, ...trigger }] : [];
  if (result.ok) return triggered;
  const data = result.data === undefined ? {} : { data: result.data };
  const failed = {
    kind: "tool_failed",
    tool: name,
    reason: failureReason(result),
    arguments: redacted(text),
    ...data,
  } as const;
  return [...triggered, failed];
}

const SECRET_NAME = /token|secret|passw|api[-_]?key|authori[sz]ation|credential|cookie/i;

/** JSON text without the values whose names say that they are secret. */
export function redacted(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    return JSON.stringify(json, (name, value: unknown) => (SECRET_NAME.test(name) ? "[redacted]" : value));
  } catch {
    // What is no JSON can't be told apart into names and values.
    return "[not JSON]";
  }
}
