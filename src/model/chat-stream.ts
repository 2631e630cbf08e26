// Sends one chat completion request and streams its answer as chunks, however the server sends it. Retries and time limits belong to the
// turn.
import type { ModelFailure } from "../core/state/ending.ts";
import { type Fields, parseJson, readFields } from "./json-fields.ts";
import { ProviderError } from "./refused-request.ts";
import { isLastData, readServerEvents } from "./server-events.ts";

/** The failure of an aborted request. */
export const ABORTED: ModelFailure = { reason: "aborted", message: "the request was aborted" };

/** The connection was never made, or broke before the answer began. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super("Connection error.", { cause: cause instanceof Error ? cause : new Error(String(cause)) });
  }
}

/**
 * Sends one request and yields the chunks of its answer. Throws `ProviderError` for a refusal, even within the stream, and `ConnectionError`.
 * Aborting the signal, or leaving early, closes the connection. May run twice. `send` makes the request, with the signal; it is a function
 * because the bytes of a request held here would stay in memory until the answer ends. `learns`: whether to send another request after this
 * refusal. `isFinished`: whether, after what was yielded, silence counts as the end.
 */
export async function* streamChat(
  send: () => Promise<Response>,
  signal: AbortSignal,
  learns: (refusal: ProviderError) => Promise<boolean>,
  isFinished: () => boolean,
): AsyncGenerator<Fields> {
  if (signal.aborted) throw new Error("aborted");
  for (;;) {
    const response = await connect(send);
    let refusal = response.ok ? null : await (await loadReader()).readProviderError(response, signal);
    let hasBegun = false;
    for await (const event of readServerEvents(refusal ? null : response.body, isFinished)) {
      if (event.kind === "body") {
        yield await readWholeBody(event.text, response);
        return;
      }
      const { name, data, isTail } = event;
      if (data.trim() === "") continue;
      if (isLastData(data)) return;
      const json = parseJson(data);
      const isNamed = name === "error";
      if (isNamed || isError(json)) {
        refusal = (await loadReader()).errorFrom(json ?? { message: data }, response.headers);
        break;
      }
      const chunk = readFields(json);
      // If the connection ends in the middle of an event, that event is worthless. So is a keep-alive that should be a comment (Vertex AI).
      if (!chunk && (isTail || !data.trimStart().startsWith("{"))) continue;
      // Its content is a person's conversation, so it must not appear in the message.
      if (!chunk) throw new SyntaxError("the stream contained something that is not JSON");
      hasBegun = true;
      yield chunk;
    }
    if (!refusal) return;
    if (hasBegun || !(await learns(refusal))) throw refusal;
  }
}

/** Loads the reader of errors only when needed: most requests are not refused. */
const loadReader = () => import("./provider-error.ts");

const connect = (send: () => Promise<Response>): Promise<Response> =>
  send().catch((error: unknown) => {
    throw new ConnectionError(error);
  });

/** Whether an error field contains anything. Some servers send all fields of an error, empty, with every success (Apertis: litellm#18493). */
const saysAnything = (error: unknown): boolean => Object.values(readFields(error) ?? { error }).some(Boolean);

/** Reads an answer that is not a stream. A server that does not stream answers in one piece; a wrong address returns a page. */
async function readWholeBody(text: string, response: Response): Promise<Fields> {
  const json = parseJson(text);
  const whole = readFields(json);
  // Cloudflare wraps the answer of a model.
  const answer = [whole, readFields(whole?.result)].find((one) => one && Array.isArray(one.choices) && !isError(one));
  if (answer) return answer;
  throw new ProviderError((await loadReader()).readFacts(text, response), response.headers);
}

/**
 * Whether a chunk is an error. Apart from `error`, there are errors in place of the chunk (vLLM), in its choice (OpenRouter), in a list (Gemini),
 * and with the fields of a plain refusal (DeepInfra: `error_message`).
 */
function isError(json: unknown): boolean {
  const chunk = readFields(Array.isArray(json) ? json[0] : json);
  if (!chunk) return false;
  if (saysAnything(chunk.error) || chunk.object === "error" || chunk.type === "error") return true;
  if (Array.isArray(chunk.choices)) return chunk.choices.some((choice) => saysAnything(readFields(choice)?.error));
  const { detail, errors, message, code, error_message: said } = chunk;
  return Boolean(detail || said || (Array.isArray(errors) && errors.length > 0) || (message && code));
}
