// The turns that the loop benchmark compares, each in an object of its own: the product's engine, and floors written by hand
// that make the same requests, run the same tool and write the same rows, and do nothing else.
import { DurableObject } from "cloudflare:workers";
import { object, string } from "zod";
import { remembering } from "../../durable-objects/store/remembering.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { createTurnStore } from "../../durable-objects/turn/turn-store.ts";
import { newTurn, type TurnRecord, type TurnRequest } from "../../src/core/state/record.ts";
import type { Message, ToolCall } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { requestBody } from "../../src/model/request-body.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool } from "../../src/toolkit/define/tool.ts";
import { createToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { runGenerationTurn } from "../../src/turn/generation-turn.ts";
import type { ModelRequest, Timers } from "../../src/turn/ports.ts";

interface Env {
  TURNS: DurableObjectNamespace;
}

const RESULT = { pages: "x".repeat(2000) };
const SYSTEM = "Be brief.";
const QUESTION = "Theo: go";
/** The transcript that a request of the engine carries: the question and the newest rounds. */
const CARRIED_ROWS = 60;
const UNLIMITED = 1_000_000;

const request: TurnRequest = {
  interactionId: "1",
  token: "token",
  applicationId: "1",
  receivedAt: 0,
  channelId: "c",
  guildId: null,
  userId: "7",
  userName: "Theo",
  moderator: false,
  locale: "en-US",
  text: "go",
};
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

/** One turn through the product's engine; answers what it said. */
async function engineTurn(storage: DurableObjectStorage, baseUrl: string): Promise<string> {
  const store = remembering(openSqliteStore(storage));
  const fence = { turnId: "1", instance: "i", epoch: 1 };
  store.insertTurn({ ...newTurn(request, "running", 0, 0), instance: "i", epoch: 1 });
  store.saveLock({ ...store.lock(), ...fence });
  store.addMessage({ turnId: "1", role: "user", text: QUESTION, details: "", calls: [], native: null });
  const turnStore = createTurnStore(store, fence, Date.now, () => {});
  const result = await runGenerationTurn({
    turnId: "1",
    request,
    systemPrompt: SYSTEM,
    notes: "",
    overheard: "",
    models: [modelAt(baseUrl)],
    store: turnStore,
    reply: { show() {}, postedText: () => "", onAccepted() {} },
    runtime: createToolRuntime(registry, { ...timers, ledger: turnStore.ledger }),
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

/** How a floor asks its model. */
type Ask = (request: ModelRequest) => Promise<{ text: string; calls: ToolCall[] }>;

/** The same turn as short as it can be written: no checks, no limits, no stops; only the requests, the tool and the rows. */
async function floorTurn(storage: DurableObjectStorage, ask: Ask): Promise<string> {
  const { sql } = storage;
  const turn: TurnRecord = { ...newTurn(request, "running", 0, 0), instance: "i", epoch: 1 };
  sql.exec("INSERT INTO turns VALUES ('1', 'running', 0, 0, ?)", JSON.stringify(turn));
  const saveTurn = (changed: Partial<TurnRecord>) =>
    sql.exec("UPDATE turns SET record = ? WHERE id = '1'", JSON.stringify({ ...turn, ...changed }));
  const addMessage = (role: string, text: string, calls: ToolCall[] | null) =>
    sql
      .exec<{ seq: number }>(
        "INSERT INTO messages (turn_id, role, text, details, calls) VALUES ('1', ?, ?, '', ?) RETURNING seq",
        role,
        text,
        calls && JSON.stringify(calls),
      )
      .one().seq;
  addMessage("user", QUESTION, null);
  const question: Message = { role: "user", text: QUESTION };
  const rounds: Message[] = [];
  for (let iteration = 0; ; iteration++) {
    saveTurn({ iteration });
    const messages = [question, ...rounds.slice(2 - CARRIED_ROWS)];
    const said = await ask({ system: SYSTEM, messages, tools: registry.schemas() });
    const [call] = said.calls;
    if (!call) return said.text;
    const seq = storage.transactionSync(() => {
      saveTurn({ iteration });
      return addMessage("assistant", said.text, said.calls);
    });
    saveTurn({ iteration, currentToolCall: { name: call.name, callId: call.id, since: Date.now() } });
    JSON.parse(call.arguments);
    const result = JSON.stringify(RESULT);
    sql.exec("INSERT INTO ledger VALUES (?, 0, '1', ?, ?, 0, 'i', ?, NULL)", seq, call.name, call.arguments, result);
    rounds.push({ role: "assistant", ...said }, { role: "tool", callId: call.id, text: result });
  }
}

/** Reads one streamed answer by hand, whole. */
const byHand =
  (baseUrl: string): Ask =>
  async (request) => {
    const body = JSON.stringify(requestBody("m", request));
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${baseUrl}/chat/completions`, { method: "POST", headers, body });
    const said = { text: "", calls: [] as ToolCall[] };
    for (const line of (await response.text()).split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const delta = JSON.parse(line.slice("data: ".length)).choices[0]?.delta;
      said.text += delta?.content ?? "";
      for (const { id, function: called } of delta?.tool_calls ?? []) said.calls.push({ id, ...called });
    }
    return said;
  };

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

const ways: Record<string, (storage: DurableObjectStorage, baseUrl: string) => Promise<string>> = {
  engine: engineTurn,
  "floor by hand": (storage, baseUrl) => floorTurn(storage, byHand(baseUrl)),
  "floor over the model client": (storage, baseUrl) => floorTurn(storage, byClient(baseUrl)),
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
