// The model adapter against the local model on a real loopback port, through the runtime's own fetch.
import { createOpenAiModel } from "../../src/model/openai.ts";
import { createLocalModel, type LocalModel } from "../../src/playground/model/model.ts";
import type { ScriptStep } from "../../src/playground/model/script.ts";
import { type Served, serve } from "../../src/playground/serve.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/turn/ports.ts";

/** The key that no failure may show. */
export const KEY = "sk-hosted-0123456789abcdef";

/** A local model that listens, and the product's adapter in front of it. */
export interface Hosted {
  local: LocalModel;
  model: Model;
  served: Served;
}

/** Hosts a local model whose pauses take no time. */
export async function host(): Promise<Hosted> {
  const local = createLocalModel({ now: () => 1_900_000_000_000, sleep: async () => {} });
  const served = await serve((request) => local.fetch(request));
  return { local, served, model: modelAt(served.url) };
}

/** The adapter for a server at this address. */
export const modelAt = (url: string, apiKey = KEY): Model =>
  createOpenAiModel({ apiKey, baseUrl: `${url}/v1`, model: "parley-local", fetch: (to, init) => fetch(to, init) });

/** A request with one question. */
export const question = (text = "hello", over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [{ role: "user", text }],
  tools: [],
  ...over,
});

/** Every event of one call. */
export async function collectEvents(
  { local, model }: Pick<Hosted, "local" | "model">,
  step: ScriptStep,
  request: ModelRequest = question(),
): Promise<ModelEvent[]> {
  local.script([step]);
  return Array.fromAsync(model.stream(request, new AbortController().signal));
}
