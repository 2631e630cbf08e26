// Builds a model's request: the system prompt, the conversation within its window, and what context restarts added to it.

import { TRANSCRIPT_SHARE } from "../core/limits.ts";
import type { EnrichmentItem } from "../core/state/enrichment.ts";
import { estimateTokens } from "../core/transcript/tokens.ts";
import {
  type Message,
  repair,
  selectWindow,
  tokensOfAll,
  USUAL_WINDOW,
  type WindowLimits,
} from "../core/transcript/transcript.ts";
import type { ToolSchema } from "../toolkit/define/registry.ts";
import { fallbackMessages, fallbackPrompt } from "../toolkit/text-calls/fallback-format.ts";
import { HANDLES_EXPLAINED } from "./message-metadata.ts";
import type { Model, ModelRequest } from "./ports.ts";
import { type QuestionFiles, withFiles } from "./question-files.ts";
import { withResultPictures } from "./result-pictures.ts";
import type { ToolLoopParams } from "./turn-params.ts";

const ANSWER_NOW =
  "You have used all the steps of this turn, and no tool is available any more. Give the best answer that you can from what you have.";

const USE_TOOLS =
  "Use a tool when it gives a better answer than your memory, and say what you found. Never claim to have done what no tool result shows.";

/** Builds the request of one step. The last step of a turn offers no tools and asks for an answer. */
export function buildModelRequest(params: ToolLoopParams, isLast: boolean): ModelRequest {
  const { systemPrompt, model } = params;
  const tools = isLast || model.toolMode === "none" ? [] : offeredTools(params);
  const instructions = isLast ? `${systemPrompt}\n\n${ANSWER_NOW}` : withToolUse(systemPrompt, tools.length);
  const callFormat = model.toolMode === "fallback" && tools.length > 0 ? [fallbackPrompt(tools)] : [];
  return {
    system: [instructions, ...callFormat].join("\n\n"),
    messages: conversationWithin(params, windowFor(model, params.files)),
    tools: nativeCalls(model) ? tools : [],
  };
}

/** A turn without tools gets no text about tools: the model would mention them. */
export const withToolUse = (systemPrompt: string, tools: number): string =>
  tools > 0 ? `${systemPrompt}\n\n${USE_TOOLS}` : systemPrompt;

const nativeCalls = ({ toolMode = "native" }: Model): boolean => toolMode === "native";

/** The same request with half of its conversation; null when that does not make it smaller. */
export function smallerRequest(params: ToolLoopParams, request: ModelRequest): ModelRequest | null {
  const tokens = tokensOfAll(request.messages);
  const messages = conversationWithin(params, { rows: request.messages.length, tokens: Math.floor(tokens / 2) });
  return tokensOfAll(messages) < tokens ? { ...request, messages } : null;
}

/** The tools that this turn may still be offered, in the registry's stable order. */
export function offeredTools({
  runtime,
  gate,
  store,
}: Pick<ToolLoopParams, "runtime" | "gate" | "store">): ToolSchema[] {
  const { withdrawnTools } = store.enrichment();
  return runtime.schemas().filter(({ name }) => !withdrawnTools.includes(name) && gate.decide(name).allowed);
}

/** Files are added on top of the conversation, so where a model's window is known they reduce the conversation's share. */
function windowFor({ contextTokens }: Model, { texts }: QuestionFiles): WindowLimits {
  if (contextTokens === undefined) return USUAL_WINDOW;
  const tokens = Math.floor(contextTokens * TRANSCRIPT_SHARE);
  const taken = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return { ...USUAL_WINDOW, tokens: Math.max(0, tokens - taken) };
}

/** For a model without native calls every call and result becomes text, also those that another model made. */
function conversationWithin({ store, files, model, stash, turnId }: ToolLoopParams, limits: WindowLimits): Message[] {
  const { earlier, current } = store.conversation();
  const { items, metadata } = store.enrichment();
  const explained: Message[] = metadata ? [{ role: "user", text: HANDLES_EXPLAINED }] : [];
  const repaired = repair(selectWindow(earlier, current, limits)).map((message) =>
    message === current[0] ? withFiles(message, files, model) : message,
  );
  const messages = withResultPictures(repaired, turnId, stash, model);
  return [...(nativeCalls(model) ? messages : fallbackMessages(messages)), ...explained, ...items.map(asMessage)];
}

const asMessage = ({ text, images }: EnrichmentItem): Message => ({
  role: "user",
  text,
  ...(images.length > 0 ? { images } : {}),
});
