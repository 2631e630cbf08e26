// One call of a tool: whatever the model wrote and whatever the tool does, there is exactly one result, in time.

import { describe, expect, it } from "vitest";
import { number, object, optional, string } from "zod";
import { toolMessageText } from "../../src/toolkit/history.ts";
import { createToolRegistry } from "../../src/toolkit/registry.ts";
import { createToolRuntime, type ToolResult } from "../../src/toolkit/runtime.ts";
import { defineTool, isRepeatable, type Tool, type ToolContext } from "../../src/toolkit/tool.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { contextOf } from "./context.ts";

const TIMEOUT_MS = 10_000;
const silent = new Promise<never>(() => {});

/** A tool called `probe` that does as it is told. */
const probe = (execute: Tool<never>["execute"], input: Tool["input"] = object({})): Tool =>
  defineTool({
    name: "probe",
    description: "For tests.",
    input,
    category: "safe",
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: execute as Tool["execute"],
  });

interface Bench {
  clock: TestClock;
  call(args?: string, context?: Partial<ToolContext>, name?: string): Promise<ToolResult>;
}

function bench(...tools: Tool[]): Bench {
  const clock = createTestClock(0);
  const runtime = createToolRuntime(createToolRegistry(tools), clock.timers);
  return {
    clock,
    call: (args = "{}", context = {}, name = "probe") =>
      runtime.execute({ name, arguments: args }, contextOf(context), TIMEOUT_MS),
  };
}

describe("a call", () => {
  it("reaches the tool with its checked input and the call's own context", async () => {
    const seen: unknown[] = [];
    const tool = probe(
      (input: object, { callId, now, signal }) => {
        seen.push({ input, callId, now, aborted: signal.aborted });
        return { ok: true, data: { done: [1, null, "x"] } };
      },
      object({ who: string(), times: optional(number()) }),
    );
    expect(await bench(tool).call('{"who":"Mira","more":1}', { callId: "c9", now: 7 })).toEqual({
      ok: true,
      status: "ok",
      data: { done: [1, null, "x"] },
    });
    expect(seen).toEqual([{ input: { who: "Mira" }, callId: "c9", now: 7, aborted: false }]);
  });

  it.each(["", "  ", "{}"])("with the arguments %j is one without arguments", async (args) => {
    expect(await bench(probe((input) => ({ ok: true, data: input }))).call(args)).toEqual({
      ok: true,
      status: "ok",
      data: {},
    });
  });

  it.each(["nothing", "toString", "__proto__", "constructor", "Probe", ""])(
    "of the unknown tool %j names those that are offered",
    async (name) => {
      expect(await bench(probe(() => ({ ok: true, data: 1 }))).call("{}", {}, name)).toEqual({
        ok: false,
        status: "not_found",
        error: `unknown tool: ${name}. Offered: probe`,
      });
    },
  );

  it("of any tool where none is offered says so", async () => {
    expect((await bench().call()).error).toBe("unknown tool: probe. Offered: none");
  });

  it.each(["{", "{'a': 1}", '{"a":1', "undefined", "NaN"])(
    "with the broken arguments %j asks for JSON",
    async (args) => {
      expect(await bench(probe(() => ({ ok: true, data: 1 }))).call(args)).toEqual({
        ok: false,
        status: "invalid_input",
        error: "the arguments are not valid JSON; call again with a JSON object",
      });
    },
  );

  it.each(["null", "[]", "7", '"text"', "true"])(
    "with %s, which is no object, is refused before the tool runs",
    async (args) => {
      const result = await bench(probe(() => Promise.reject(new Error("it ran")))).call(args);
      expect(result).toMatchObject({
        ok: false,
        status: "invalid_input",
        error: expect.stringMatching(/^arguments: /),
      });
    },
  );

  it("with wrong fields is told every one of them by its path", async () => {
    const input = object({ who: string(), at: object({ hour: number() }) });
    const result = await bench(probe(() => Promise.reject(new Error("it ran")), input)).call(
      '{"who":1,"at":{"hour":"x"}}',
    );
    expect(result.status).toBe("invalid_input");
    expect(result.error).toMatch(/^who: .+; at\.hour: .+$/);
  });
});

describe("a tool that fails", () => {
  it("by saying so is a failure with its words and data", async () => {
    expect(await bench(probe(() => ({ ok: false, error: "no such city", data: { near: "Oslo" } }))).call()).toEqual({
      ok: false,
      status: "error",
      error: "no such city",
      data: { near: "Oslo" },
    });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      "boom",
    ],
    ["rejects", () => Promise.reject(new Error("boom")), "boom"],
    [
      "throws something that is no error",
      () => {
        throw "bare words";
      },
      "bare words",
    ],
    [
      "throws a long story",
      () => {
        throw new Error("x".repeat(9999));
      },
      "x".repeat(500),
    ],
  ])("because it %s is a failure with the message alone", async (_, execute, error) => {
    expect(await bench(probe(execute)).call()).toEqual({ ok: false, status: "error", error });
  });

  it("already while its input is checked is a failure, too", async () => {
    const input = object({}).refine(() => {
      throw new Error("bad check");
    });
    expect(await bench(probe(() => ({ ok: true, data: 1 }), input)).call()).toEqual({
      ok: false,
      status: "error",
      error: "bad check",
    });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "done"],
    ["an outcome of another kind", { success: true }],
    ["a failure without a reason", { ok: false }],
    ["a reason that is no text", { ok: false, error: { code: 1 } }],
    ["data that refers to itself", { ok: true, data: cyclic() }],
    ["data beyond JSON", { ok: true, data: 1n }],
  ])("by answering %s has an invalid result", async (_, outcome) => {
    const result = await bench(probe(() => outcome as never)).call();
    expect(result).toEqual({ ok: false, status: "invalid_result", error: expect.stringMatching(/^the tool answered/) });
  });
});

