// The only file that uses the provider's SDK. It turns the SDK's stream into our events and handles its surprises: an
// aborted stream ends without throwing, a missing finish reason looks like success, and there is no idle timeout.
import { APIConnectionError, APIError, APIUserAbortError } from "openai/core/error";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { CALL_FRAME_BYTES, MAX_ANSWER_BYTES } from "../core/limits.ts";
import type { Price } from "../core/money/price.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { NativeParts, ToolCall } from "../core/transcript/transcript.ts";
import { byteLength } from "../core/transcript/utf8.ts";
import type { FinishReason, Model, ModelEvent, TokenUsage, ToolMode } from "../turn/ports.ts";
import { type CallPiece, joinPieces } from "./call-pieces.ts";
import { streamChat } from "./chat-stream.ts";
import { cleanMessage } from "./clean-message.ts";
import { decideReason } from "./failure-reason.ts";
import { createNativeParts } from "./native-parts.ts";
import { ProviderError, type ProviderFacts, readErrorBody } from "./provider-error.ts";
import { requestBody } from "./request-body.ts";
import { readUsage } from "./usage.ts";

/** Where a model is and how it is called. */
export interface OpenAiParams {
  apiKey: string;
  baseUrl: string;
  model: string;
  family?: string;
  toolMode?: ToolMode;
  contextTokens?: number;
  maxOutputTokens?: number;
  images?: boolean;
  price?: Price;
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

const MAX_CODE_CHARS = 60;
const MAX_CAUSES = 4;
/** Codes of a connection that was made and then broke (Node). */
const BROKEN: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
/** Families of models that say their answer once more after a tool call. */
const REPEATS_ITSELF: ReadonlySet<string> = new Set(["novelai"]);

/** Makes a model at an OpenAI-compatible endpoint. One HTTP request per call; see the port `Model` for the contract. */
export function createOpenAiModel(params: OpenAiParams): Model {
  const { family, toolMode, contextTokens, images, price } = params;
  return {
    name: params.model,
    ...(family !== undefined && REPEATS_ITSELF.has(family) ? { endsTurnAfterText: true as const } : {}),
    ...(toolMode === undefined ? {} : { toolMode }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(images === undefined ? {} : { images }),
    ...(price === undefined ? {} : { price }),
    async *stream(request, signal) {
      try {
        const body = requestBody(params.model, request, params.maxOutputTokens);
        const stream = await streamChat(params, body, signal);
        yield* readEvents(stream, signal);
      } catch (error) {
        yield { kind: "failed", failure: failureFrom(error, signal, params.apiKey) };
      }
    },
  };
}

async function* readEvents(
  stream: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const pieces: ChatCompletionChunk.Choice.Delta.ToolCall[] = [];
  const native = createNativeParts();
  let usage: TokenUsage | null = null;
  let finish: ChatCompletionChunk.Choice["finish_reason"] = null;
  const size = createSize();
  for await (const chunk of stream) {
    if ((chunk.object as string) === "error") throw unwrappedError(chunk);
    usage = readUsage(chunk.usage) ?? usage;
    const choice = chunk.choices?.[0];
    if (!choice) continue;
    finish = choice.finish_reason ?? finish;
    if (!isDelta(choice.delta)) throw new SyntaxError("a piece of the answer has the wrong shape");
    native.take(choice.delta);
    const reasoning = readReasoning(choice.delta);
    if (reasoning) yield { kind: "reasoning", text: reasoning };
    if (choice.delta?.content) yield { kind: "text", text: choice.delta.content };
    const more = Array.isArray(choice.delta?.tool_calls) ? choice.delta.tool_calls : [];
    pieces.push(...more);
    if (more.length > 0)
      yield { kind: "call_piece", text: more.map((piece) => piece.function?.arguments ?? "").join("") };
    if (size.add(choice.delta?.content, more) <= MAX_ANSWER_BYTES) continue;
    // Leaving the stream closes it.
    yield oversized(readEnd("length", joinPieces(pieces), usage, native.parts(), signal));
    return;
  }
  yield readEnd(finish, joinPieces(pieces), usage, native.parts(), signal);
}

/** Counts the bytes of an answer's text and calls. */
function createSize() {
  const calls = new Set<unknown>();
  let bytes = 0;
  return {
    add(content: unknown, pieces: CallPiece[]): number {
      for (const { index, id } of pieces) calls.add(index ?? id);
      const texts = [content, ...pieces.flatMap(({ id, function: called }) => [id, called?.name, called?.arguments])];
      for (const text of texts) if (typeof text === "string") bytes += byteLength(text);
      return bytes + calls.size * CALL_FRAME_BYTES;
    },
  };
}

/** Servers that only call themselves compatible send anything. */
function isDelta(delta: { content?: unknown; tool_calls?: unknown } | undefined): boolean {
  const { content = null, tool_calls: calls = null } = delta ?? {};
  return (content === null || typeof content === "string") && (calls === null || Array.isArray(calls));
}

const oversized = (end: ModelEvent): ModelEvent => (end.kind === "end" ? { ...end, oversized: true } : end);

/** Older servers send an error in the place of a chunk (vLLM). */
function unwrappedError(chunk: object): ProviderError {
  const message = "an error without a message";
  return new ProviderError(readErrorBody(chunk) ?? { message, words: message }, new Headers());
}

function readEnd(
  finish: ChatCompletionChunk.Choice["finish_reason"],
  calls: ToolCall[],
  usage: TokenUsage | null,
  native: NativeParts | null,
  signal: AbortSignal,
): ModelEvent {
  const failed = (reason: ModelFailure["reason"], message: string): ModelEvent => ({
    kind: "failed",
    failure: { reason, message },
    ...(usage ? { usage } : {}),
  });
  if (signal.aborted) return failed("aborted", "the request was aborted");
  if (finish === null) return failed("bad_stream", "the stream ended without a finish reason");
  if (finish === "content_filter") return failed("content_blocked", "finish reason content_filter");
  const finishReason: FinishReason = finish === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop";
  // They are sent back only with calls.
  return { kind: "end", finishReason, calls, usage, ...(native && calls.length > 0 ? { native } : {}) };
}

/** OpenAI's API has no field for reasoning; compatible servers use one of these two names. */
function readReasoning(delta: object | undefined): string | null {
  const fields = delta as { reasoning_content?: unknown; reasoning?: unknown } | undefined;
  const text = fields?.reasoning_content ?? fields?.reasoning;
  return typeof text === "string" && text !== "" ? text : null;
}

function failureFrom(error: unknown, signal: AbortSignal, apiKey: string): ModelFailure {
  if (signal.aborted || error instanceof APIUserAbortError)
    return { reason: "aborted", message: "the request was aborted" };
  if (error instanceof SyntaxError) return { reason: "bad_stream", message: "the stream carried what is no JSON" };
  const clean = (text: string) => cleanMessage(text, apiKey);
  const facts = readFacts(error);
  if (!facts) return connectionFailure(error, clean);
  const { status, code } = facts;
  return {
    reason: decideReason(facts),
    message: clean(facts.message),
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code: clean(code).slice(0, MAX_CODE_CHARS) }),
    ...(error instanceof ProviderError ? readRetryAfter(error.headers) : {}),
  };
}

