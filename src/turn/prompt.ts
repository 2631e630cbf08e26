// Builds a model's request: the system prompt, the conversation within its window, and what context restarts added to it. Whatever
// changes from one request to the next comes as late as possible, because providers cache the beginning that two requests have in common.

import { TRANSCRIPT_SHARE } from "../core/limits.ts";
import type { EnrichmentItem } from "../core/state/enrichment.ts";
import { notesMessage, ownFactsMessage } from "../core/transcript/notes.ts";
import { countOverheard, overheardMessage } from "../core/transcript/overheard.ts";
import { withoutHeaders } from "../core/transcript/speaker.ts";
import { summaryMessage } from "../core/transcript/summary-message.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import {
  type Message,
  repair,
  selectWindow,
  tokensOfAll,
  USUAL_WINDOW,
  type WindowLimits,
} from "../core/transcript/transcript.ts";
import type { ToolSchema } from "../toolkit/define/tool-cards.ts";
import { fallbackMessages, fallbackPrompt } from "../toolkit/text-calls/fallback-format.ts";
import { HANDLES_EXPLAINED } from "./message-metadata.ts";
import type { Model, ModelRequest } from "./ports.ts";
import { withFiles } from "./question-files.ts";
import { withResultPictures } from "./result-pictures.ts";
import type { ToolLoopParams } from "./turn-params.ts";

const ANSWER_NOW =
  "You have used all the steps of this turn, and no tool is available anymore. Give the best answer that you can from what you have.";

const USE_TOOLS =
  "Use a tool when it gives a better answer than your memory, and say what you found. Never claim to have done what no tool result shows.";

/** The last message of a turn's last request. */
const NUDGE: Message = { role: "user", text: ANSWER_NOW };

/**
 * Builds the request of one step. In the last step of a turn no tool may be called, and the last message asks for an answer. Everything before
 * that message stays as it was, so that a provider's cache covers it. A model without native calls reads about its tools in the system prompt,
 * where they stay.
 */
export function buildModelRequest(params: ToolLoopParams, isLast: boolean): ModelRequest {
  const { systemPrompt, model, models } = params;
  const isLastModel = model === models.at(-1);
  const tools = model.toolMode === "none" ? [] : offeredTools(params);
  const conversation = conversationWithin(params, windowFor(params));
  const { contents } = conversation;
  const messages = isLast ? withNudge(conversation.messages, model) : conversation.messages;
  const instructions = withToolUse(systemPrompt, tools.length);
  if (nativeCalls(model))
    return {
      ...{ system: instructions, messages, tools, contents, isLastModel },
      ...(isLast && { toolChoice: "none" as const }),
    };
  const callFormat = model.toolMode === "fallback" ? fallbackPrompt(tools) : "";
  const system = [instructions, callFormat].filter(Boolean).join("\n\n");
  return { system, messages, tools: [], contents, isLastModel };
}

/** Adds the request for an answer. Without native calls, results are user messages, and many chat templates require the speakers to alternate. */
function withNudge(messages: Message[], model: Model): Message[] {
  const last = messages.at(-1);
  if (nativeCalls(model) || last?.role !== "user") return [...messages, NUDGE];
  return messages.with(-1, { ...last, text: `${last.text}\n\n${ANSWER_NOW}` });
}

const hasNudge = (messages: readonly Message[]): boolean => messages.at(-1)?.text.endsWith(ANSWER_NOW) ?? false;

/** Adds the instruction about tools, but only if there are any: otherwise the model would mention them. */
export const withToolUse = (systemPrompt: string, tools: number): string =>
  tools > 0 ? `${systemPrompt}\n\n${USE_TOOLS}` : systemPrompt;

const nativeCalls = ({ toolMode = "native" }: Model): boolean => toolMode === "native";

