// Shared by the local model's tests: a model without real time, and the official client over an injected fetch.
import OpenAI from "openai";
import { createLocalModel, type LocalModel } from "../../../src/playground/model/model.ts";

export type Message = OpenAI.ChatCompletionMessageParam;
export type Heard = {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | null;
  usage: OpenAI.CompletionUsage | null;
};

/** A model whose pauses take no time; `paused` collects them. */
export function quickModel(): { model: LocalModel; paused: number[] } {
  const paused: number[] = [];
  return {
    paused,
    model: createLocalModel({ now: () => 1_700_000_000_000, sleep: async (ms) => void paused.push(ms) }),
  };
}

export const localClient = (model: LocalModel) =>
  new OpenAI({
    apiKey: "local",
    baseURL: "http://model.local/v1",
    maxRetries: 0,
    fetch: (url, init) => model.fetch(new Request(url, init)),
  });

export const tool = (name: string, property: string): OpenAI.ChatCompletionTool => ({
  type: "function",
  function: {
    name,
    parameters: { type: "object", properties: { [property]: { type: "string" } }, required: [property] },
  },
});

export const clock = tool("get_current_time", "timezone");
export const dice = tool("roll_dice", "notation");

/** Streams one answer to its end and collects it as a client would. */
export async function ask(
  model: LocalModel,
  messages: string | Message[],
  tools: OpenAI.ChatCompletionTool[] = [],
): Promise<Heard> {
  const heard: Heard = { text: "", reasoning: "", calls: [], finish: null, usage: null };
  const stream = await localClient(model).chat.completions.create({
    model: "parley-local",
    messages: typeof messages === "string" ? [{ role: "user", content: messages }] : messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 ? { tools } : {}),
  });
  for await (const chunk of stream) {
    const [choice] = chunk.choices;
    const delta = choice?.delta as
      | {
          content?: string;
          reasoning_content?: string;
          tool_calls?: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall[];
        }
      | undefined;
    heard.text += delta?.content ?? "";
    heard.reasoning += delta?.reasoning_content ?? "";
    for (const piece of delta?.tool_calls ?? []) {
      heard.calls[piece.index] ??= { id: "", name: "", arguments: "" };
      const call = heard.calls[piece.index];
      if (!call) continue;
      call.id += piece.id ?? "";
      call.name += piece.function?.name ?? "";
      call.arguments += piece.function?.arguments ?? "";
    }
    heard.finish = choice?.finish_reason ?? heard.finish;
    heard.usage = chunk.usage ?? heard.usage;
  }
  return heard;
}

/** Sends the same POST by hand, to read status and body of what the client would turn into an exception. */
export async function post(
  model: LocalModel,
  body: unknown,
  headers: Record<string, string> = { authorization: "Bearer local" },
) {
  const response = await model.fetch(
    new Request("http://model.local/v1/chat/completions", {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
  return { response, text: await response.text() };
}
