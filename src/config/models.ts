// Reads the variable MODELS: the models to try, in order. Problems name the field and never show a value.

import {
  array,
  int,
  literal,
  looseObject,
  maximum,
  minimum,
  minLength,
  number,
  object,
  optional,
  positive,
  regex,
  string,
} from "zod/mini";
import { parseJson } from "../core/json.ts";
import type { Price } from "../core/money/price.ts";
import { once } from "../core/once.ts";
import { SNOWFLAKE } from "./access.ts";
import { isHttp } from "./addresses.ts";
import { OPENAI } from "./defaults.ts";
import { type HeaderTexts, headerTexts, readNamedHeaders } from "./headers.ts";
import { checkKey, shownName } from "./pasted.ts";
import { priceOf } from "./prices.ts";
import { hasWorkersAi, knownOf } from "./workers-ai.ts";
import { wrongEntry } from "./wrong-entry.ts";

/** Far above any list price; anything higher is in the wrong unit. */
const MAX_PRICE = 100_000;

/** One model at an OpenAI-compatible endpoint. */
export interface ModelConfig {
  /** Its name for people and settings. */
  id: string;
  /** Its name at the provider. */
  model: string;
  /** Called through the binding `AI`, without an address and a key. */
  provider?: "workers-ai";
  baseUrl: string;
  apiKey: string;
  family?: string;
  /** How it calls tools; the default is `native`. */
  toolMode?: "native" | "fallback" | "none";
  /** The most tokens of a whole request. */
  contextTokens?: number;
  maxOutputTokens?: number;
  /**
   * False: it accepts only text. `url`: its provider fetches pictures from Discord. `inline`: we fetch them and send their bytes.
   * Missing: not known, so `url`.
   */
  images?: false | "url" | "inline";
  /** Added to the body of each request. */
  params?: Readonly<Record<string, unknown>>;
  /** Sent with each request. */
  headers?: HeaderTexts;
  /** Sent with each request. They are secret. */
  secretHeaders?: HeaderTexts;
  /** Missing: not known, so only its tokens are counted. */
  price?: Price;
  /** The model that replaces it once its provider no longer knows it. Only the default model at OpenAI itself has one. */
  successor?: { model: string; price?: Price };
  /** US dollars per minute of sound or per picture, for a model that listens or draws. Missing: not known. */
  unitPrice?: number;
  /** The ids of the only servers that may use it; missing: everyone may. */
  onlyServers?: readonly string[];
}

const KEY_HEADER = /^(?:authorization|api-key|x-api-key)$/i;

/** Dollars per million tokens. */
const price = () => number().check(minimum(0), maximum(MAX_PRICE));

/** The schema of `MODELS`. Made once, when first needed: a schema costs time at every cold start, and each object reads the variables. */
export const modelList = once(() =>
  array(
    object({
      id: string().check(minLength(1)),
      model: string().check(minLength(1)),
      provider: optional(literal("workers-ai")),
      baseUrl: optional(string()),
      apiKeyVar: optional(string()),
      family: optional(string()),
      toolMode: optional(literal(["native", "fallback", "none"])),
      images: optional(literal([true, false, "url", "inline"])),
      params: optional(looseObject({})),
      headers: optional(headerTexts()),
      headersVar: optional(string().check(minLength(1))),
      contextTokens: optional(int().check(positive())),
      maxOutputTokens: optional(int().check(positive())),
      price: optional(
        object({ input: price(), cachedInput: optional(price()), cacheWrite: optional(price()), output: price() }),
      ),
      unitPrice: optional(price()),
      onlyServers: optional(array(string().check(regex(SNOWFLAKE)))),
    }),
  ).check(minLength(1)),
);

const priced = (model: string) => ({ model, ...priceOf(model) });

const OPENAI_ITSELF = /^https:\/\/([a-z]+\.)?api\.openai\.com(\/|$)/i;

/** Returns the model of this name at this address; null: none was named. It has a successor only at OpenAI, which alone can end the default. */
export function namedModel(name: string | null, at: string): Pick<ModelConfig, "model" | "price" | "successor"> {
  const model = priced(name ?? OPENAI.model);
  return name === null && OPENAI_ITSELF.test(at) ? { ...model, successor: priced(OPENAI.successor) } : model;
}

/**
 * Reads the models of `MODELS`; an entry without an address or a key has the single model's. If the variable is not set, there is only that
 * model. `openai`: the address of entries that have a key but no address, even if the single model is Workers AI's.
 */
export function readModels(
  json: string | null,
  single: ModelConfig,
  openai: string,
  env: unknown,
  problems: string[],
): readonly [ModelConfig, ...ModelConfig[]] {
  if (json === null) return [single];
  const parsed = modelList().safeParse(parseJson(json));
  if (!parsed.success) {
    const where = wrongEntry(parsed.error.issues[0]?.path ?? [], "it must be a JSON list that is not empty");
    problems.push(`MODELS is not a list of models: ${where}`);
    return [single];
  }
  const variable = (name: string) => (env as Record<string, unknown>)[name];
  const [first = single, ...others] = parsed.data.map((entry, index): ModelConfig => {
    const { baseUrl, apiKeyVar, headersVar, images, ...model } = entry;
    if (baseUrl !== undefined && !isHttp(baseUrl))
      problems.push(`MODELS.${index}.baseUrl must be an http or https address without a password`);
    const pictures = images === undefined ? {} : { images: images === true ? ("url" as const) : images };
    if (model.provider ?? (baseUrl === undefined && apiKeyVar === undefined ? single.provider : undefined)) {
      if (!hasWorkersAi(env)) problems.push(`MODELS.${index} uses Workers AI, but there is no binding AI`);
      return { ...knownOf(model.model), ...defined(model), ...pictures };
    }
    const found = apiKeyVar === undefined ? single.apiKey : variable(apiKeyVar);
    const apiKey = typeof found === "string" ? found.trim() : "";
    const secretHeaders = readNamedHeaders(headersVar, `MODELS.${index}.headersVar`, variable, problems);
    // A header may be the key; then no other is sent.
    const isKeyed = Object.keys({ ...model.headers, ...secretHeaders }).some((name) => KEY_HEADER.test(name));
    if (!apiKey && !isKeyed)
      problems.push(`${shownName(apiKeyVar ?? "OPENAI_API_KEY", `MODELS.${index}.apiKeyVar`)} is missing`);
    if (apiKeyVar !== undefined) checkKey(apiKeyVar, apiKey, problems);
    return {
      ...priceOf(model.model),
      ...defined(model),
      ...pictures,
      ...(headersVar !== undefined && { secretHeaders }),
      baseUrl: baseUrl?.replace(/\/+$/, "") ?? openai,
      apiKey: isKeyed ? "" : apiKey,
    };
  });
  return [first, ...others];
}

/** Returns the id of the model that summarizes, which must be one of them; null: none is named. */
export function readSummaryModel(id: string | null, models: readonly ModelConfig[], problems: string[]): string | null {
  if (id !== null && !models.some((model) => model.id === id)) problems.push("SUMMARY_MODEL is not the id of a model");
  return id;
}

/** Drops undefined fields, so that they never replace a default. */
function defined<Fields extends object>(fields: Fields): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
