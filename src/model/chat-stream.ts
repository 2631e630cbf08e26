// One streamed chat completion: our own request, with the stream and errors of the provider's SDK. The SDK's full client
// makes up a fifth of the bundle and of the startup time, and we need nothing else from it; we don't want its retries and
// its time limit.
import type OpenAI from "openai";
import { APIConnectionError, APIUserAbortError } from "openai/core/error";
import { Stream } from "openai/core/streaming";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { readProviderError } from "./provider-error.ts";

/** Where the request goes. */
export interface ChatEndpoint {
  apiKey: string;
  baseUrl: string;
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** Without a logger the SDK prints nothing: it would print what it can't parse, which is a person's conversation. */
const SILENT = {} as OpenAI;

/** Sends one request; throws the SDK's errors, and `ProviderError` for a refusal. Aborting the signal, or leaving the stream early, closes it. May run twice. */
export async function streamChat(
  { apiKey, baseUrl, fetch }: ChatEndpoint,
  body: object,
  signal: AbortSignal,
): Promise<Stream<ChatCompletionChunk>> {
  if (signal.aborted) throw new APIUserAbortError();
  const controller = new AbortController();
  signal.addEventListener("abort", () => controller.abort(), { once: true });
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    "Content-Type": "application/json",
    Accept: "text/event-stream",
  };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal: controller.signal };
  const response = await fetch(`${baseUrl}/chat/completions`, request).catch((error: unknown) => {
    if (signal.aborted) throw new APIUserAbortError();
    throw new APIConnectionError({ cause: error instanceof Error ? error : new Error(String(error)) });
  });
  if (!response.ok || !mayBeStream(response)) throw await readProviderError(response, signal);
  return Stream.fromSSEResponse<ChatCompletionChunk>(response, controller, SILENT);
}

/** A wrong address may give a page, and some servers answer an error as a success. A missing type says nothing. */
function mayBeStream({ headers }: Response): boolean {
  return !/^(?:text\/html|application\/json)\b/i.test(headers.get("content-type") ?? "");
}