describe("a result", () => {
  it("is a copy in JSON, so that nothing in it can change or surprise later", async () => {
    const data = { when: new Date(0), gone: undefined, list: [undefined, Number.NaN], inner: { n: 1 } };
    const result = await bench(probe(() => ({ ok: true, data }))).call();
    data.inner.n = 2;
    expect(result.data).toEqual({ when: "1970-01-01T00:00:00.000Z", list: [null, null], inner: { n: 1 } });
  });

  it("of exactly 20,000 characters is whole, and a longer one says how much was cut", async () => {
    const ofLength = async (length: number) =>
      (await bench(probe(() => ({ ok: true, data: "x".repeat(length - 2) }))).call()).data;
    expect(await ofLength(20_000)).toBe("x".repeat(19_998));
    expect(await ofLength(20_003)).toEqual({ cut: "3 characters were cut", text: `"${"x".repeat(19_999)}` });
  });

  it("that is a failure is bounded as well", async () => {
    const result = await bench(
      probe(() => ({ ok: false, error: "e".repeat(50_000), data: "x".repeat(50_000) })),
    ).call();
    expect(result.error).toHaveLength(20_000);
    expect(result.data).toEqual({ cut: "30002 characters were cut", text: `"${"x".repeat(19_999)}` });
  });
});

describe("time", () => {
  it("up aborts the tool's signal and gives a result, though the tool ignores both and answers later", async () => {
    let signal: AbortSignal | undefined;
    let answer = (_outcome: { ok: true; data: unknown }) => {};
    const { clock, call } = bench(
      probe((_, context) => {
        signal = context.signal;
        return new Promise((resolve) => {
          answer = resolve;
        });
      }),
    );
    const result = call();
    await clock.advance(TIMEOUT_MS - 1);
    expect([signal?.aborted, clock.pending()]).toEqual([false, 1]);
    await clock.advance(1);
    answer({ ok: true, data: "too late" });
    expect(await result).toEqual({ ok: false, status: "timeout", error: "timed out after 10 s" });
    expect([signal?.aborted, clock.pending()]).toEqual([true, 0]);
  });

  it("is given back when a tool answers: no timer and no listener is left", async () => {
    const turn = new AbortController();
    const listeners = countListeners(turn.signal);
    const { clock, call } = bench(probe(() => ({ ok: true, data: 1 })));
    await call("{}", { signal: turn.signal });
    await call("{", { signal: turn.signal });
    expect([clock.pending(), listeners()]).toEqual([0, 0]);
  });

  it("that a rejection comes too late for is nobody's unhandled rejection", async () => {
    let fail = (_error: Error) => {};
    const { clock, call } = bench(
      probe(
        () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      ),
    );
    const result = call();
    await clock.advance(TIMEOUT_MS);
    fail(new Error("late"));
    await clock.advance(0);
    expect((await result).status).toBe("timeout");
  });
});

describe("the end of the turn", () => {
  it("before the call keeps the tool from running", async () => {
    const result = await bench(probe(() => Promise.reject(new Error("it ran")))).call("{}", {
      signal: AbortSignal.abort(),
    });
    expect(result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
  });

  it("during the call gives its result at once, though the tool ignores its signal", async () => {
    const turn = new AbortController();
    let signal: AbortSignal | undefined;
    const { clock, call } = bench(
      probe((_, context) => {
        signal = context.signal;
        return silent;
      }),
    );
    const result = call("{}", { signal: turn.signal });
    await clock.advance(5);
    turn.abort();
    expect(await result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
    expect([signal?.aborted, clock.pending()]).toEqual([true, 0]);
  });
});

describe("what the model reads of a result", () => {
  it.each<[string, ToolResult, unknown]>([
    ["a success", { ok: true, status: "ok", data: { n: 3 } }, { n: 3 }],
    ["a success without data", { ok: true, status: "ok" }, { status: "completed" }],
    [
      "a failure",
      { ok: false, status: "timeout", error: "timed out after 10 s" },
      { status: "tool_execution_failed", reason: "timed out after 10 s", tool_name: "probe" },
    ],
    [
      "a failure with data",
      { ok: false, status: "error", error: "no", data: [1] },
      { status: "tool_execution_failed", reason: "no", tool_name: "probe", data: [1] },
    ],
    [
      "a failure without words",
      { ok: false, status: "interrupted" },
      { status: "tool_execution_failed", reason: "interrupted", tool_name: "probe" },
    ],
  ])("%s is one JSON text", (_, result, expected) => {
    expect(JSON.parse(toolMessageText("probe", result))).toEqual(expected);
  });
});

it("only a call that reads, or leaves the world as once, may run again", () => {
  const hints = (readOnly: boolean, idempotent: boolean) => ({
    hints: { readOnly, idempotent, destructive: false, openWorld: false },
  });
  expect([hints(true, false), hints(false, true), hints(true, true), hints(false, false)].map(isRepeatable)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

function cyclic(): object {
  const self: { self?: object } = {};
  self.self = self;
  return self;
}

/** Counts the abort listeners that are added and not removed from now on. */
function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count--;
    remove(...args);
  };
  return () => count;
}
