// Builds the body of a chat completion request from our conversation.
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Message, ToolCall } from "../core/transcript/transcript.ts";
import type { ModelRequest } from "../turn/ports.ts";
import { withNativeParts } from "./native-parts.ts";

/** OpenAI's limit of a function's name. */
const MAX_NAME_CHARS = 64;

/** Builds the request for one streamed answer, with the usage at its end. */
export function requestBody(model: string, request: ModelRequest, maxOutputTokens?: number) {
  const tools = request.tools.map((tool) => ({ type: "function" as const, function: tool }));
  return {
    model,
    messages: [{ role: "system" as const, content: request.system }, ...request.messages.map(wireMessage)],
    ...(tools.length > 0 ? { tools: [...tools] } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens }),
    stream: true as const,
    stream_options: { include_usage: true },
  };
}

function wireMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.images ? withImages(message.text, message.images) : message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant": {
      const content = message.text === "" ? null : message.text;
      if (message.calls.length === 0) return { role: "assistant", content: content ?? "" };
      return withNativeParts({ role: "assistant", content, tool_calls: message.calls.map(wireCall) }, message.native);
    }
  }
}

/**
 * Replaces a name that no tool can have, and arguments that are not a JSON object. Such a call was already answered with
 * an error, but providers refuse every later request of the conversation that contains it.
 */
function wireCall({ id, name, arguments: text }: ToolCall) {
  const possible = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "unnamed";
  return { id, type: "function" as const, function: { name: possible, arguments: isJsonObject(text) ? text : "{}" } };
}

function isJsonObject(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json);
  } catch {
    return false;
  }
}

function withImages(text: string, urls: string[]) {
  const images = urls.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images];
}
