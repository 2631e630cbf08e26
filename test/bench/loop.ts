// What one iteration of the loop costs beside a floor written by hand: the same requests to the same server over loopback, the
// same tool, the same rows into SQLite, and nothing else. Runs in Node on node:sqlite with a file, because workerd's clock stands
// still between its I/O. Prints (`npm run bench:loop`); holds nothing, because a shared machine's times prove nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { object, string } from "zod";
import { createTurnStore } from "../../durable-objects/turn-store.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { newTurn, type Trigger, type TurnRecord } from "../../src/core/record.ts";
import type { Message, ToolCall } from "../../src/core/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { requestBody } from "../../src/model/request-body.ts";
import { createToolRegistry } from "../../src/toolkit/registry.ts";
import { createToolRuntime } from "../../src/toolkit/runtime.ts";
import { defineTool } from "../../src/toolkit/tool.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { runGenerationTurn } from "../../src/turn/generation-turn.ts";
import type { Model, ModelRequest, Timers } from "../../src/turn/ports.ts";

/** The product's store; its types are the runtime's, which Node's contradict, so the compiler does not follow this path. */
const STORE = "../../durable-objects/store/sqlite.ts";
const { openSqliteStore } = (await import(STORE)) as { openSqliteStore(storage: unknown): ChannelStore };

const FEW = 10;
const MANY = 50;
const ROUNDS = 15;
const WARM_UPS = 3;
const RESULT = { pages: "x".repeat(2000) };
const MAX_ROWS = 60;
const QUESTION = "Theo: go";
const SYSTEM = "Be brief.";

