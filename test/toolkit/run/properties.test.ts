// Properties of every call that a model could write and every answer that a tool could give.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { array, boolean, int, looseObject, object, optional, string } from "zod";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import type { RuntimeCall } from "../../../src/toolkit/intake/call.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import type { ExecutedResult } from "../../../src/toolkit/tool-result.ts";
import { createTestClock } from "../../support/clock.ts";
import { COUNTS, MemoryLedger, probe } from "../arrange.ts";
import { testContext } from "../context.ts";

const RUNS = { numRuns: 1000 };
const STATUSES = [
  "ok",
  "not_found",
  "invalid_input",
  "truncated_input",
  "denied",
  "needs_approval",
  "blocked",
  "conflict",
  "interrupted",
  "timeout",
  "aborted",
  "error",
  "invalid_result",
];

function expectValid(result: ExecutedResult) {
  const { ok, status, error, meta } = result;
  expect(STATUSES).toContain(status);
  expect(ok).toBe(status === "ok");
  expect(typeof error).toBe(ok ? "undefined" : "string");
  expect(meta.retries).toBe(Math.max(0, meta.attempts - 1));
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
}

/** The test controls random numbers and pauses; a retry does not wait. */
const instant = () => ({ clock: () => 0, random: () => 0, after: createTestClock(0).timers.after });

const anyText = fc.oneof(
  fc.string(),
  fc.json(),
  fc.json().map((text) => JSON.stringify(text)),
  fc.constantFrom("{", "{'a': 1}", "```json\n{}\n```", '{"__proto__":1}', "null", '{"tool":"probe","parameters":{}}'),
);
const anyArguments = fc.oneof(anyText, fc.anything());
const anyName = fc.oneof(fc.constantFrom("probe", "Probe", "functions.probe", "__proto__", "constructor"), fc.string());
const anyCall = fc.oneof(
  fc.record({ id: fc.string(), name: anyName, arguments: anyArguments }, { requiredKeys: [] }),
  fc.record(
    { tool: anyName, parameters: anyArguments, reasoning: fc.string(), city: fc.string() },
    { requiredKeys: [] },
  ),
  fc.anything(),
);

describe("execute", () => {
  it("never throws and always gives a valid result, whatever the call is", async () => {
    const input = object({ city: optional(string()), days: optional(array(int())), on: optional(boolean()) });
    const tools: Tool[] = [
      probe((given) => ({ ok: true, data: given }), { input }),
      probe((given) => ({ ok: true, data: given }), {
        name: "dynamic",
        input: { type: "object", properties: { n: { type: ["integer", "null"] }, s: { anyOf: [{ type: "string" }] } } },
      }),
    ];
    const runtime = new ToolRuntime(createToolRegistry(tools), instant());
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => expectValid(await runtime.execute(call as RuntimeCall, testContext()))),
      RUNS,
    );
  });

  it("never throws and always gives a valid result, whatever the tool answers or throws", async () => {
    const anyAnswer = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
      fc.record(
        { ok: fc.anything(), success: fc.anything(), data: fc.anything(), output: fc.anything(), error: fc.anything() },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(anyAnswer, fc.boolean(), async (answer, throws) => {
        const tool = probe(() => (throws ? Promise.reject(answer) : Promise.resolve(answer as never)), {
          retry: { attempts: 1 },
        });
        const runtime = new ToolRuntime(createToolRegistry([tool]), instant());
        expectValid(await runtime.execute({ name: "probe" }, testContext()));
      }),
      RUNS,
    );
  });

  it("never runs a call whose arguments were cut off, wherever the cut is", async () => {
    let runs = 0;
    const tool = probe(
      () => {
        runs++;
        return { ok: true, data: null };
      },
      { input: looseObject({}) },
    );
    const runtime = new ToolRuntime(createToolRegistry([tool]), instant());
    // As JSON, as Python, and with bare names: badly written text must not pass for complete text either.
    const styles = [
      (text: string) => text,
      (text: string) => text.replaceAll('"', "'"),
      (text: string) => text.replace(/"(\w+)":/g, "$1:"),
    ];
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const value = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.dictionary(word, fc.oneof(word, fc.integer(), fc.array(word), fc.dictionary(word, word)), { minKeys: 1 }),
    );
    const written = fc
      .tuple(value, fc.constantFrom(0, 2), fc.constantFrom(...styles), fc.nat())
      .map(([given, indent, style, at]) => {
        const text = style(JSON.stringify(given, null, indent));
        // At least one character arrived, and at least one did not.
        return text.slice(0, 1 + (at % (text.length - 1)));
      });
    await fc.assert(
      fc.asyncProperty(written, async (cut) => {
        const { status } = await runtime.execute({ name: "probe", arguments: cut }, testContext());
        expect(["truncated_input", "invalid_input"]).toContain(status);
      }),
      { numRuns: 3000 },
    );
    expect(runs).toBe(0);
  });

  it("never runs a tool that may not run twice more than once for one call, through crashes and repetitions", async () => {
    const step = fc.record({
      position: fc.integer({ min: 0, max: 2 }),
      argument: fc.integer({ min: 0, max: 1 }),
      fate: fc.constantFrom("answers", "fails", "throws", "dies", "is stopped"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const ledger = new MemoryLedger();
        const ran: string[] = [];
        let fate = "answers";
        let die = () => {};
        const tool = probe(
          (_, { idempotencyKey }) => {
            ran.push(idempotencyKey);
            if (fate === "throws") throw new Error("network connection lost");
            if (fate === "dies" || fate === "is stopped") {
              die();
              return new Promise(() => {});
            }
            return fate === "fails" ? { ok: false, error: "try again", retryable: true } : { ok: true, data: 1 };
          },
          { category: "async", hints: COUNTS, input: looseObject({}) },
        );
        for (const { position, argument, fate: next } of steps) {
          fate = next;
          const turn = new AbortController();
          die = () => turn.abort();
          const runtime = new ToolRuntime(createToolRegistry([tool]), { ...instant(), ledger });
          const context = testContext({ signal: turn.signal, idempotencyKey: `1:${position}` });
          expectValid(await runtime.execute({ name: "probe", arguments: { argument } }, context));
          if (fate === "dies") ledger.life++;
        }
        expect(ran).toEqual([...new Set(ran)]);
      }),
      RUNS,
    );
  });
});
