// Workers AI: the model of a deployment without a key. It is called through the binding `AI`, so it has neither an address nor a key.
import { WORKERS_AI_MODEL } from "./defaults.ts";
import { priceOf } from "./prices.ts";

/** How each of its models is reached. Nothing is ever sent to the address; `/health` shows its host. */
export const WORKERS_AI = { provider: "workers-ai", baseUrl: "https://workers-ai.internal/v1", apiKey: "" } as const;
const CONTEXT_TOKENS = 131_072;

/** Does the environment have the binding? */
export function hasWorkersAi(env: unknown): boolean {
  const { AI } = env as { AI?: unknown };
  return typeof AI === "object" && AI !== null;
}

/** The single model where no key is configured. `model`: OPENAI_MODEL, which is another provider's unless it begins with `@cf/`. */
export function workersAiModel(model: string | null) {
  const name = model?.startsWith("@cf/") ? model : WORKERS_AI_MODEL;
  return { id: "default", model: name, ...knownOf(name) };
}

/** What is known of one of its models by its name. */
export const knownOf = (name: string) => ({
  ...priceOf(name),
  ...(name === WORKERS_AI_MODEL && { contextTokens: CONTEXT_TOKENS, images: false as const }),
  ...WORKERS_AI,
});
