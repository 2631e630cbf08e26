// Turns the chunks of one answer into our events, whatever its server leaves out or adds. Joins the pieces of calls, judges why the
// answer ended, and appends the sources that it names.
import { MISSING_PICTURES, sourceLines } from "../core/copy/sources.ts";
import { CALL_FRAME_BYTES, MAX_ANSWER_BYTES } from "../core/limits.ts";
import type { ModelFailure } from "../core/state/ending.ts";
import type { Message } from "../core/transcript/transcript.ts";
import { byteLength } from "../core/transcript/utf8.ts";
import type { ModelEvent, TokenUsage } from "../turn/ports.ts";
import { type CallPiece, joinCalls, readPieces } from "./call-pieces.ts";
import { ABORTED } from "./chat-stream.ts";
import { readFinish } from "./finish-reason.ts";
import { type Fields, readFields } from "./json-fields.ts";
import { createNativeParts } from "./native-parts.ts";
import { createPictures } from "./pictures.ts";
import { firstChoice, readFinishReason, readImages, readSaid } from "./read-delta.ts";
import { ProviderError } from "./refused-request.ts";
import { createSources } from "./sources.ts";
import { readUsage, type UsageHabits } from "./usage.ts";

/** What else is known about the call. */
export interface AnswerParams {
  /** The model's name at its provider. */
  model: string;
  /** The conversation that it answers. */
  messages: readonly Message[];
  /** Texts that must not appear in a failure. */
  secrets: readonly string[];
  habits: UsageHabits;
  signal: AbortSignal;
}

/**
 * Yields the events of one answer; `end` or `failed` comes once and last. Never throws. Leaving early closes the stream. `open` opens the stream,
 * and may treat silence as its end once `mayBeSilent` returns true.
 */
export async function* readAnswer(
  open: (mayBeSilent: () => boolean) => AsyncIterable<Fields>,
  params: AnswerParams,
): AsyncGenerator<ModelEvent> {
  const { signal, secrets } = params;
  const answer = createAnswer(params);
  try {
    for await (const chunk of open(answer.hasEnded)) {
      // Not `yield*`, which would wait twice for each event of a list that is already there.
      for (const event of answer.take(chunk)) yield event;
      if (!answer.isOversized()) continue;
      yield answer.end(true);
      return;
    }
  } catch (error) {
    // The connection may break after the last word, or deliver something unreadable (a usage of NaN): the answer is complete all the same.
    const isComplete = answer.isFinished() && !(error instanceof ProviderError);
    if (!isComplete || signal.aborted) {
      const { failureFrom } = await import("./failure.ts");
      yield answer.failed(failureFrom(error, signal, secrets));
      return;
    }
  }
  if (!signal.aborted) for (const event of answer.below()) yield event;
  yield answer.end(false);
}

function createAnswer({ model, messages, habits, signal }: AnswerParams) {
  const pieces: CallPiece[] = [];
  const native = createNativeParts(model);
  const sources = createSources();
  const size = createSize();
  const pictures = createPictures();
  let bytes = 0;
  let usage: TokenUsage | null = null;
  let finish: string | null = null;
  /** More text came after a finish reason: this server sends one with every piece, so only the end of its stream is the end. */
  let isVague = false;
  let hasText = false;
  const isGood = () => finish !== null && readFinish(finish).kind === "stop" && pieces.length === 0;

  const failed = (failure: ModelFailure): ModelEvent => ({ kind: "failed", failure, ...(usage && { usage }) });

  return {
    failed,
    /** Whether the server has said why the answer ends. */
    isFinished: () => finish !== null && !isVague,
    /** Whether the answer is complete. Thoughts alone are not an answer yet. */
    hasEnded: () => finish !== null && !isVague && (hasText || pieces.length > 0),
    isOversized: () => bytes > MAX_ANSWER_BYTES,
    *take(chunk: Fields): Generator<ModelEvent> {
      const choice = firstChoice(chunk);
      const groq = readFields(chunk.x_groq)?.usage;
      for (const one of [groq, choice?.usage, chunk.usage]) if (one) usage = readUsage(one, habits) ?? usage;
      // The whole message, from a server that does not stream. Others repeat it at the end.
      const message = hasText || pieces.length > 0 ? null : readFields(choice?.message);
      const delta = readFields(choice?.delta) ?? message ?? {};
      sources.take(chunk, delta);
      if (!choice) return;
      const said = readSaid(delta);
      const found = readPieces(delta);
      // In a whole message each entry is a separate call, even without an id.
      const more = message ? found?.map((piece, index) => ({ ...piece, index })) : found;
      if (!said || !more) throw new SyntaxError("a piece of the answer has the wrong shape");
      isVague ||= finish !== null && Boolean(said.text || said.reasoning || more.length > 0);
      finish = readFinishReason(choice) ?? finish;
      native.take(delta, said);
      for (const url of readImages(delta)) pictures.take(url);
      if (said.reasoning !== "") yield { kind: "reasoning", text: said.reasoning };
      if (said.text !== "") yield { kind: "text", text: said.text };
      hasText ||= said.text !== "";
      pieces.push(...more);
      if (more.length > 0)
        yield { kind: "call_piece", text: more.map((piece) => piece.function?.arguments ?? "").join("") };
      bytes = size.add(said.text, more);
    },
    /** Yields the text that follows a complete answer. */
    *below(): Generator<ModelEvent> {
      if (!isGood()) return;
      const text = [
        ...pictures.addresses(),
        pictures.isAnyMissing() ? MISSING_PICTURES : "",
        hasText ? sourceLines(sources.list()) : "",
      ]
        .filter((line) => line !== "")
        .join("\n");
      if (text !== "") yield { kind: "text", text: hasText ? `\n\n${text}` : text };
    },
    /** `isCut`: we end the answer ourselves, because it is too long. */
    end(isCut: boolean): ModelEvent {
      const reason = isCut ? "length" : finish;
      if (signal.aborted) return failed(ABORTED);
      if (reason === null) return failed({ reason: "bad_stream", message: "the stream ended without a finish reason" });
      const how = readFinish(reason);
      if (how.kind === "failed")
        return failed({ reason: how.reason, message: `finish reason ${reason.slice(0, MAX_REASON_CHARS)}` });
      const { calls, extras } = joinCalls(pieces, messages);
      // Native parts are sent back only with calls.
      const parts = calls.length > 0 ? native.parts(extras) : null;
      const finishReason = how.kind === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop";
      const files = pictures.files();
      const more = {
        ...(parts && { native: parts }),
        ...(isCut && { oversized: true as const }),
        ...(files.length > 0 && { files }),
      };
      return { kind: "end", finishReason, calls, usage, ...more };
    },
  };
}

const MAX_REASON_CHARS = 60;

/** Counts the bytes of an answer's text and calls, and of the extra content that has to be sent back with the calls. */
function createSize() {
  const calls = new Set<unknown>();
  let bytes = 0;
  return {
    add(text: string, pieces: readonly CallPiece[]): number {
      for (const { index, id } of pieces) calls.add(index ?? id);
      const texts = [
        text,
        ...pieces.flatMap(({ id, function: called, extra_content: extra }) => [
          ...[id, called?.name, called?.arguments],
          JSON.stringify(extra),
        ]),
      ];
      for (const text of texts) if (text !== undefined) bytes += byteLength(text);
      return bytes + calls.size * CALL_FRAME_BYTES;
    },
  };
}
