// What a provider says when it refuses a request: providers disagree about the shape, so every known one is read here. Decides
// nothing: failure-reason.ts does.

/** The facts of a provider's error. `code` is a word or a number, as the provider writes it. */
export interface ProviderFacts {
  /** Of the response; an error within a stream has none. */
  status?: number;
  code?: string;
  message: string;
  /** Everything that names the cause: code, type, message and the error of the server behind a gateway. */
  words: string;
  /** A gateway's moderation refused the content (OpenRouter: `metadata.reasons`). */
  isModerated?: true;
  isPage?: true;
}

/** A refused request. */
export class ProviderError extends Error {
  readonly facts: ProviderFacts;
  readonly headers: Headers;

  constructor(facts: ProviderFacts, headers: Headers) {
    super(facts.message);
    this.facts = facts;
    this.headers = headers;
  }
}

/** No error needs more, and a body may have no end. */
const MAX_BODY_BYTES = 16_384;
const MAX_WORDS_CHARS = 4000;

/** Reads the refusal, at most its first 16 KiB. Rejects only when the request is aborted. */
export async function readProviderError(response: Response, signal: AbortSignal): Promise<ProviderError> {
  const text = await readStart(response.body, signal);
  return new ProviderError(readFacts(text, response), response.headers);
}

function readFacts(text: string, { status, ok, statusText }: Response): ProviderFacts {
  const found = readErrorBody(parseJson(text));
  if (found) return { ...found, ...(ok ? {} : { status }) };
  const isPage = text.trimStart().startsWith("<");
  const plain = isPage ? describePage(text) : text.trim();
  return {
    ...(ok ? {} : { status }),
    ...(isPage ? { isPage } : {}),
    message: (ok ? "an answer that is no stream: " : "") + (plain || statusText || "no message"),
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
    // The status alone says a lot, so a body that breaks off is no failure of its own.
    if (signal.aborted) throw error;
  }
  return text;
}

/** A proxy's error page, by its title. */
function describePage(html: string): string {
  const [, title = ""] = /<title[^>]{0,200}>([^<]{0,200})/i.exec(html) ?? [];
  return `a web page instead of an answer: ${title.replaceAll(/\s+/g, " ").trim() || "no title"}`;
}

/**
 * Reads the error in a body or in a stream's event; null when there is none. Known shapes: `{error: {message, code, type}}`
 * (OpenAI, Groq, OpenRouter), `{error: "text"}` (xAI), a list of those (Gemini), `{message, code}` (Mistral, vLLM), `{detail}`
 * (FastAPI) and `{errors: [{code, message}]}` (Workers AI).
 */
export function readErrorBody(json: unknown): Omit<ProviderFacts, "status"> | null {
  const body = fields(Array.isArray(json) ? json[0] : json);
  if (!body) return null;
  const listed = fields(Array.isArray(body.errors) ? body.errors[0] : null);
  const error = fields(body.error) ?? listed ?? body;
  const { metadata } = error;
  const { raw, reasons } = fields(metadata) ?? {};
  const message = textFrom(error.message ?? (error === body ? body.error : undefined) ?? error.detail);
  const code = textFrom(error.code ?? error.status ?? (error === body ? undefined : body.code));
  if (message === "" && code === "") return null;
  const behind = textFrom(raw);
  const words = [code, textFrom(error.type), textFrom(error.status), message, behind].join(" ");
  return {
    ...(code === "" ? {} : { code }),
    message: [message || code, behind].filter((part) => part !== "").join(": "),
    words: words.slice(0, MAX_WORDS_CHARS),
    ...(Array.isArray(reasons) ? { isModerated: true as const } : {}),
  };
}

const fields = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;

function textFrom(value: unknown): string {
  if (value === undefined || value === null) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, MAX_WORDS_CHARS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
