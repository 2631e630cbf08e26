// Workers AI as the `fetch` of the OpenAI-compatible client: the same request goes through Cloudflare's binding instead of to an address.
// Its models answer in two stream formats, some with a whole JSON object, and errors are thrown: all of it is converted into what the
// client reads.
import { parseJson, readFields, readList } from "./json-fields.ts";
import { buildStream, createNativeReader } from "./workers-ai-answer.ts";

/** The part of the binding `AI` that is used. It may throw, and its answers may have any format. */
export interface WorkersAi {
  run(model: string, inputs: object, options: { returnRawResponse: true; signal?: AbortSignal }): Promise<Response>;
}

/** Some of the older models stop after 256 tokens by default. This is enough for a long answer of a model that thinks. */
const DEFAULT_MAX_TOKENS = 8192;

/**
 * The statuses of its errors, which REST answers contain and thrown errors do not. 5035, a model that needs Workers Paid, is a matter of money;
 * it comes with 403, which would look like a wrong key.
 */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  "3006": 413,
  "3007": 408,
  "3008": 408,
  "3023": 403,
  "3036": 429,
  "3040": 429,
  "3042": 404,
  "4006": 429,
  "5007": 400,
  "5016": 403,
  "5035": 402,
};
const UNKNOWN_STATUS = 502;

/** Creates the `fetch`. It ignores the address, and rejects only when the request is aborted. May run twice, and costs money each time. */
export function createWorkersAiFetch(ai: WorkersAi): (url: unknown, init?: RequestInit) => Promise<Response> {
  return async (_, init = {}) => {
    const body = (await new Response(init.body).json()) as RequestBody;
    const { signal } = init;
    try {
      const response = await askWorkersAi(ai, body.model, inputsFrom(body), signal);
      return response.ok ? await answered(response) : response;
    } catch (error) {
      if (signal?.aborted) throw error;
      return thrown(error);
    }
  };
}

/** Asks one model once. Rejects only when the request is aborted: anything thrown becomes the refusal that it means. */
export async function askWorkersAi(
  ai: WorkersAi,
  model: string,
  inputs: object,
  signal?: AbortSignal | null,
): Promise<Response> {
  try {
    const response = await ai.run(model, inputs, { returnRawResponse: true, ...(signal && { signal }) });
    return response.ok ? response : await refused(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    return thrown(error);
  }
}

interface RequestBody {
  model: string;
  messages: { content?: unknown }[];
  max_completion_tokens?: number;
  [field: string]: unknown;
}

/** Builds the inputs. The models refuse null as content, and the older ones know only the older name of the limit. */
function inputsFrom({ model: _, max_completion_tokens: limit, messages, ...rest }: RequestBody): object {
  return {
    ...rest,
    messages: messages.map((message) => ({ ...message, content: message.content ?? "" })),
    max_tokens: limit ?? rest.max_tokens ?? DEFAULT_MAX_TOKENS,
  };
}

/** Returns the stream in the client's format. Some models answer with a whole object although a stream was requested. */
async function answered(response: Response): Promise<Response> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  if (isStream && response.body)
    return eventStream(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(createNativeReader()));
  const text = await response.text();
  const json = readFields(parseJson(text));
  if (json === null) return failure(UNKNOWN_STATUS, "", text.slice(0, 500));
  return eventStream(new Blob([buildStream(json)]).stream().pipeThrough(new TextDecoderStream()));
}

const eventStream = (body: ReadableStream<string>): Response =>
  new Response(body.pipeThrough(new TextEncoderStream()), { headers: { "content-type": "text/event-stream" } });

/**
 * Converts a refusal. A body in a known format is kept; only the status is corrected if we know a better one for its code. The binding's own
 * format, from which workerd builds what it would throw (ai-api.ts), is converted to that of REST.
 */
async function refused(response: Response): Promise<Response> {
  const text = await response.text();
  const { errors, internalCode, description } = readFields(parseJson(text)) ?? {};
  const code = String(internalCode ?? (readFields(readList(errors)[0])?.code || ""));
  const body = internalCode ? JSON.stringify({ errors: [{ code, message: description }] }) : text;
  const headers = new Headers({ "content-type": response.headers.get("content-type") ?? "application/json" });
  const retryAfter = response.headers.get("retry-after");
  if (retryAfter !== null) headers.set("retry-after", retryAfter);
  return new Response(body, { status: STATUS_BY_CODE[code] ?? response.status, headers });
}

/** Converts a thrown error, which says `<code>: <text>`. */
function thrown(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  const [, code = "", text = message] = /(?:^|\s)(\d{4}): ?([\s\S]*)$/.exec(message) ?? [];
  return failure(STATUS_BY_CODE[code] ?? UNKNOWN_STATUS, code, text);
}

const failure = (status: number, code: string, message: string): Response =>
  Response.json({ errors: [{ ...(code !== "" && { code }), message }] }, { status });
