// Makes one call of a model that draws or listens: an HTTP request to an OpenAI-compatible endpoint, or Workers AI's binding. Loaded when
// used.
import type { ModelFailure } from "../core/state/ending.ts";
import { createRequestTo, type Endpoint, secretsOf } from "./endpoint.ts";
import { failureFrom } from "./failure.ts";
import { type Fields, parseJson, readFields } from "./json-fields.ts";
import { readFacts, readProviderError } from "./provider-error.ts";
import { readAtMost } from "./read-at-most.ts";
import { ProviderError } from "./refused-request.ts";
import { askWorkersAi, type WorkersAi } from "./workers-ai.ts";

/** A model that draws or listens, and the way to it. */
export interface MediaModel extends Endpoint {
  model: string;
  /** Present if it is a model of Workers AI; nothing is sent to the address then. */
  ai?: WorkersAi | undefined;
  /** Added to each request. */
  params?: Readonly<Record<string, unknown>>;
  /** US dollars per minute of sound or per picture; missing: unknown. */
  unitPrice?: number;
}

/** One request, for a provider's endpoint or for the binding. Each form is built only when it is sent. */
export interface MediaRequest {
  path: string;
  body: () => string | FormData;
  /** For the binding. */
  inputs: () => object;
}

/** What the model made: the fields of its JSON, or the bytes of a picture. `mayCost`: it may have done its work although the call failed. */
export type MediaAnswer =
  | { ok: true; fields: Fields }
  | { ok: true; bytes: Uint8Array }
  | { ok: false; failure: ModelFailure; mayCost?: true };

/** Asks once, and reads at most `maxBytes`. Never throws. A call costs money, so only its caller may repeat it. */
export async function callMedia(
  model: MediaModel,
  { path, body, inputs }: MediaRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<MediaAnswer> {
  let hasAnswered = false;
  try {
    const response = model.ai
      ? await askWorkersAi(model.ai, model.model, inputs(), signal)
      : await send(model, path, body(), signal);
    if (!response.ok) throw await readProviderError(response, signal);
    hasAnswered = true;
    const bytes = await readAtMost(response, maxBytes);
    if (!bytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    if (response.headers.get("content-type")?.startsWith("image/")) return { ok: true, bytes };
    const text = new TextDecoder().decode(bytes);
    const fields = readFields(parseJson(text));
    if (!fields) throw new ProviderError(readFacts(text, response), response.headers);
    // REST answers of Workers AI, and of gateways to it, have a wrapper.
    return { ok: true, fields: readFields(fields.result) ?? fields };
  } catch (error) {
    const failure = failureFrom(error, signal, secretsOf(model));
    // An answer that breaks off, or is too long to be read, was made. A web page in its place was not.
    const isLost = hasAnswered && !(error instanceof ProviderError);
    return { ok: false, failure, ...((isLost || LEFT_EARLY.includes(failure.reason)) && { mayCost: true }) };
  }
}

/** Failures after which the provider may have done its work although the result was lost. */
const LEFT_EARLY: readonly ModelFailure["reason"][] = ["aborted", "timeout", "bad_stream"];

/** Sends the request. A redirect is not followed, because it would carry the key to another server. */
function send(model: MediaModel, path: string, body: string | FormData, signal: AbortSignal): Promise<Response> {
  const [address, init] = createRequestTo(model, path, body);
  return model.fetch(address, { ...init, redirect: "manual", signal });
}
