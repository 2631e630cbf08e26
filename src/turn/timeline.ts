// The steps of a turn as timeline entries: short, and without secrets.
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { redacted } from "./hidden-notice.ts";
import type { ModelAnswer } from "./ports.ts";

/** Describes one model call for the timeline. */
export function describeAnswer({ model, usage, calls, durationMs }: ModelAnswer): string {
  const tokens = usage ? `, ${usage.isEstimate ? "about " : ""}${usage.inputTokens}+${usage.outputTokens} tokens` : "";
  return `${model}${tokens}, ${durationMs} ms${calls.length > 0 ? `, ${calls.length} calls` : ""}`;
}

const SHOWN_ARGUMENT_CHARS = 60;

/** Describes one tool call for the timeline: its arguments without secrets, shortened. */
export function describeCall({ name, arguments: text }: ToolCall, { status, meta }: ToolResult): string {
  const shown = redacted(text);
  const cut = shown.length > SHOWN_ARGUMENT_CHARS ? `${shown.slice(0, SHOWN_ARGUMENT_CHARS)}…` : shown;
  if (!meta) return `${name} ${cut}: ${status}`;
  const tries = meta.attempts > 1 ? `, ${meta.attempts} tries` : "";
  return `${name} ${cut}: ${status}, ${meta.cached ? "from the cache" : `${meta.durationMs} ms`}${tries}`;
}
