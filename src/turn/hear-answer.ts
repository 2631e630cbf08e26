// Reads the events of one answer: its visible text, thoughts, details and calls. It knows nothing about timeouts, or about why a stream
// is left early.
import { isUnseen } from "../core/markdown/visible-characters.ts";
import { createLabelGuard, withoutLabel } from "../core/transcript/own-label.ts";
import { createReasoningTagParser, type Separated } from "../core/transcript/reasoning-tags.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import type { ToolCall } from "../core/transcript/transcript.ts";
import { createAnswerRoom } from "./answer-limits.ts";
import type { ModelEvent } from "./ports.ts";
import type { Heard, StreamResult } from "./stream-result.ts";
import type { TextToolCalls } from "./text-tool-calls.ts";

/** The callbacks and settings with which an answer is read. */
interface Audience {
  /** Called for each piece of text, thought or call. */
  onProgress: () => void;
  /** Gets all visible text so far each time it changes: either empty, or with words in it. */
  onText: (text: string) => void;
  /** The name of the voice that answers: it is dropped if the model begins with it. */
  ownName: string;
  /** Creates the filter for calls that the model writes into its text. */
  listen: () => TextToolCalls;
}

/** Reads the events into `heard` until they end or `aborted` fires. Throws what the stream throws. */
export async function hearAnswer(
  events: AsyncIterable<ModelEvent>,
  heard: Heard,
  aborted: AbortSignal,
  audience: Audience,
): Promise<StreamResult> {
  const { onProgress } = audience;
  const answer = beginAnswer(heard, audience);
  for await (const event of events) {
    // The result is already decided, so nothing that arrives now may reach the reply.
    if (aborted.aborted) break;
    switch (event.kind) {
      case "end":
        answer.rest();
        return ended(heard, { ...event, calls: answer.calls(event.calls) });
      case "failed":
        answer.rest();
        return { ...heard, status: "error", data: event.failure, ...(event.usage && { usage: event.usage }) };
      case "text":
        onProgress();
        if (answer.text(event.text)) break;
        // Leaving the stream closes it.
        answer.rest();
        return ended(heard, { kind: "end", finishReason: "length", calls: [], usage: null, oversized: true });
      case "reasoning":
        onProgress();
        answer.thought(event.text);
        break;
      case "call_piece":
        onProgress();
        answer.unkept(estimateTokens(event.text ?? ""));
        break;
    }
  }
  return { ...heard, status: "error", data: { reason: "bad_stream", message: "the stream stopped before its end" } };
}

/** Puts each piece of an answer where it belongs in `heard`. */
function beginAnswer(heard: Heard, { onText, ownName, listen }: Audience) {
  const tags = createReasoningTagParser();
  const room = createAnswerRoom();
  let [textCalls, guard] = [listen(), createLabelGuard(ownName)];
  // A piece may be as small as one character, so the whole text must not be read for each.
  let isBlank = true;
  /** Half of a surrogate pair: the next piece brings the rest, or it is dropped. The storage would return it as something else. */
  let half = "";
  const show = (text: string) => {
    heard.accumulatedText += text;
    isBlank &&= isUnseen(text);
    if (text !== "") onText(isBlank ? "" : heard.accumulatedText);
  };
  /** Counts tokens of output that is in none of the texts. */
  const unkept = (tokens: number) => {
    if (tokens > 0) heard.unkeptTokens = (heard.unkeptTokens ?? 0) + tokens;
  };
  const thought = (piece: string) => {
    const { kept, unkeptTokens } = room.thought(piece);
    heard.thoughtLog += kept;
    unkept(unkeptTokens);
  };
  const takeBack = () => {
    thought(heard.accumulatedText + guard.push(textCalls.end()) + guard.end());
    heard.accumulatedText = "";
    isBlank = true;
    [textCalls, guard] = [listen(), createLabelGuard(ownName)];
    onText("");
  };
  const take = (separated: Separated) => {
    if (separated.wasThought) takeBack();
    thought(separated.thought);
    heard.detailsContent += separated.details;
    if (separated.wasText) heard.detailsContent = heard.detailsContent.slice(0, -separated.wasText);
    show(guard.push(textCalls.push(separated.text)));
  };
  return {
    unkept,
    thought,
    /** Returns false when no more text fits into the answer. */
    text(piece: string): boolean {
      const text = half + piece;
      half = /[\ud800-\udbff]?$/.exec(text)?.[0] ?? "";
      take(tags.push(room.text(text.slice(0, text.length - half.length).toWellFormed())));
      return !room.isFull();
    },
    /** Shows what was held back, when no more pieces follow. */
    rest() {
      take(tags.end());
      show(guard.push(textCalls.end()) + guard.end());
    },
    /** Returns the calls of the whole answer, including those that the model wrote into its text, and removes these from the text. */
    calls(given: ToolCall[]): ToolCall[] {
      const found = textCalls.calls();
      if (!found) return textCalls.mayCall ? room.calls(given) : [];
      heard.accumulatedText = withoutLabel(found.text, ownName);
      onText(heard.accumulatedText);
      return room.calls([...given, ...found.calls]);
    },
  };
}

function ended(all: Heard, end: Extract<ModelEvent, { kind: "end" }>): StreamResult {
  const { calls, usage, finishReason, native = null, oversized, files = [] } = end;
  const hasFiles = files.length > 0;
  const heard = { ...all, ...(oversized && { oversized }), finishReason, usage };
  const made = { native, ...(hasFiles && { files }) };
  const isBlank = isUnseen(all.accumulatedText);
  // The text stays as it was shown, or else the text of later steps would not continue what is stored.
  if (calls.length > 0)
    return { ...heard, ...(isBlank && { accumulatedText: "" }), status: "function_call", data: calls, ...made };
  return isBlank && !hasFiles ? { ...heard, status: "empty_response" } : { ...heard, status: "completed", ...made };
}
