// The trace of an ended turn as a collector gets it: OTLP in JSON with the conventions' names, sent once after the reply, without words.
import { expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import { exportTrace } from "../../../durable-objects/inspect/export-trace.ts";
import { traceRequest } from "../../../durable-objects/inspect/otlp.ts";
import type { TraceTarget } from "../../../src/config/otlp.ts";
import type { InspectedTurn } from "../../../src/core/state/inspected.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { patientDiscord } from "../../support/patient-discord.ts";
import { testRequest } from "../../support/store-contract.ts";

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code: number };
}

const traces: TraceTarget = { url: "http://127.0.0.1:4318/v1/traces", headers: { "x-api-key": "very-secret-key" } };
const CONFIG = {
  discord: { botToken: null },
  models: [],
  transcribeModel: null,
  imageModel: null,
  mcpServers: [],
  traces,
};
const calls: ModelEvent[] = [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: [{ id: "c", name: "roll_dice", arguments: '{"notation":"1d6"}' }],
    usage: { inputTokens: 40, outputTokens: 4, cachedInputTokens: 30 },
  },
];
const words: ModelEvent[] = [
  { kind: "text", text: "A secret three." },
  { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 50, outputTokens: 5 } },
];

/** Plays one turn with a tool; `answer` is the collector. */
async function traced(answer: (init: RequestInit) => Promise<Response>) {
  const sent: { url: string; init: RequestInit }[] = [];
  const c = createChannelHarness({
    database: nodeSqlite(),
    tools: [rollDice],
    config: { traces },
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return answer(init);
    },
  });
  c.submit({
    trigger: { ...testRequest("100"), guildId: "9", text: "roll my secret dice", receivedAt: c.clock.now() },
  });
  await c.drain();
  expect(c.answer(calls)).toBe(true);
  await c.clock.advance(2000);
  expect(c.answer(words)).toBe(true);
  await c.clock.advance(20_000);
  // Its ids come from a hash, which another thread computes.
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  await c.clock.advance(20_000);
  return { c, sent };
}

/** Waits for the hash of a trace, which another thread computes, by computing one of the same length. */
const hashed = async () => {
  for (let n = 0; n < 20; n++) await crypto.subtle.digest("SHA-256", new Uint8Array(64));
};
const attribute = ({ attributes }: SentSpan, key: string) => attributes.find((one) => one.key === key)?.value;

it("has one span for the turn and one for each call, tool and request, with the conventions' names", async () => {
  const { c, sent } = await traced(async () => new Response("{}"));
  expect(sent.map(({ url, init }) => [url, init.method, init.redirect, init.headers])).toEqual([
    [traces.url, "POST", "manual", { "Content-Type": "application/json", "x-api-key": "very-secret-key" }],
  ]);
  const body = JSON.parse(String(sent[0]?.init.body));
  const spans: SentSpan[] = body.resourceSpans[0].scopeSpans[0].spans;
  expect(spans.map(({ name }) => name).filter((name) => !name.startsWith("discord"))).toEqual([
    "invoke_agent Parley",
    "chat told",
    "chat told",
    "execute_tool roll_dice",
  ]);
  const [turn, first] = spans as [SentSpan, SentSpan];
  expect(spans.every(({ traceId }) => traceId === turn.traceId && /^[\da-f]{32}$/.test(traceId))).toBe(true);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(spans.slice(1).every(({ parentSpanId }) => parentSpanId === turn.spanId)).toBe(true);
  expect(turn.parentSpanId).toBeUndefined();
  expect(spans.every((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano))).toBe(true);
  expect(turn.startTimeUnixNano).toBe(`${c.store.turn("100")?.createdAt}000000`);
  expect(attribute(turn, "gen_ai.operation.name")).toEqual({ stringValue: "invoke_agent" });
  expect(attribute(first, "gen_ai.usage.input_tokens")).toEqual({ intValue: "40" });
  expect(attribute(first, "gen_ai.usage.cache_read.input_tokens")).toEqual({ intValue: "30" });
  expect(spans.some(({ status }) => status)).toBe(false);
  expect(String(sent[0]?.init.body)).not.toMatch(/secret|1d6/);
});

it.each([
  ["refuses", async () => new Response("no", { status: 500 })],
  ["is not there", async () => Promise.reject(new Error("connection refused"))],
  ["never answers", () => new Promise<Response>(() => {})],
])("a collector that %s gets one request, and the turn is delivered all the same", async (_, answer) => {
  const { c, sent } = await traced(answer);
  expect(sent.length).toBe(1);
  expect(c.store.turn("100")).toMatchObject({ state: "finished", status: "completed" });
  expect(c.shown().get("token-100")).toContain("three");
  await c.clock.advance(60_000);
  expect([sent.length, c.errors]).toEqual([1, []]);
});

