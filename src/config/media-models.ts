// Reads TRANSCRIBE_MODEL and IMAGE_MODEL: the models that listen and that draw. Each is the id of an entry of MODELS, which then answers no
// questions, or a model's name at the provider of the first entry.
import type { ModelConfig } from "./models.ts";
import { hasWorkersAi, WORKERS_AI } from "./workers-ai.ts";

/** The variables' names. */
export type MediaName = "TRANSCRIBE_MODEL" | "IMAGE_MODEL";

/** All models by what they do. */
export interface SplitModels {
  /** The models that answer questions, in the order in which they are tried. */
  models: readonly [ModelConfig, ...ModelConfig[]];
  /** The model that transcribes sounds, and the one that draws pictures; null: none does. */
  transcribeModel: ModelConfig | null;
  imageModel: ModelConfig | null;
}

/** The model that listens by default if Workers AI answers, which has no key that another provider could use. */
const WORKERS_AI_EARS = "@cf/openai/whisper-large-v3-turbo";
/** Workers AI's list prices of August 2026, in US dollars per minute of sound or per picture of 1024 × 1024. */
const UNIT_PRICES: Readonly<Record<string, number>> = {
  [WORKERS_AI_EARS]: 0.0005,
  "@cf/black-forest-labs/flux-1-schnell": 0.0006,
  "@cf/black-forest-labs/flux-2-klein-4b": 0.0012,
};

/** Separates the models that listen and draw from the others. Adds each problem, which names its variable. */
export function splitMediaModels(
  all: readonly [ModelConfig, ...ModelConfig[]],
  value: (name: MediaName) => string | null,
  env: unknown,
  problems: string[],
): SplitModels {
  const names = [value("TRANSCRIBE_MODEL"), value("IMAGE_MODEL")];
  const [first, ...others] = all.filter(({ id }) => !names.includes(id));
  if (!first) problems.push("MODELS has no chat model besides TRANSCRIBE_MODEL and IMAGE_MODEL");
  const models = [first ?? all[0], ...others] as const;
  if (models.every(({ onlyServers }) => onlyServers !== undefined))
    problems.push("MODELS has no model without onlyServers, so most places have none");
  const find = (name: MediaName, fallback: string | null): ModelConfig | null => {
    const wanted = value(name) ?? fallback;
    if (wanted === null) return null;
    const found = all.find(({ id }) => id === wanted) ?? atProvider(wanted, models[0], env);
    if (found) return { ...unitPriceOf(found.model), ...found };
    problems.push(`${name} is neither the id of an entry of MODELS nor a model that can be reached`);
    return null;
  };
  const ears = models[0].provider === "workers-ai" && hasWorkersAi(env) ? WORKERS_AI_EARS : null;
  return { models, transcribeModel: find("TRANSCRIBE_MODEL", ears), imageModel: find("IMAGE_MODEL", null) };
}

/** Whether the price of any of them is known. */
export const arePriced = ({ models, transcribeModel, imageModel }: SplitModels): boolean =>
  models.some(({ price }) => price) || [transcribeModel, imageModel].some((model) => model?.unitPrice !== undefined);

/** Returns a model at the first one's provider or at Workers AI; null if it can't be there. */
function atProvider(model: string, first: ModelConfig, env: unknown): ModelConfig | null {
  if (model.startsWith("@cf/")) return hasWorkersAi(env) ? { id: model, model, ...WORKERS_AI } : null;
  if (first.provider) return null;
  const { baseUrl, apiKey, headers, secretHeaders } = first;
  return { id: model, model, baseUrl, apiKey, ...(headers && { headers }), ...(secretHeaders && { secretHeaders }) };
}

const unitPriceOf = (model: string): Pick<ModelConfig, "unitPrice"> => {
  const unitPrice = Object.hasOwn(UNIT_PRICES, model) ? UNIT_PRICES[model] : undefined;
  return unitPrice === undefined ? {} : { unitPrice };
};
