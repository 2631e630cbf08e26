// Handles what compatible servers add to an answer and want back unchanged: reasoning, reasoning items, and signatures on calls (without
// them some models refuse to continue after a tool). These parts are opaque: collected, stored, replayed to the same model. A stream
// brings one item in thousands of pieces, which are joined; otherwise each would be sent back as a separate item.
import { MAX_NATIVE_BYTES } from "../core/limits.ts";
import type { NativeParts } from "../core/transcript/transcript.ts";
import { byteLength, isLongerThan } from "../core/transcript/utf8.ts";
import { type Fields, readFields } from "./json-fields.ts";
import type { Said } from "./read-delta.ts";

/** Collects the parts of one streamed answer. */
export interface NativePartsCollector {
  take(delta: Fields, said: Said): void;
  /** Returns the parts, including what belongs to the calls, by their ids. Null if the server added nothing, or more than is stored. */
  parts(ofCalls: Record<string, unknown>): NativeParts | null;
}

/**
 * The parts as they are stored. `from`: the model that gave them, since no other model understands them; missing in rows of older programs.
 * `extra` belongs to the whole message (Gemini).
 */
interface StoredParts {
  details?: unknown[];
  /** Anthropic's thoughts with their signatures (LiteLLM). */
  blocks?: unknown[];
  ofCalls?: Record<string, unknown>;
  from?: string;
  reasoning?: { field: string; text: string };
  extra?: unknown;
}

/** Creates the collector for one answer of this model. */
export function createNativeParts(from: string): NativePartsCollector {
  const details: unknown[] = [];
  const blocks: unknown[] = [];
  let extra: unknown;
  let field: string | null = null;
  let reasoning = "";
  let bytes = 0;
  const isTooMuch = (more: unknown) => {
    // Counts each piece's own frame too. Its limit ends the collecting of what could never be stored.
    bytes += byteLength(JSON.stringify(more));
    return bytes > MAX_COLLECTED_BYTES;
  };
  return {
    take({ reasoning_details, thinking_blocks, extra_content }, said) {
      const add = (list: unknown[], more: unknown) => {
        if (Array.isArray(more) && more.length > 0 && !isTooMuch(more)) for (const piece of more) addPiece(list, piece);
      };
      add(details, reasoning_details);
      add(blocks, thinking_blocks);
      if (extra_content !== undefined && !isTooMuch(extra_content))
        extra = { ...readFields(extra), ...readFields(extra_content) };
      field ??= said.field;
      if (said.field !== null && reasoning.length <= MAX_NATIVE_BYTES) reasoning += said.reasoning;
    },
    parts(ofCalls) {
      if (bytes > MAX_COLLECTED_BYTES) return null;
      // Blocks without a signature, from other models, are only a copy of the reasoning.
      const signed = blocks.filter((block) => isItem(block) && (block.signature || block.data));
      const rest = { details, ofCalls, from, extra, ...(signed.length > 0 && { blocks: signed }) };
      const hasRest = details.length + signed.length + Object.keys(ofCalls).length > 0 || extra !== undefined;
      // A field `reasoning` only repeats the details.
      const hasText = field !== null && !(field === "reasoning" && details.length > 0);
      // If the reasoning is too long to store, signatures are still worth storing.
      const forms = [
        ...(hasText ? [{ ...rest, reasoning: { field, text: reasoning } }] : []),
        ...(hasRest ? [rest] : []),
      ];
      return forms.find((parts) => !isLongerThan(JSON.stringify(parts), MAX_NATIVE_BYTES)) ?? null;
    },
  };
}

/** A piece's frame is about a hundred bytes long, while its text may be one token. */
const MAX_COLLECTED_BYTES = 64 * MAX_NATIVE_BYTES;
/** The fields that a stream continues. All others are sent only once. */
const CONTINUED = ["text", "summary", "thinking"];

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

/** Whether this is another piece of the same item. Encrypted data comes whole. */
function continues(last: Item, piece: Item): boolean {
  const isSame = (name: string) => last[name] === piece[name];
  const hasOtherId = last.id != null && piece.id != null && !isSame("id");
  return isSame("type") && isSame("index") && !hasOtherId && !("data" in last) && !("data" in piece);
}

const isItem = (value: unknown): value is Item => readFields(value) !== null;

/** An assistant's message in a request. */
export interface AssistantMessage {
  role: "assistant";
  content: string | null | readonly object[];
  tool_calls?: readonly {
    id: string;
    type: "function";
    function: { name: string; arguments: string };
    extra_content?: unknown;
  }[];
}

/** Returns the field in which this model's reasoning came with an answer; null if there was none, or if another model gave it. */
export function reasoningField(native: NativeParts | undefined, model: string): string | null {
  const { reasoning, from } = (native ?? {}) as StoredParts;
  return from === model ? (reasoning?.field ?? null) : null;
}

/** Returns the message with the parts where its server put them; without them if another model gave them. */
export function withNativeParts(message: AssistantMessage, native: NativeParts | undefined, model: string): object {
  const { details, blocks, ofCalls, from = model, reasoning, extra } = (native ?? {}) as StoredParts;
  if (from !== model) return message;
  const calls = message.tool_calls?.map((call, position) => {
    // A signature that came outside the calls belongs to the first call.
    const own = ofCalls?.[call.id] ?? (position === 0 && Object.keys(ofCalls ?? {}).length === 0 ? extra : undefined);
    return own === undefined ? call : { ...call, extra_content: own };
  });
  return {
    ...message,
    ...(calls && { tool_calls: calls }),
    ...(details && details.length > 0 && { reasoning_details: details }),
    ...(blocks && { thinking_blocks: blocks }),
    ...(extra !== undefined && { extra_content: extra }),
    ...(reasoning ? withReasoning(message, reasoning) : {}),
  };
}

/** Google's own placeholder for a missing signature. The first call of an answer has the signature for all. */
const UNSIGNED = { google: { thought_signature: "skip_thought_signature_validator" } };

/** Returns the answer with a signature on at least one of its calls. */
export function withSignature(message: AssistantMessage): AssistantMessage {
  const [first, ...others] = message.tool_calls ?? [];
  if (!first || message.tool_calls?.some((call) => "extra_content" in call)) return message;
  return { ...message, tool_calls: [{ ...first, extra_content: UNSIGNED }, ...others] };
}

function withReasoning({ content }: AssistantMessage, { field, text }: { field: string; text: string }): object {
  if (field !== "thinking") return { [field]: text };
  const said = typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
  return { content: [{ type: "thinking", thinking: [{ type: "text", text }] }, ...said] };
}
