// Reads what a provider says when it refuses a request. Providers disagree about the format, so every known one is read here. Decides
// nothing: failure-reason.ts does. Loaded when a request is refused.
import { type Fields, parseJson, readFields, readList } from "./json-fields.ts";
import { ProviderError } from "./refused-request.ts";

/** The facts of a provider's error. `code` is a word or a number, as the provider writes it. */
export interface ProviderFacts {
  /** The status of the response; an error within a stream has none. */
  status?: number;
  code?: string;
  message: string;
  /** Everything that may name the cause: code, type, message, and the error of the server behind a gateway. */
  words: string;
  /** A gateway's moderation refused the content (OpenRouter: `metadata.reasons`). */
  isModerated?: true;
  isPage?: true;
  /** The wait that the body asks for. */
  retryAfterMs?: number;
  /** When the limit ends, by the provider's clock: milliseconds since 1970. */
  resetAt?: number;
}

/** No error needs more, and a body may be endless. */
const MAX_BODY_BYTES = 16_384;
const MAX_WORDS_CHARS = 4000;

/** Reads a refusal, at most its first 16 KiB. Rejects only when the request is aborted. */
export async function readProviderError(response: Response, signal: AbortSignal): Promise<ProviderError> {
  const text = await readStart(response.body, signal);
  return new ProviderError(readFacts(text, response), response.headers);
}

/** Returns the error for an event of a stream that contains one. */
export function errorFrom(json: unknown, headers: Headers): ProviderError {
  const message = "an error without a message";
  const found = readErrorBody(json) ?? readErrorBody(findInChoice(json));
  return new ProviderError(found ?? { message, words: message }, headers);
}

const findInChoice = (json: unknown): unknown => {
  const choices = readFields(json)?.choices;
  return Array.isArray(choices) ? choices.find((choice) => readFields(choice)?.error) : null;
};

/** Reads the facts from the text of a refusal, or of a success that is not an answer. */
export function readFacts(text: string, { status, ok, statusText, headers }: Response): ProviderFacts {
  const found = readErrorBody(parseJson(text));
  if (found) return { ...found, ...(ok ? {} : { status }) };
  const isPage = text.trimStart().startsWith("<");
  const to = ok ? null : headers.get("location");
  const plain = to ? describeRedirect(to) : isPage ? describePage(text) : text.trim();
  return {
    ...(ok ? {} : { status }),
    ...(isPage && { isPage }),
    message: (ok ? "an answer that can't be read: " : "") + (plain || statusText || "no message"),
    words: plain.slice(0, MAX_WORDS_CHARS),
  };
}

async function readStart(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk.subarray(0, MAX_BODY_BYTES - bytes), { stream: true });
      bytes += chunk.byteLength;
      if (bytes >= MAX_BODY_BYTES) break;
    }
  } catch (error) {
    // The status alone says a lot, so a body that breaks off is not a separate failure.
    if (signal.aborted) throw error;
  }
  return text;
}

/** Names the target of a redirect, which may be the right address. Its query and hash may be secret, so they are left out. */
const describeRedirect = (to: string): string => `a redirect to ${to.replace(/[?#].*/s, "")}`;

/** Describes a proxy's error page by its title. */
function describePage(html: string): string {
  const [, title = ""] = /<title[^>]{0,200}>([^<]{0,200})/i.exec(html) ?? [];
  return `a web page instead of an answer: ${title.replaceAll(/\s+/g, " ").trim() || "no title"}`;
}

/**
 * Reads the error in a body or in a stream's event; null if there is none. Known formats: `{error: {message, code, type}}` (OpenAI, Groq,
 * OpenRouter), `{error: "text"}` (xAI), a list of those (Gemini), `{message, code}` (Mistral, vLLM), `{detail}` (FastAPI) and `{errors: [{code,
 * message}]}` (Workers AI).
 */
function readErrorBody(json: unknown): Omit<ProviderFacts, "status"> | null {
  const body = readFields(Array.isArray(json) ? json[0] : json);
  if (!body) return null;
  const error = findError(body);
  const { raw, reasons, headers } = readFields(error.metadata) ?? {};
  const own = error === body ? body.error : undefined;
  const message = textFrom(error.message ?? own ?? error.detail ?? error.msg ?? error.reason ?? error.error_message);
  const code = textFrom(error.code ?? error.status ?? (error === body ? body.error_type : body.code));
  if (message === "" && code === "") return null;
  const behind = textFrom(raw);
  const inner = textFrom(readFields(error.innererror)?.code);
  const said = [code, textFrom(error.type), textFrom(error.status), own === undefined ? "" : textFrom(own), message];
  // Xiaomi puts the cause there.
  const param = textFrom(error.param);
  const retryAfterMs = readRetryDelay(error.details);
  const resetAt = Number(readFields(headers)?.["X-RateLimit-Reset"] ?? "never");
  return {
    ...(code !== "" && { code }),
    message: [message || code, behind].filter((part) => part !== "").join(": "),
    words: [...said, inner, behind, reasonsOf(error.details), param].join(" ").slice(0, MAX_WORDS_CHARS),
    ...(Array.isArray(reasons) && { isModerated: true as const }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(Number.isFinite(resetAt) && { resetAt }),
  };
}

/** Finds the object that contains the message: inside one or two wrappers, or the first of a list. */
function findError(body: Fields): Fields {
  const first = (value: unknown) => readFields(Array.isArray(value) ? value[0] : value);
  const inner = first(body.error) ?? first(body.errors);
  return inner ? (readFields(inner.error) ?? inner) : body;
}

/** Returns the reason and the limit that was exceeded, which Google puts in a list next to the message, along with the time to wait. */
const reasonsOf = (details: unknown): string =>
  readList(details)
    .map(readFields)
    .map((detail) => textFrom(detail?.reason) + textFrom(detail?.violations))
    .join(" ");

function readRetryDelay(details: unknown): number | null {
  const delays = readList(details).map((detail) =>
    /^(\d{1,6}(?:\.\d+)?)s$/.exec(textFrom(readFields(detail)?.retryDelay)),
  );
  const [, seconds] = delays.find((delay) => delay !== null) ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

function textFrom(value: unknown): string {
  if (value === undefined || value === null) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, MAX_WORDS_CHARS);
}
