// A model at an OpenAI-compatible endpoint: implements the port `Model` with one HTTP request per call.
import type { Price } from "../core/money/price.ts";
import { once } from "../core/once.ts";
import type { Model, ModelRequest, ToolMode } from "../turn/ports.ts";
import { readAnswer } from "./answer-events.ts";
import { streamChat } from "./chat-stream.ts";
import { answerRequests, type Endpoint, secretsOf } from "./endpoint.ts";
import type { Fields } from "./json-fields.ts";
import { findQuirks, type Quirks } from "./quirks.ts";
import type { ProviderError } from "./refused-request.ts";
import { requestBody } from "./request-body.ts";

/** Where a model is and how it is called. */
export interface OpenAiParams extends Endpoint {
  model: string;
  family?: string;
  toolMode?: ToolMode;
  contextTokens?: number;
  maxOutputTokens?: number;
  /** `url` (and missing): its provider fetches pictures, and we do if it says that it can't; `inline`: we read them and send their bytes. */
  images?: false | "url" | "inline";
  /** Reads pictures; missing: `fetch` does. A model behind a binding needs this, because its `fetch` can't reach pictures. */
  fetchPicture?: Endpoint["fetch"];
  /** Added to the body of each request. */
  params?: Readonly<Record<string, unknown>>;
  /** Identifies the conversation for a provider's cache, and reveals nothing about it; at most 64 characters. */
  cacheKey?: string;
  price?: Price;
  /** The model that takes its place once its provider no longer knows it. */
  successor?: { model: string; price?: Price };
}

/** Families of models that repeat their answer after a tool call. */
const REPEATS_ITSELF: ReadonlySet<string> = new Set(["novelai"]);

/**
 * Creates a model. Each call sends one HTTP request, in addition to those for pictures, and another one if the server refuses a field that can be
 * left out. The contract is in the port `Model`.
 */
export function createOpenAiModel(params: OpenAiParams): Model {
  const { family, contextTokens, maxOutputTokens, images, cacheKey } = params;
  let { model, price, successor } = params;
  let quirks: Quirks = { ...findQuirks(params.baseUrl, model), isInline: images === "inline" };
  const secrets = secretsOf(params);
  const requests = once(() => answerRequests(params));
  const inline = once(() =>
    import("./inline-images.ts").then((read) => read.createInlineImages(params.fetchPicture ?? params.fetch)),
  );
  const send = (body: Fields, signal: AbortSignal) => {
    const [url, init] = requests()(body);
    // A redirect would carry the key to another server.
    return params.fetch(url, { ...init, redirect: "manual", signal });
  };
  /**
   * Learns from a refusal; returns whether to send the request again. What a server refuses once is not sent to it again during this life or, if
   * noted in `own`, in this request only.
   */
  const learns = async (refusal: ProviderError, { messages, isLastModel }: ModelRequest, own: Quirks) => {
    const hasPictures = !own.isBlind && messages.some((message) => message.role === "user" && message.images);
    const learned = (await import("./learn-quirk.ts")).learnQuirk(quirks, refusal.facts, hasPictures);
    if (learned?.isUnread) {
      own.isBlind = true;
      return true;
    }
    if (!learned || (!isLastModel && (learned.isBlind || learned.noTools))) return false;
    // Without tools the request is a different one, which the turn builds.
    const mayRepeat = learned.noTools === quirks.noTools;
    quirks = learned;
    return mayRepeat;
  };
  const stream: Model["stream"] = (request, signal) => {
    const own: Quirks = {};
    const post = (whole: ModelRequest) =>
      send(
        requestBody(model, whole, { maxOutputTokens, params: params.params, cacheKey, quirks: { ...quirks, ...own } }),
        signal,
      );
    const sent = async () => post(quirks.isInline ? await (await inline())(request, signal) : request);
    const open = (mayBeSilent: () => boolean) =>
      streamChat(sent, signal, (refusal) => learns(refusal, request, own), mayBeSilent);
    return readAnswer(open, { model, messages: request.messages, secrets, habits: quirks, signal });
  };
  return {
    get name() {
      return model;
    },
    ...(family !== undefined && REPEATS_ITSELF.has(family) && { endsTurnAfterText: true as const }),
    get toolMode() {
      return params.toolMode ?? (quirks.plainTalk ? "none" : quirks.noTools ? "fallback" : "native");
    },
    ...(contextTokens !== undefined && { contextTokens }),
    get images() {
      return images !== false && !quirks.isBlind;
    },
    get price() {
      return price;
    },
    succeed() {
      if (!successor) return false;
      ({ model, price } = successor);
      successor = undefined;
      return true;
    },
    stream,
  };
}
