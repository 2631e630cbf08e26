// What compatible servers add to an answer and want back unchanged: reasoning items of the message, and signatures on its
// calls (without them some models refuse to continue after a tool). Opaque: collected, kept, replayed.
import type { ChatCompletionAssistantMessageParam } from "openai/resources/chat/completions";
import type { NativeParts } from "../core/transcript/transcript.ts";

/** Collects the parts of one streamed answer. */
export interface NativePartsCollector {
  take(delta: object | undefined): void;
  /** Null when the server added nothing. */
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
  return {
    take(delta) {
      const { reasoning_details, tool_calls = [] } = (delta ?? {}) as DeltaExtras;
      if (Array.isArray(reasoning_details)) details.push(...reasoning_details);
      for (const { id, extra_content } of tool_calls ?? [])
        if (id !== undefined && extra_content !== undefined) ofCalls[id] = extra_content;
    },
    parts() {
      if (details.length === 0 && Object.keys(ofCalls).length === 0) return null;
      return { details, ofCalls };
    },
  };
}

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
