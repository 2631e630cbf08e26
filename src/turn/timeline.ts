// The steps of a turn as timeline entries: short, and without secrets.

import { timelineText } from "../core/copy/timeline.ts";
import { cutText } from "../core/markdown/code-points.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { redacted } from "./hidden-notice.ts";
import type { ModelAnswer } from "./ports.ts";

/** Describes one model call for the timeline. */
export function describeAnswer({ model, usage, calls, durationMs }: ModelAnswer): string {
  return timelineText.modelAnswered({ model, usage, durationMs, calls: calls.length });
}

const SHOWN_ARGUMENT_CHARS = 60;

/** Describes one tool call for the timeline: its arguments without secrets, shortened. */
export function describeCall({ name, arguments: text }: ToolCall, { status, meta }: ToolResult): string {
  const shown = redacted(text);
  const cut = shown.length > SHOWN_ARGUMENT_CHARS ? `${cutText(shown, SHOWN_ARGUMENT_CHARS)}…` : shown;
  return timelineText.call(name, cut, status) + (meta ? timelineText.callCost(meta) : "");
}
