// The turns that the loop benchmark compares, each in its own object: the product's engine, and hand-written floors
// that make the same requests, run the same tool and write the same rows, and do nothing else.
import { DurableObject } from "cloudflare:workers";
import { object, string } from "zod";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { createTurnStore } from "../../durable-objects/turn/turn-store.ts";
import { newTurn } from "../../src/core/state/record.ts";
import type { ToolCall } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool } from "../../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { runGenerationTurn } from "../../src/turn/generation-turn.ts";
import type { Timers } from "../../src/turn/ports.ts";
import { type Ask, byHand, floorTurn, productRows } from "./workers/floor-turn.ts";
import { request } from "./workers/loop-request.ts";

interface Env {
  TURNS: DurableObjectNamespace;
}

const RESULT = { pages: "x".repeat(2000) };
const SYSTEM = "Be brief.";
const QUESTION = "Theo: go";
const UNLIMITED = 1_000_000;

const lookUp = defineTool({
  name: "look_up",
  description: "Looks a page up.",
  input: object({ page: string() }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  execute: () => ({ ok: true, data: RESULT }),
});
const registry = createToolRegistry([lookUp]);
const timers: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const modelAt = (baseUrl: string) =>
  createOpenAiModel({
    apiKey: "k",
    baseUrl,
    model: "m",
    contextTokens: UNLIMITED,
    fetch: (url, init) => fetch(url, init),
  });

/** Runs one turn through the product's engine. Returns what it said. */
async function engineTurn(storage: DurableObjectStorage, baseUrl: string): Promise<string> {
  const store = remembering(openSqliteStore(storage));
  const fence = { turnId: "1", instance: "i", epoch: 1 };
  store.insertTurn({ ...newTurn(request, "running", 0, 0), instance: "i", epoch: 1 });
  store.saveLock({ ...store.lock(), ...fence });
  // As the channel does before each step of its state machine: from here on, its open turns are in memory.
  store.state();
  store.addMessage({ turnId: "1", role: "user", text: QUESTION, details: "", calls: [], native: null });
  const turnStore = createTurnStore(store, fence, Date.now, {
    onSteered() {},
    approvers: () => [],
    withAsked: (turn) => turn,
  });
  const result = await runGenerationTurn({
    turnId: "1",
    request,
    systemPrompt: SYSTEM,
    notes: "",
    overheard: "",
    models: [modelAt(baseUrl)],
    store: turnStore,
    reply: { show() {}, postedText: () => "", onAccepted() {} },
    runtime: new ToolRuntime(registry, { ...timers, ledger: turnStore.ledger }),
    gate: { decide: () => ({ allowed: true }) },
    stash: createContextStash(Date.now),
    attachments: { imageUrl: () => null, readText: async () => ({ ok: false, reason: "unreachable" }) },
    limits: {
      maxIterations: UNLIMITED,
      maxConsecutiveToolErrors: 5,
      firstTokenTimeoutMs: 300_000,
      streamTimeoutMs: 120_000,
      toolTimeoutMs: 300_000,
    },
    signal: new AbortController().signal,
    clock: Date.now,
    timers,
    random: Math.random,
    log: { info() {}, warn() {}, error() {} },
    shouldSurfaceUserErrors: true,
    isAskedFor: () => false,
    refuseCall: async () => null,
    onDue() {},
  });
  return result.kind === "ended" ? result.text : result.kind;
}

/** Asks through the product's model client, and with it the provider's SDK. */
const byClient = (baseUrl: string): Ask => {
  const model = modelAt(baseUrl);
  return async (request) => {
    const said = { text: "", calls: [] as ToolCall[] };
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.kind === "text") said.text += event.text;
      if (event.kind === "end") said.calls = event.calls;
    }
    return said;
  };
};

const byFloor = (storage: DurableObjectStorage, ask: Ask) =>
  floorTurn(productRows(storage, request), ask, registry.schemas(), RESULT);

const ways: Record<string, (storage: DurableObjectStorage, baseUrl: string) => Promise<string>> = {
  engine: engineTurn,
  "floor by hand": (storage, baseUrl) => byFloor(storage, byHand(baseUrl)),
  "floor over the model client": (storage, baseUrl) => byFloor(storage, byClient(baseUrl)),
};

/** Runs one turn in its life. */
export class TurnObject extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const run = ways[searchParams.get("way") ?? ""];
    const { storage } = this.ctx;
    openSqliteStore(storage);
    return new Response(run ? await run(storage, searchParams.get("model") ?? "") : "no such way");
  }
}

export default {
  fetch: (request, env) => env.TURNS.get(env.TURNS.newUniqueId()).fetch(request),
} satisfies ExportedHandler<Env>;
