// Builds the tool events that go to the thought log and not to the channel. Data only: where they are posted, and who may read them, is
// decided elsewhere.
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { failureReason } from "./function-response.ts";
import type { TriggerMatch } from "./ports.ts";

/** One hidden notice. `arguments` is JSON text without values that look like secrets. */
export type HiddenNotice =
  | ({ kind: "tool_triggered"; tool: string } & TriggerMatch)
  | { kind: "tool_failed"; tool: string; reason: string; arguments: string; data?: unknown };

/** These calls were answered before the tool ran, for reasons unrelated to it. */
const NEVER_LAUNCHED: ReadonlySet<ToolResult["status"]> = new Set(["blocked", "truncated_input"]);

/** Builds the notices for one call. */
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

/** Returns JSON text without the values whose names mark them as secret. Meant for arguments, which may be missing or encoded twice. */
export function redacted(text: string): string {
  if (text.trim() === "") return "{}";
  try {
    const json: unknown = JSON.parse(text) ?? {};
    if (typeof json === "string") return redacted(json);
    return JSON.stringify(json, (name, value: unknown) => (SECRET_NAME.test(name) ? "[redacted]" : value));
  } catch {
    // Text that is not JSON can't be separated into names and values.
    return "[not JSON]";
  }
}

/** Returns a note about an argument, `name: took "value" for type`, without the value if the name marks it as secret. */
export function redactedNote(note: string): string {
  const [name = "", taken = ""] = note.split(": took ", 2);
  return taken !== "" && SECRET_NAME.test(name) ? `${name}: [redacted]` : note;
}
