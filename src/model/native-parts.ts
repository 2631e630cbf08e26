// What compatible servers add to an answer and want back unchanged: reasoning items of the message, and signatures on its
// calls (without them some models refuse to continue after a tool). Opaque: collected, kept, replayed. A stream brings an
// item in thousands of pieces, which are joined; without that each would be sent back as an item of its own.
import type { ChatCompletionAssistantMessageParam } from "openai/resources/chat/completions";
import { MAX_NATIVE_BYTES } from "../core/limits.ts";
import type { NativeParts } from "../core/transcript/transcript.ts";
import { byteLength, isLongerThan } from "../core/transcript/utf8.ts";

/** Collects the parts of one streamed answer. */
export interface NativePartsCollector {
  take(delta: object | undefined): void;
  /** Null when the server added nothing, or more than is kept. */
  parts(): NativeParts | null;
}

interface DeltaExtras {
  reasoning_details?: unknown;
  tool_calls?: { id?: string; extra_content?: unknown }[];
}

/** Makes the collector of one answer. */
export function createNativeParts(): NativePartsCollector {
  const details: unknown[] = [];
  const ofCalls: Record<string, unknown> = {};
  let bytes = 0;
  const isTooMuch = (more: unknown) => {
    // Counts each piece's own frame too, so it ends the collecting of what could never be kept.
    bytes += byteLength(JSON.stringify(more));
    return bytes > MAX_COLLECTED_BYTES;
  };
  return {
    take(delta) {
      const { reasoning_details, tool_calls } = (delta ?? {}) as DeltaExtras;
      if (Array.isArray(reasoning_details) && reasoning_details.length > 0 && !isTooMuch(reasoning_details))
        for (const piece of reasoning_details) addPiece(details, piece);
      for (const { id, extra_content } of tool_calls ?? [])
        if (id !== undefined && extra_content !== undefined && !isTooMuch(extra_content)) ofCalls[id] = extra_content;
    },
    parts() {
      const isEmpty = details.length === 0 && Object.keys(ofCalls).length === 0;
      if (isEmpty || bytes > MAX_COLLECTED_BYTES) return null;
      const parts = { details, ofCalls };
      return isLongerThan(JSON.stringify(parts), MAX_NATIVE_BYTES) ? null : parts;
    },
  };
}

/** A piece's frame is some hundred bytes long, and its text may be one token. */
const MAX_COLLECTED_BYTES = 64 * MAX_NATIVE_BYTES;
/** The fields that a stream continues; all others are said once. */
const CONTINUED = ["text", "summary"];

type Item = Record<string, unknown>;

function addPiece(details: unknown[], piece: unknown): void {
  const last = details.at(-1);
  if (!isItem(last) || !isItem(piece) || !continues(last, piece)) {
    details.push(isItem(piece) ? { ...piece } : piece);
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    const isContinued = CONTINUED.includes(name) && typeof before === "string" && typeof value === "string";
    if (isContinued) last[name] = before + value;
    else if (value !== null && value !== undefined) last[name] = value;
  }
}

/** Is it another piece of the same item? Encrypted data comes whole. */
function continues(last: Item, piece: Item): boolean {
  const isSame = (name: string) => last[name] === piece[name];
  const hasOtherId = last.id != null && piece.id != null && !isSame("id");
  return isSame("type") && isSame("index") && !hasOtherId && !("data" in last) && !("data" in piece);
}

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the message with the parts where its server put them. */
export function withNativeParts(
  message: ChatCompletionAssistantMessageParam,
  native: NativeParts | undefined,
): ChatCompletionAssistantMessageParam {
  const { details, ofCalls } = (native ?? {}) as { details?: unknown[]; ofCalls?: Record<string, unknown> };
  const calls = message.tool_calls?.map((call) => {
    const extra = ofCalls?.[call.id];
    return extra === undefined ? call : { ...call, extra_content: extra };
  });
  return {
    ...message,
    ...(calls ? { tool_calls: calls } : {}),
    ...(details && details.length > 0 ? { reasoning_details: details } : {}),
  };
}
