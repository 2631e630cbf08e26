// Builds the body of a chat completion request from our conversation. The same conversation always gives the same beginning, byte for
// byte, because providers cache by it: tools come first, then the system prompt, then the messages, and everything else follows.
import type { Message, ToolCall } from "../core/transcript/transcript.ts";
import { withoutHalves } from "../core/transcript/utf8.ts";
import type { ModelRequest } from "../turn/ports.ts";
import { parseJson, readFields } from "./json-fields.ts";
import { type AssistantMessage, reasoningField, withNativeParts, withSignature } from "./native-parts.ts";
import type { Quirks } from "./quirks.ts";
import { simpleParameters } from "./simple-schema.ts";
import { withPictures } from "./unseen-pictures.ts";

/** What else shapes a request. */
export interface BodyOptions {
  /** The model's own limit; a request may ask for less. */
  maxOutputTokens?: number | undefined;
  /** Added to the body as they are; our own fields win. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Identifies the conversation for a provider's cache. */
  cacheKey?: string | undefined;
  quirks?: Quirks;
}

/** A message as it is sent. */
interface WireMessage {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: AssistantMessage["tool_calls"];
}

const NO_PICTURES: ReadonlyMap<string, string> = new Map();

/** OpenAI's limit for a function's name. */
const MAX_NAME_CHARS = 64;

/** Fields that `params` can't change: the answer would not be the one that was requested, or could not be read. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  "model messages tools tool_choice functions function_call stream stream_options n".split(" "),
);

/** Builds the request for one answer. It is streamed if the server supports that, with the usage at the end. */
export function requestBody(
  model: string,
  request: ModelRequest,
  { maxOutputTokens, params = {}, cacheKey, quirks = {} }: BodyOptions = {},
) {
  const all = quirks.plainTalk ? [] : request.tools.map(wireTool);
  const tools = quirks.simpleSchemas ? all.map(withSimpleSchema) : all;
  const more = Object.fromEntries(Object.entries(params).filter(([name]) => !OWN_FIELDS.has(name)));
  const limit = Math.min(
    maxOutputTokens ?? Number.POSITIVE_INFINITY,
    request.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  );
  const isLimited = limit < Number.POSITIVE_INFINITY && more.max_tokens === undefined;
  return {
    model,
    messages: buildMessages(model, request, quirks),
    ...(tools.length > 0
      ? { tools, ...(request.toolChoice && !quirks.noChoice && { tool_choice: request.toolChoice }) }
      : {}),
    ...(isLimited && { [quirks.maxTokens ? "max_tokens" : "max_completion_tokens"]: limit }),
    ...(quirks.cacheKey && cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    stream: !quirks.noStream,
    ...(quirks.ownUsage || quirks.noStream ? {} : { stream_options: { include_usage: true } }),
    ...more,
    ...(quirks.noToolEffort && tools.length > 0 && { reasoning_effort: "none" }),
  };
}

/** Tools, answers and results stay the same objects during a turn, and so does what is sent of them, so that its text is made only once. */
const sentBefore = new WeakMap<object, object>();

function wireOf<Part extends object, Wire extends object>(part: Part, make: (part: Part) => Wire): Wire {
  const known = sentBefore.get(part) as Wire | undefined;
  if (known) return known;
  const made = make(part);
  sentBefore.set(part, made);
  return made;
}

const wireTool = (tool: ModelRequest["tools"][number]) =>
  wireOf(tool, () => ({ type: "function" as const, function: tool }));

const withSimpleSchema = ({ type, function: tool }: ReturnType<typeof wireTool>) => ({
  type,
  function: { ...tool, parameters: simpleParameters(tool.parameters) },
});

function buildMessages(model: string, { system, messages, tools }: ModelRequest, quirks: Quirks): WireMessage[] {
  const answers = messages.flatMap((message) => (message.role === "assistant" ? [message.native] : []));
  // If one answer of this model came with reasoning in a field, its server may require that field in the others.
  const isThinking =
    !quirks.noReasoning && answers.some((native) => reasoningField(native, model) === "reasoning_content");
  const filler = quirks.reasoning ?? (isThinking ? { onEach: false, filler: "" } : null);
  const ids = shortenIds(messages, quirks.callId);
  const sent = messages.map((message): WireMessage => {
    if (message.role === "user") {
      const { text, images } = quirks.isBlind ? withPictures(message, NO_PICTURES) : message;
      return { role: "user", content: images ? withImages(text, images) : text };
    }
    if (message.role === "tool") {
      const id = ids(message.callId);
      const wire = wireOf(message, ({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
      return id === wire.tool_call_id ? wire : { ...wire, tool_call_id: id };
    }
    const native = assistantMessage(message, model);
    const wire = quirks.noReasoning ? withoutReasoning(native) : native;
    const isFilled = filler !== null && (filler.onEach || message.calls.length > 0) && !("reasoning_content" in wire);
    const filled = isFilled ? { ...wire, reasoning_content: filler.filler } : wire;
    const signed = quirks.signs ? withSignature(filled) : filled;
    const whole = quirks.noNull && signed.content === null ? { ...signed, content: "" } : signed;
    return quirks.callId ? withIds(whole, ids) : whole;
  });
  const said = quirks.plainTalk || (quirks.callsNeedTools && tools.length === 0) ? sent.map(asWords) : sent;
  const whole = [...(system === "" ? [] : [{ role: quirks.noSystem ? "user" : "system", content: system }]), ...said];
  const all = quirks.turns ? inTurns(whole) : whole;
  return quirks.cacheMarks ? withCacheMarks(all) : all;
}

type AnswerMessage = Extract<Message, { role: "assistant" }>;

const assistantMessage = (message: AnswerMessage, model: string): AssistantMessage => {
  const plain = wireOf(message, plainAnswer);
  return message.native && plain.tool_calls
    ? (withNativeParts(plain, message.native, model) as AssistantMessage)
    : plain;
};

const withoutReasoning = ({ role, content, tool_calls: calls }: AssistantMessage): AssistantMessage => ({
  role,
  content,
  ...(calls && { tool_calls: calls }),
});

function plainAnswer({ text, calls }: AnswerMessage): AssistantMessage {
  if (calls.length === 0) return { role: "assistant", content: text };
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls.map(wireCall) };
}

/**
 * Converts a call. Replaces a name that no tool can have, and arguments that are not a JSON object. Such a call was already answered with an
 * error, but providers refuse every later request of the conversation that contains it.
 */
function wireCall({ id, name, arguments: text }: ToolCall) {
  const possible = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "unnamed";
  // Arguments that were encoded twice were read, and the call ran.
  const read = parseJson(text);
  const [plain, value] = typeof read === "string" ? [read, parseJson(read)] : [text, read];
  const isObject = readFields(value) !== null;
  return {
    id,
    type: "function" as const,
    function: { name: possible, arguments: isObject ? withoutHalves(plain) : "{}" },
  };
}

function withImages(text: string, urls: string[]) {
  const images = urls.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images];
}

const withIds = (message: AssistantMessage, ids: (id: string) => string): AssistantMessage =>
  message.tool_calls
    ? { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: ids(call.id) })) }
    : message;