/** Facts of a refusal; null for any other error. The SDK throws its own error for one within a stream. */
function readFacts(error: unknown): ProviderFacts | null {
  if (error instanceof ProviderError) return error.facts;
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return null;
  const { message } = error;
  return readErrorBody({ error: error.error }) ?? { message, words: message };
}

/** A connection that was never made or that broke. Only its causes say why (Node). */
function connectionFailure(error: unknown, clean: (text: string) => string): ModelFailure {
  const causes: (Error & { code?: unknown })[] = [];
  for (let one = error; one instanceof Error && causes.length < MAX_CAUSES; one = one.cause) causes.push(one);
  const message = clean(causes.map(({ message }) => message).join(": ") || String(error));
  const code = causes.map((one) => one.code).find((one) => typeof one === "string");
  const known = { message, ...(code === undefined ? {} : { code: clean(String(code)) }) };
  if (error instanceof APIConnectionError && !BROKEN.has(code)) return { reason: "unreachable", ...known };
  // workerd reports a cut connection as a plain Error.
  const isCut = error instanceof APIConnectionError || /network|connection|socket|terminated/i.test(message);
  return { reason: isCut ? "network" : "unknown", ...known };
}

/** Seconds, or a time (RFC 9110), which is compared with the server's own clock: ours may differ. */
function readRetryAfter(headers: Headers): { retryAfterMs?: number } {
  const value = headers.get("retry-after") || "never";
  const isTime = value.endsWith("GMT");
  const ms = isTime ? Date.parse(value) - Date.parse(headers.get("date") ?? "") : Math.ceil(Number(value) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? { retryAfterMs: ms } : {};
}
