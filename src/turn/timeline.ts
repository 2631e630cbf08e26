// The steps of a turn in the words of its timeline: short, and without secrets.
import { timelineText } from "../core/copy/timeline.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { redacted } from "./hidden-notice.ts";
import type { ModelAnswer } from "./ports.ts";

/** One model call in the words of the timeline. */
export function describeAnswer({ model, usage, calls, durationMs }: ModelAnswer): string {
  return timelineText.modelAnswered({ model, usage, durationMs, calls: calls.length });
}

const SHOWN_ARGUMENT_CHARS = 60;

/** One tool call in the words of the timeline: its arguments without secrets, shortened. */
export function describeCall({ name, arguments: text }: ToolCall, { status, meta }: ToolResult): string {
  const shown = redacted(text);
  const cut = shown.length > SHOWN_ARGUMENT_CHARS ? `${shown.slice(0, SHOWN_ARGUMENT_CHARS)}…` : shown;
  return timelineText.call(name, cut, status) + (meta ? timelineText.callCost(meta) : "");
}