const trigger: Trigger = {
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

/** A database of its own in a file, as durable as an object's: write-ahead log, one commit per transaction. */
function openDatabase(): { storage: unknown; db: DatabaseSync; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const db = new DatabaseSync(join(folder, "channel.sqlite"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const exec = (query: string, ...values: (string | number | null)[]) => {
    if (/;\s*\S/.test(query)) {
      db.exec(query);
      return { toArray: () => [], rowsWritten: 0 };
    }
    const statement = prepared.get(query) ?? db.prepare(query);
    prepared.set(query, statement);
    const rows = statement.all(...values);
    return { toArray: () => rows, rowsWritten: 0 };
  };
  return {
    db,
    storage: { sql: { exec }, transactionSync: (work: () => unknown) => inTransaction(db, work) },
    close() {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec("BEGIN IMMEDIATE");
  const result = work();
  db.exec("COMMIT");
  return result;
}

const clients = new Map<string, Model>();

function modelAt(url: string, model: string): Model {
  const known = clients.get(model);
  if (known) return known;
  const made = createOpenAiModel({
    apiKey: "k",
    baseUrl: `${url}/v1`,
    model,
    contextTokens: 1_000_000,
    fetch: (to, init) => fetch(to, init),
  });
  clients.set(model, made);
  return made;
}

/** One turn of so many calls through the product's engine. */
async function engineTurn(url: string, calls: number): Promise<void> {
  const { storage, close } = openDatabase();
  const store = openSqliteStore(storage);
  const fence = { turnId: "1", instance: "i", epoch: 1 };
  store.insertTurn({ ...newTurn(trigger, "running", 0, 0), instance: "i", epoch: 1 });
  store.saveLock({ ...store.lock(), ...fence });
  store.addMessage({ turnId: "1", role: "user", text: QUESTION, details: "", calls: [], native: null });
  const result = await runGenerationTurn({
    turnId: "1",
    trigger,
    systemPrompt: SYSTEM,
    models: [modelAt(url, `calls-${calls}`)],
    store: createTurnStore(store, fence, Date.now, () => {}),
    reply: { show() {}, postedText: () => "", onAccepted() {} },
    runtime: createToolRuntime(registry, timers),
    gate: { decide: () => ({ allowed: true }) },
    stash: createContextStash(Date.now),
    limits: {
      maxIterations: 100,
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
    onDue() {},
  });
  close();
  if (result.kind !== "ended" || result.text !== "Done.")
    throw new Error(`the turn ended as ${JSON.stringify(result)}`);
}

/** How a floor asks its model. */
type Ask = (url: string, model: string, request: ModelRequest) => Promise<{ text: string; calls: ToolCall[] }>;

/** The same turn as short as it can be written: no checks, no limits, no stops; only the requests, the tool and the rows. */
const floorTurn = (ask: Ask) => async (url: string, calls: number) => {
  const { storage, db, close } = openDatabase();
  openSqliteStore(storage);
  const turn: TurnRecord = { ...newTurn(trigger, "running", 0, 0), instance: "i", epoch: 1 };
  db.prepare("INSERT INTO turns VALUES ('1', 'running', 0, 0, ?)").run(JSON.stringify(turn));
  const saveTurn = db.prepare("UPDATE turns SET record = ? WHERE id = '1'");
  const addMessage = db.prepare("INSERT INTO messages (turn_id, role, text, details, calls) VALUES ('1', ?, ?, '', ?)");
  const addResult = db.prepare("INSERT INTO ledger VALUES (?, 0, '1', ?, ?, 0, 'i', ?)");
  addMessage.run("user", QUESTION, null);
  const question: Message = { role: "user", text: QUESTION };
  const rounds: Message[] = [];
  for (let iteration = 0; ; iteration++) {
    saveTurn.run(JSON.stringify({ ...turn, iteration }));
    const messages = [question, ...rounds.slice(2 - MAX_ROWS)];
    const said = await ask(url, `calls-${calls}`, { system: SYSTEM, messages, tools: registry.schemas() });
    const [call] = said.calls;
    if (!call) break;
    const seq = inTransaction(db, () => {
      saveTurn.run(JSON.stringify({ ...turn, iteration }));
      return addMessage.run("assistant", said.text, JSON.stringify(said.calls)).lastInsertRowid;
    });
    saveTurn.run(JSON.stringify({ ...turn, currentToolCall: call.name }));
    JSON.parse(call.arguments);
    const result = JSON.stringify(RESULT);
    addResult.run(seq, call.name, call.arguments, result);
    rounds.push({ role: "assistant", ...said }, { role: "tool", callId: call.id, text: result });
  }
  close();
};

/** Reads one streamed answer by hand, whole. */
const byHand: Ask = async (url, model, request) => {
  const body = JSON.stringify(requestBody(model, request));
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
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
const byClient: Ask = async (url, model, request) => {
  const said = { text: "", calls: [] as ToolCall[] };
  for await (const event of modelAt(url, model).stream(request, new AbortController().signal)) {
    if (event.kind === "text") said.text += event.text;
    if (event.kind === "end") said.calls = event.calls;
  }
  return said;
};

/** In a thread of its own: a model that calls the tool as often as its name says, then is done. */
function serveModel(): void {
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const calls = Number(/"model":"calls-(\d+)"/.exec(Buffer.concat(chunks).toString())?.[1]);
      const isDone = asked++ === calls;
      if (isDone) asked = 0;
      const call = {
        index: 0,
        id: `c${asked}`,
        type: "function",
        function: { name: "look_up", arguments: `{"page":"${asked}"}` },
      };
      const delta = isDone ? { content: "Done." } : { tool_calls: [call] };
      const piece = (choices: unknown, more = {}) => `data: ${JSON.stringify({ id: "x", choices, ...more })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(piece([{ index: 0, delta, finish_reason: null }]));
      response.write(piece([{ index: 0, delta: {}, finish_reason: isDone ? "stop" : "tool_calls" }]));
      response.end(`${piece([], { usage: { prompt_tokens: 9, completion_tokens: 3 } })}data: [DONE]\n\n`);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

/** Milliseconds per iteration: the difference of a long and a short turn, so that what happens once per turn drops out. */
async function perIteration(turn: (url: string, calls: number) => Promise<void>, url: string): Promise<number> {
  const took = async (calls: number) => {
    const since = performance.now();
    await turn(url, calls);
    return performance.now() - since;
  };
  const few = await took(FEW);
  return ((await took(MANY)) - few) / (MANY - FEW);
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const port = await new Promise<number>((resolve) => server.once("message", resolve));
  const url = `http://127.0.0.1:${port}`;
  const ways = [
    { name: "floor by hand", turn: floorTurn(byHand), figures: [] as number[] },
    { name: "floor by hand over the model client", turn: floorTurn(byClient), figures: [] as number[] },
    { name: "engine", turn: engineTurn, figures: [] as number[] },
  ];
  for (let round = -WARM_UPS; round < ROUNDS; round++)
    for (const { turn, figures } of ways) {
      const figure = await perIteration(turn, url);
      if (round >= 0) figures.push(figure);
    }
  await server.terminate();
  const { node, sqlite } = process.versions;
  console.log(`Node ${node}, SQLite ${sqlite}, file with write-ahead log; 2 KB results; median of ${ROUNDS} rounds`);
  const medians = ways.map(({ figures }) => figures.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN);
  const engine = medians.at(-1) ?? Number.NaN;
  for (const [index, { name }] of ways.entries()) {
    const median = medians[index] ?? Number.NaN;
    const beside = name === "engine" ? "" : `; the engine is ${(engine / median).toFixed(2)} × that`;
    console.log(`${name.padEnd(36)} ${median.toFixed(2)} ms per iteration${beside}`);
  }
}

if (isMainThread) await measure();
else serveModel();