it("a turn whose last words wait for a click is exported once, and not again with these words", async () => {
  const { c, sent } = await traced(async () => new Response("{}"));
  const turn = c.store.turn("100");
  if (turn) c.store.saveTurn({ ...turn, undelivered: true, request: { ...turn.request, token: "token-100" } });
  const press = { applicationId: "1", token: "token-2", messageId: turn?.parts[0]?.id ?? "", at: c.clock.now() };
  expect(c.resume({ turnId: "100", press })).toEqual({ result: "goes_on" });
  await c.clock.advance(20_000);
  await expect.poll(() => c.store.turn("100")?.state).toBe("finished");
  expect(c.store.turn("100")?.events.filter(({ what }) => what === "delivered").length).toBe(2);
  await hashed();
  expect(sent.length).toBe(1);
});

it("a turn whose reply was deleted while it waited is exported too", async () => {
  const sent: string[] = [];
  const shown = new Map<string, string>();
  const c = createChannelHarness({
    database: nodeSqlite(),
    config: { traces },
    fetch: async (_, init = {}) => {
      sent.push(String(init.body));
      return new Response("{}");
    },
    rest(_, isAlive) {
      const discord = patientDiscord(shown, isAlive);
      const refused = { ok: false, kind: "refused", limit: null, text: "Unknown Message" } as const;
      const gone = { ...refused, status: 404, code: 10008 };
      return {
        ...discord,
        edit: async (...given) =>
          "token" in given[0] && given[0].token === "token-101" ? gone : discord.edit(...given),
      };
    },
  });
  const submit = (id: string, userId: string) =>
    c.submit({ trigger: { ...testRequest(id, userId), guildId: "9", receivedAt: c.clock.now() } });
  submit("100", "10");
  await c.drain();
  submit("101", "11");
  await c.clock.advance(20_000);
  expect(c.store.turn("101")).toMatchObject({ state: "finished", startedAt: null });
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  expect(sent.join()).toContain('"wait queue"');
});

it("a model call that a person stopped does not count as the model's failure", async () => {
  const { c } = await traced(async () => new Response("{}"));
  const call = {
    at: 1,
    ms: 2,
    model: "told",
    firstMs: null,
    outcome: "stopped",
    usage: null,
    seq: null,
    contents: null,
  };
  const turn = { ...(c.inspect({ kind: "turn", turnId: "100" }) as InspectedTurn), modelCalls: [call as never] };
  const body = JSON.stringify(traceRequest(turn, "ab".repeat(24), "1"));
  expect(body).toContain('"chat told"');
  expect(body).not.toContain("error.type");
});

it("the turn's span covers its whole length, other spans' ids count up from it, and a request counts as failed from status 400", async () => {
  const { c } = await traced(async () => new Response("{}"));
  const inspected = c.inspect({ kind: "turn", turnId: "100" }) as InspectedTurn;
  const requests = [200, 399, 400].map((status) => ({ at: 1500, ms: 10, method: "edit", status, waitMs: 0 }));
  const turn = { ...inspected, createdAt: 1000, endedAt: 3000, deliveredAt: 4000, modelCalls: [], toolCallList: [] };
  const body = JSON.parse(JSON.stringify(traceRequest({ ...turn, requests } as never, "ab".repeat(24), "1")));
  const spans: SentSpan[] = body.resourceSpans[0].scopeSpans[0].spans;
  expect(spans.map((one) => [one.spanId, one.endTimeUnixNano, attribute(one, "error.type")])).toEqual([
    ["abababababababab", "4000000000", undefined],
    ["abababababababac", "1510000000", undefined],
    ["abababababababad", "1510000000", undefined],
    ["abababababababae", "1510000000", { stringValue: "400" }],
  ]);
});

it.each<[string, () => Promise<Response>, unknown[]]>([
  [
    "a failure is logged without the collector's address and headers, which the runtime's words may repeat",
    () => Promise.reject(new TypeError(`can't use ${traces.url} with very-secret-key`)),
    [["a trace was not sent", "TypeError: can't use [secret] with [secret]"]],
  ],
  [
    "a refusal is logged with its status",
    async () => new Response("", { status: 401 }),
    [["a trace was refused", 401]],
  ],
  ["a trace that was taken is not logged", async () => new Response("{}"), []],
])("%s", async (_, fetch, expected) => {
  const { c } = await traced(async () => new Response("{}"));
  const logged: unknown[] = [];
  const ports = {
    store: c.store,
    database: { sql: { exec: () => ({ toArray: () => [] }) } },
    requestNotes: { requestsOf: () => ({ kept: [], leftOut: 0 }) },
    ...{ clock: c.clock.now, timers: c.clock.timers, requests: { isReserved: false }, config: CONFIG },
    fetch,
    log: {
      warn: (line: string, { error, status }: { error?: string; status?: number }) =>
        logged.push([line, error ?? status]),
    },
  };
  await exportTrace(ports as unknown as ChannelPorts, "100", traces);
  expect(logged).toEqual(expected);
});