/** Returns the same request with at most half of its tokens, as far as leaving out history allows; null when that does not make it smaller. */
export function smallerRequest(params: ToolLoopParams, request: ModelRequest): ModelRequest | null {
  const isLast = hasNudge(request.messages);
  const tokens = tokensOfAll(request.messages) - (isLast ? tokensOfAll([NUDGE]) : 0);
  const less = { ...params, overheard: "" };
  const within = { rows: request.messages.length, tokens: Math.floor(tokens / 2) };
  const { messages, contents } = conversationWithin(less, besideFiles(less, within));
  return tokensOfAll(messages) < tokens
    ? { ...request, contents, messages: isLast ? withNudge(messages, params.model) : messages }
    : null;
}

/** Returns the tools that this turn may still be offered, in the registry's stable order. */
export function offeredTools({
  runtime,
  gate,
  store,
}: Pick<ToolLoopParams, "runtime" | "gate" | "store">): ToolSchema[] {
  const { withdrawnTools } = store.enrichment();
  return runtime.schemas().filter(({ name }) => !withdrawnTools.includes(name) && gate.decide(name).allowed);
}

/**
 * Returns the conversation's share of the request. Files and overheard words are added to it, so in a window of known size they make that share
 * smaller.
 */
function windowFor(params: ToolLoopParams): WindowLimits {
  const { model } = params;
  return model.contextTokens === undefined ? USUAL_WINDOW : besideFiles(params, windowOf(model));
}

/** Reduces the limits by what files and overheard words take. */
function besideFiles({ files: { texts }, overheard }: ToolLoopParams, limits: WindowLimits): WindowLimits {
  const taken = texts.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(overheard));
  return { ...limits, tokens: Math.max(0, limits.tokens - taken) };
}

/** Returns how much conversation a request to this model may contain if no files come with it. */
export const windowOf = ({ contextTokens }: Pick<Model, "contextTokens">): WindowLimits =>
  contextTokens === undefined
    ? USUAL_WINDOW
    : { ...USUAL_WINDOW, tokens: Math.floor(contextTokens * TRANSCRIPT_SHARE) };

/** Selects the conversation that fits. For a model without native calls every call and result becomes text, including those of another model. */
function conversationWithin(
  params: ToolLoopParams,
  limits: WindowLimits,
): Required<Pick<ModelRequest, "messages" | "contents">> {
  const { store, files, model, stash, turnId, notes, notesAreTainted, overheard, ownFacts = [] } = params;
  const { earlier, current, numberOf, summary = "", isSummaryTainted } = store.conversation();
  const { before, left } = withSummary(summary === "" ? [] : [summaryMessage(summary, isSummaryTainted)], limits);
  const { items, metadata } = store.enrichment();
  const explained: Message[] = metadata ? [{ role: "user", text: HANDLES_EXPLAINED }] : [];
  const selected = selectWindow(earlier, current, left, numberOf);
  const repaired = repair(selected).flatMap((message) =>
    message === current[0]
      ? [
          ...notesMessage(notes, notesAreTainted),
          ...ownFactsMessage(ownFacts),
          ...overheardMessage(overheard),
          withFiles(message, files, model),
        ]
      : [message],
  );
  const messages = withResultPictures(repaired, turnId, stash, model);
  const said = nativeCalls(model) ? messages : fallbackMessages(messages);
  const [first, second] = selected;
  const oldest = first !== current[0] ? first : selected.length < current.length && second;
  return {
    messages: [...before, ...said, ...explained, ...items.map(asMessage)],
    contents: {
      fromSeq: (oldest && numberOf?.(oldest)) || null,
      leftOutRows: earlier.length + current.length - selected.length,
      hasSummary: before.length > 0,
      notesChars: notes.length,
      overheardLines: countOverheard(overheard),
    },
  };
}

/**
 * Returns the summary as the first message, and the window that is left after it. A summary that would fill more than half of the window is left
 * out.
 */
function withSummary(before: Message[], limits: WindowLimits): { before: Message[]; left: WindowLimits } {
  const tokens = tokensOfAll(before);
  if (tokens > limits.tokens / 2) return { before: [], left: limits };
  return { before, left: { ...limits, tokens: limits.tokens - tokens } };
}

const asMessage = ({ text, images, taint }: EnrichmentItem): Message => ({
  role: "user",
  text: withoutHeaders(text),
  ...(taint && { taint }),
  ...(images.length > 0 && { images }),
});