/** Gives calls of another model ids that this provider accepts: always the same for the same conversation. */
function shortenIds(messages: readonly Message[], accepted: RegExp | undefined): (id: string) => string {
  if (!accepted) return (id) => id;
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const foreign = [...new Set(calls.map(({ id }) => id).filter((id) => !accepted.test(id)))];
  const replaced = new Map(foreign.map((id) => [id, hash(id)]));
  return (id) => replaced.get(id) ?? id;
}

/** Returns nine characters (FNV-1a): Mistral's form is the shortest and strictest. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value.toString(36).padStart(9, "0");
}

/** After a stopped turn, and before a picture that a tool returned, there is no answer between a result and a user message. */
const BRIDGE: WireMessage = { role: "assistant", content: "…" };

/** Rewrites a message for a request without tools: calls are left out, and results become user messages. */
const asWords = ({ role, content }: WireMessage): WireMessage => ({
  role: role === "assistant" ? role : "user",
  content: content || BRIDGE.content,
});

/** Makes the speakers alternate: consecutive messages of one speaker become one. Calls and their results are never merged. */
function inTurns(messages: readonly WireMessage[]): WireMessage[] {
  const talk: WireMessage[] = [];
  for (const message of messages) {
    const last = talk.at(-1);
    const isOwn = message.role === "tool" || message.tool_calls || last?.tool_calls;
    if (last?.role === "tool" && message.role === "user") talk.push(BRIDGE, message);
    else if (isOwn || last?.role !== message.role) talk.push(message);
    // Not changed in place: what is sent of a message is reused for the next request.
    else talk.push({ ...talk.pop(), ...message, content: together(last.content, message.content) });
  }
  return talk;
}

/** Joins two contents. Two texts stay a text, because some templates read only the first part of an answer. */
const together = (one: unknown, other: unknown): unknown =>
  [one, other].every((content) => typeof content === "string")
    ? `${one}\n\n${other}`
    : [...asParts(one), ...asParts(other)];

const asParts = (content: unknown): unknown[] => (Array.isArray(content) ? content : [{ type: "text", text: content }]);

/** Marks the system prompt and the last user message: what precedes a mark is cached. */
function withCacheMarks(messages: readonly WireMessage[]): WireMessage[] {
  const last = messages.findLastIndex(({ role, content }) => role === "user" && content !== "");
  return messages.map((message, at) => {
    if (message.role !== "system" && at !== last) return message;
    const parts = asParts(message.content);
    const marked = parts.map((part, position) =>
      position === parts.length - 1 ? { ...readFields(part), cache_control: { type: "ephemeral" } } : part,
    );
    return { ...message, content: marked };
  });
}
