// The steps of a turn as timeline entries: short, and without secrets.

import { timelineText } from "../core/copy/timeline.ts";
import { cutText } from "../core/markdown/code-points.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import type { ToolResult } from "../toolkit/run/runtime.ts";
import { redacted, redactedNote } from "./hidden-notice.ts";
import type { ModelAnswer } from "./ports.ts";

/** Describes one model call for the timeline. */
export function describeAnswer({ model, usage, calls, durationMs }: ModelAnswer): string {
  return timelineText.modelAnswered({ model, usage, durationMs, calls: calls.length });
}

const SHOWN_ARGUMENT_CHARS = 60;
/** A timeline must fit into one message, and most calls have no notes at all. */
const SHOWN_NOTE_CHARS = 120;

/** Describes one tool call for the timeline: its arguments, shortened and without secrets, and the notes about them. */
export function describeCall({ name, arguments: text }: ToolCall, { status, meta, warnings = [] }: ToolResult): string {
  const shown = shortened(redacted(text), SHOWN_ARGUMENT_CHARS);
  const notes = warnings.length > 0 ? `; ${shortened(warnings.map(redactedNote).join("; "), SHOWN_NOTE_CHARS)}` : "";
  return timelineText.call(name, shown, status) + (meta ? timelineText.callCost(meta) : "") + notes;
}

const shortened = (text: string, chars: number): string => (text.length > chars ? `${cutText(text, chars)}…` : text);
