// Limits the size of one answer. Whatever is too large is cut as the answer arrives, so that no later step has to refuse to store or send
// it.
import { CALL_FRAME_BYTES, MAX_ANSWER_BYTES, MAX_CALLS_PER_ANSWER, MAX_REASONING_BYTES } from "../core/limits.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import { byteLength, cutToBytes, isLongerThan } from "../core/transcript/utf8.ts";
import { MAX_ARGUMENT_BYTES } from "../toolkit/read-json.ts";

const MAX_NAME_CHARS = 128;

/** The space left in one answer and in its reasoning. */
export interface AnswerRoom {
  /** Takes a piece of text; returns the part that fits. */
  text(piece: string): string;
  isFull(): boolean;
  /** Takes a piece of reasoning; returns the part that is kept, and the estimated tokens of the rest. */
  thought(piece: string): { kept: string; unkeptTokens: number };
  /** Takes the answer's calls; returns those that fit, without arguments that are too long or won't be used. */
  calls(calls: readonly ToolCall[]): ToolCall[];
}

/** Creates the room of one answer. */
export function createAnswerRoom(): AnswerRoom {
  let left = MAX_ANSWER_BYTES;
  let isFull = false;
  let thoughtsLeft = MAX_REASONING_BYTES;
  return {
    text(piece) {
      const fits = cutToBytes(piece, left);
      left -= byteLength(fits);
      isFull ||= fits.length < piece.length;
      return fits;
    },
    isFull: () => isFull,
    thought(piece) {
      const kept = cutToBytes(piece, thoughtsLeft);
      // Once a piece has been cut, a shorter one after it must not fill the space: the text would have a gap.
      thoughtsLeft = kept.length < piece.length ? 0 : thoughtsLeft - byteLength(kept);
      return { kept, unkeptTokens: estimateTokens(piece.slice(kept.length)) };
    },
    calls(calls) {
      const fitting: ToolCall[] = [];
      for (const [position, call] of calls.entries()) {
        if (left <= 0) break;
        const limited = limitCall(call, position);
        left -= CALL_FRAME_BYTES + byteLength(limited.id) + byteLength(limited.name) + byteLength(limited.arguments);
        fitting.push(left < 0 ? withoutArguments(limited) : limited);
      }
      return fitting;
    },
  };
}

function limitCall(call: ToolCall, position: number): ToolCall {
  const named = { ...call, name: call.name.slice(0, MAX_NAME_CHARS) };
  // The call will be refused whatever its arguments.
  if (position >= MAX_CALLS_PER_ANSWER) return { ...named, arguments: "{}" };
  return isLongerThan(named.arguments, MAX_ARGUMENT_BYTES) ? withoutArguments(named) : named;
}

const withoutArguments = (call: ToolCall): ToolCall => ({ ...call, arguments: "{}", truncated: true });
