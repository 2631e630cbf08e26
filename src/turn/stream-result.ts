// What one model call said and how it ended. Types only.
import type { ModelFailure } from "../core/state/ending.ts";
import type { MadeFile } from "../core/state/reply-files.ts";
import type { NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import type { FinishReason, TokenUsage, TurnAbort } from "./ports.ts";

/** What a step said, however it ended. The thought log is never shown in the channel. */
export interface Heard {
  accumulatedText: string;
  detailsContent: string;
  thoughtLog: string;
  /** The model has begun to answer, if only with a call. */
  hasBegun: boolean;
  /** The estimated tokens of output that is in none of the texts: arguments of calls, and reasoning beyond its limit. */
  unkeptTokens?: number;
  /** The rest of the answer was not read, because it was longer than one answer may be. */
  oversized?: true;
}

/** What a complete answer has in addition to its words. */
interface Complete {
  finishReason: FinishReason;
  usage: TokenUsage | null;
  native: NativeParts | null;
  files?: readonly MadeFile[];
}

/** How the step ended. `stopReason` is set when the turn was stopped, and names the cause. */
export type StreamResult = Heard &
  (
    | ({ status: "completed" } & Complete)
    | ({ status: "function_call"; data: ToolCall[] } & Complete)
    | ({ status: "empty_response" } & Pick<Complete, "finishReason" | "usage">)
    | { status: "error"; data: ModelFailure; usage?: TokenUsage }
    | { status: "timeout"; data: ModelFailure; stopReason?: TurnAbort }
    | { status: "stopped_by_user" | "follow_up_interrupt"; stopReason: TurnAbort }
  );
