// Workers AI: the model of a deployment without a key. It is called through the binding `AI`, so it needs neither an address nor a key.
import { WORKERS_AI_MODEL } from "./defaults.ts";
import { priceOf } from "./prices.ts";

/** How each of its models is reached. Nothing is ever sent to this address; `/health` shows its host. */
export const WORKERS_AI = { provider: "workers-ai", baseUrl: "https://workers-ai.internal/v1", apiKey: "" } as const;
const CONTEXT_TOKENS = 131_072;

/** Whether the environment has the binding. */
export function hasWorkersAi(env: unknown): boolean {
  const { AI } = env as { AI?: unknown };
  return typeof AI === "object" && AI !== null;
}

/** Returns the single model if no key is configured. `model`: OPENAI_MODEL, which is another provider's unless it begins with `@cf/`. */
export function workersAiModel(model: string | null) {
  const name = model?.startsWith("@cf/") ? model : WORKERS_AI_MODEL;
  return { id: "default", model: name, ...knownOf(name) };
}

/** Returns what is known about one of its models from its name. */
export const knownOf = (name: string) => ({
  ...priceOf(name),
  ...(name === WORKERS_AI_MODEL && { contextTokens: CONTEXT_TOKENS, images: false as const }),
  ...WORKERS_AI,
});
