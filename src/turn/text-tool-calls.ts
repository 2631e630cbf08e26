// Finds tool calls that a model writes into its text. In native mode they are leaks: neither shown nor run. In fallback mode they are the
// model's only way to call tools, and are parsed when the answer is complete.
import type { ToolCall } from "../core/transcript/transcript.ts";
import { callIdFrom } from "../toolkit/intake/call-id.ts";
import { parseFallbackReply } from "../toolkit/text-calls/fallback-parser.ts";
import { createLeakFilter } from "../toolkit/text-calls/leaks.ts";
import type { ToolMode } from "./ports.ts";

/** Filters an answer's text before people see it. */
export interface TextToolCalls {
  /** False for a model without tools: calls that its server reports are ignored too. */
  mayCall: boolean;
  /** Takes the next piece; returns the text that may be shown now. */
  push(piece: string): string;
  /** Returns the rest, at the end of the answer. */
  end(): string;
  /** Returns the calls of the complete answer, and its text without them; null when there are none. */
  calls(): { text: string; calls: ToolCall[] } | null;
}

/** Creates the filter of one answer. `names`: the tools that exist, offered or not; `round`: the number of earlier answers. */
export function listenForCalls(mode: ToolMode, names: readonly string[], round: number): TextToolCalls {
  const filter = createLeakFilter(names, mode === "fallback" ? "on_any_line" : "at_start");
  let whole = "";
  /** Only the last block is called, but calls before it are not meant for people either. */
  const withoutOthers = (text: string) => {
    const others = createLeakFilter(names, "on_any_line");
    const shown = others.push(text) + others.end();
    return others.hasLeaked() ? shown.trim() : shown;
  };
  return {
    mayCall: mode !== "none",
    push(piece) {
      if (mode === "fallback") whole += piece;
      return filter.push(piece);
    },
    end: () => filter.end(),
    calls() {
      const { text, calls } = parseFallbackReply(whole, names);
      if (calls.length === 0) return null;
      const read = calls.map(
        ({ name, arguments: args, reasoning }, index): ToolCall => ({
          id: callIdFrom(null, name, round, index),
          name,
          arguments: args,
          ...(reasoning !== null && { reasoning }),
        }),
      );
      return { text: withoutOthers(text), calls: read };
    },
  };
}
