// Calls that a model writes into its text. In native mode they are leaks: not shown, not run. In fallback mode they are its only
// way to call, and what of a reply is one is decided when the reply is complete.
import type { ToolCall } from "../core/transcript/transcript.ts";
import { callIdFrom } from "../toolkit/intake/call.ts";
import { parseFallbackReply } from "../toolkit/text-calls/fallback-parser.ts";
import { createLeakFilter } from "../toolkit/text-calls/leaks.ts";
import type { ToolMode } from "./ports.ts";

/** A reply's visible text on its way to people. */
export interface TextToolCalls {
  /** False for a model that has no tools at all: what its server makes of its words is no call either. */
  mayCall: boolean;
  /** The next piece; what of the text so far may be shown now. */
  push(piece: string): string;
  /** The rest, at the reply's end. */
  end(): string;
  /** The calls of the complete reply and its words without them; null when it is words alone. */
  calls(): { text: string; calls: ToolCall[] } | null;
}

/** Listens to one reply. `names`: the tools that exist, offered or not; `round`: how many answers stand before this one. */
export function listenForCalls(mode: ToolMode, names: readonly string[], round: number): TextToolCalls {
  const filter = createLeakFilter(names, mode === "fallback" ? "on_any_line" : "at_start");
  let whole = "";
  return {
    mayCall: mode !== "none",
    push(piece) {
      if (mode === "fallback") whole += piece;
      return filter.push(piece);
    },
    end: () => filter.end(),
    calls() {
      const { text, calls } = parseFallbackReply(whole);
      if (calls.length === 0) return null;
      const read = calls.map(
        ({ name, arguments: args, reasoning }, index): ToolCall => ({
          id: callIdFrom(null, name, round, index),
          name,
          arguments: args,
          ...(reasoning === null ? {} : { reasoning }),
        }),
      );
      return { text, calls: read };
    },
  };
}
