// What compatible servers add to an answer and want back unchanged: reasoning, reasoning items, and signatures on calls (without
// them some models refuse to continue after a tool). Opaque: collected, kept, replayed to the same model. A stream brings an
// item in thousands of pieces, which are joined; without that each would be sent back as an item of its own.
import { MAX_NATIVE_BYTES } from "../core/limits.ts";
import type { NativeParts } from "../core/transcript/transcript.ts";
import { byteLength, isLongerThan } from "../core/transcript/utf8.ts";
import { type Fields, readFields } from "./json-fields.ts";
import type { Said } from "./read-delta.ts";

/** Collects the parts of one streamed answer. */
export interface NativePartsCollector {
  take(delta: Fields, said: Said): void;
  /** With what belongs to the calls, by their ids. Null when the server added nothing, or more than is kept. */
  parts(ofCalls: Record<string, unknown>): NativeParts | null;
}

/**
 * The parts as they are stored. `from`: the model that gave them, since no other understands them; rows of an older program
 * lack it. `extra` is of the whole message (Gemini).
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

/** Makes the collector of one answer by this model. */
export function createNativeParts(from: string): NativePartsCollector {
  const details: unknown[] = [];
  const blocks: unknown[] = [];
  let extra: unknown;
  let field: string | null = null;
  let reasoning = "";
  let bytes = 0;
  const isTooMuch = (more: unknown) => {
    // Counts each piece's own frame too, so it ends the collecting of what could never be kept.
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
      // Other models' are only a copy of their reasoning.
      const signed = blocks.filter((block) => isItem(block) && (block.signature || block.data));
      const rest = { details, ofCalls, from, extra, ...(signed.length > 0 && { blocks: signed }) };
      const hasRest = details.length + signed.length + Object.keys(ofCalls).length > 0 || extra !== undefined;
      // A field `reasoning` repeats what the details say.
      const hasText = field !== null && !(field === "reasoning" && details.length > 0);
      // Where the reasoning is too long to keep, signatures are still worth keeping.
      const forms = [
        ...(hasText ? [{ ...rest, reasoning: { field, text: reasoning } }] : []),
        ...(hasRest ? [rest] : []),
      ];
      return forms.find((parts) => !isLongerThan(JSON.stringify(parts), MAX_NATIVE_BYTES)) ?? null;
    },
  };
}

/** A piece's frame is some hundred bytes long, and its text may be one token. */
const MAX_COLLECTED_BYTES = 64 * MAX_NATIVE_BYTES;
/** The fields that a stream continues; all others are said once. */
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

/** Is it another piece of the same item? Encrypted data comes whole. */
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

/** The field in which this model's reasoning came with an answer; null when there was none, or another model gave it. */
export function reasoningField(native: NativeParts | undefined, model: string): string | null {
  const { reasoning, from } = (native ?? {}) as StoredParts;
  return from === model ? (reasoning?.field ?? null) : null;
}

/** Returns the message with the parts where its server put them; without them when another model gave them. */
export function withNativeParts(message: AssistantMessage, native: NativeParts | undefined, model: string): object {
  const { details, blocks, ofCalls, from = model, reasoning, extra } = (native ?? {}) as StoredParts;
  if (from !== model) return message;
  const calls = message.tool_calls?.map((call, position) => {
    // A signature that came beside its call belongs to the first one.
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

/** Google's own word where there is no signature. The first call of an answer has that of all. */
const UNSIGNED = { google: { thought_signature: "skip_thought_signature_validator" } };

/** The answer with a signature on one of its calls at least. */
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
