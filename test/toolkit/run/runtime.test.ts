// One call of a tool: whatever the model writes and whatever the tool does, there is exactly one result, in time.

import { describe, expect, it } from "vitest";
import { number, object, optional, string } from "zod";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { isRepeatable } from "../../../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import { createTestClock } from "../../support/clock.ts";
import { bench, CALL_LIMIT_MS, probe } from "../arrange.ts";

const silent = new Promise<never>(() => {});

describe("a call", () => {
  it("reaches the tool with its checked input and the call's own context", async () => {
    const seen: unknown[] = [];
    const tool = probe(
      (input: object, { callId, now, signal }) => {
        seen.push({ input, callId, now, aborted: signal.aborted });
        return { ok: true, data: { done: [1, null, "x"] } };
      },
      { input: object({ who: string(), times: optional(number()) }) },
    );
    expect(await bench(tool).call('{"who":"Mira","more":1}', { callId: "c9", now: 7 })).toEqual({
      ok: true,
      status: "ok",
      data: { done: [1, null, "x"] },
      warnings: ["more: is not a parameter; it was ignored"],
    });
    expect(seen).toEqual([{ input: { who: "Mira" }, callId: "c9", now: 7, aborted: false }]);
  });

  it("has a key of its own turn, by which its effect is recognized", async () => {
    const keys: string[] = [];
    const tool = probe((_input, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return { ok: true, data: 1 };
    });
    const { after } = createTestClock(0).timers;
    const runtime = new ToolRuntime(createToolRegistry([tool]), { after, clock: () => 0, random: () => 0.5 });
    for (const turnId of ["t1", "t2"])
      await runtime.execute({ name: "probe", arguments: "{}" }, { turnId, callId: "c9" }, CALL_LIMIT_MS);
    expect(keys).toEqual(["t1:c9", "t2:c9"]);
  });

  it.each(["", "  ", "{}", "null", null, undefined, {}])(
    "with the arguments %j counts as one without arguments",
    async (args) => {
      expect(await bench(probe((input) => ({ ok: true, data: input }))).call(args)).toEqual({
        ok: true,
        status: "ok",
        data: {},
      });
    },
  );

  it.each(["nothing", "toString", "__proto__", "constructor", "weather", ""])(
    "of the unknown tool %j lists the offered tools",
    async (name) => {
      expect(await bench(probe(() => ({ ok: true, data: 1 }))).call("{}", {}, name)).toEqual({
        ok: false,
        status: "not_found",
        error: `unknown tool: ${name}. Offered: probe`,
      });
    },
  );

  it("has no half of a surrogate pair, wherever the model's text is cut", async () => {
    const text = probe(() => ({ ok: true, data: 1 }), { input: object({ a: string().max(1) }) });
    const results = await Promise.all([
      bench(text).call({ a: `${"x".repeat(58)}\u{1f600}` }),
      bench(text).call("{}", {}, `${"x".repeat(127)}\u{1f600}`),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["invalid_input", "not_found"]);
    expect(results.filter(({ error = "" }) => !error.isWellFormed())).toEqual([]);
  });

  it("says so if no tool is offered", async () => {
    expect((await bench().call()).error).toBe("unknown tool: probe. Offered: none");
  });

  it.each(["[]", "7", "true", '"[1]"'])(
    "with %s, which is not an object, is refused before the tool runs",
    async (args) => {
      expect(await bench(probe(() => Promise.reject(new Error("it ran")))).call(args)).toEqual({
        ok: false,
        status: "invalid_input",
        error: "arguments: must be a JSON object",
      });
    },
  );

  it("with wrong fields gets an error for every one of them, by its path", async () => {
    const input = object({ who: string(), at: object({ hour: number() }) });
    const result = await bench(probe(() => Promise.reject(new Error("it ran")), { input })).call(
      '{"who":1,"at":{"hour":"x"}}',
    );
    expect(result.status).toBe("invalid_input");
    expect(result.error).toMatch(/^who: .+; at\.hour: .+$/);
  });
});

it.each([
  [19, 19, undefined],
  [20, 20, undefined],
  [21, 21, "1 more"],
])("of %i warnings of a call, shows at most 20, and the number of the others", async (given, shown, last) => {
  const stray = Object.fromEntries(Array.from({ length: given }, (_, index) => [`p${index}`, index]));
  const { warnings } = await bench(probe(() => ({ ok: true, data: 1 }))).call(stray);
  expect(warnings).toHaveLength(shown);
  expect(warnings?.find((warning) => warning.endsWith("more"))).toBe(last);
});

describe("a tool that fails", () => {
  it("by saying so gives a failure with its words and data", async () => {
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
      "throws something that is not an error",
      () => {
        throw "bare words";
      },
      "bare words",
    ],
    [
      "throws a long message",
      () => {
        throw new Error("x".repeat(9999));
      },
      "x".repeat(500),
    ],
  ])("because it %s gives a failure with only the message", async (_, execute, error) => {
    expect(await bench(probe(execute)).call()).toEqual({ ok: false, status: "error", error });
  });

  it("while its input is checked gives a failure too", async () => {
    const input = object({}).refine(() => {
      throw new Error("bad check");
    });
    expect(await bench(probe(() => ({ ok: true, data: 1 }), { input })).call()).toEqual({
      ok: false,
      status: "error",
      error: "bad check",
    });
  });
});

describe("the time limit", () => {
  it("aborts the tool's signal and gives a result, even if the tool ignores the signal and answers later", async () => {
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
    await clock.advance(CALL_LIMIT_MS - 1);
    expect([signal?.aborted, clock.pending()]).toEqual([false, 1]);
    await clock.advance(1);
    answer({ ok: true, data: "too late" });
    expect(await result).toEqual({ ok: false, status: "timeout", error: "timed out after 10 s" });
    expect([signal?.aborted, clock.pending()]).toEqual([true, 0]);
  });

  it("leaves no timer and no listener when a tool answers", async () => {
    const turn = new AbortController();
    const listeners = countListeners(turn.signal);
    const { clock, call } = bench(probe(() => ({ ok: true, data: 1 })));
    await call("{}", { signal: turn.signal });
    await call("{", { signal: turn.signal });
    expect([clock.pending(), listeners()]).toEqual([0, 0]);
  });

  it("leaves no unhandled rejection if the tool rejects too late", async () => {
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
    await clock.advance(CALL_LIMIT_MS);
    fail(new Error("late"));
    await clock.advance(0);
    expect((await result).status).toBe("timeout");
  });
});

it.each([
  [true, false, "timed out after 10 s"],
  [false, true, "timed out after 10 s"],
  [false, false, "timed out after 10 s; whether it did anything is unknown"],
])("a timeout of a tool that reads (%s) or may run twice (%s) leaves no doubt", async (readOnly, idempotent, error) => {
  const hints = { readOnly, idempotent, destructive: false, openWorld: false };
  const { clock, call } = bench(probe(() => silent, { category: "async", hints }));
  const result = call();
  await clock.advance(CALL_LIMIT_MS);
  expect((await result).error).toBe(error);
});

describe("the end of the turn", () => {
  it("before the call keeps the tool from running", async () => {
    const result = await bench(probe(() => Promise.reject(new Error("it ran")))).call("{}", {
      signal: AbortSignal.abort(),
    });
    expect(result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
  });

  it("during the call gives a result at once, even if the tool ignores its signal", async () => {
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

it("only a call that reads or is idempotent may run again", () => {
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

describe("the ToolRuntime class, as scripts use it", () => {
  const registry = createToolRegistry([
    probe((_, { now, random, log, signal, attempt, callId }) => {
      log("running");
      return {
        ok: true,
        data: { now, chance: random() < 1, aborted: signal.aborted, attempt, callId },
      };
    }),
  ]);

  it("fills in missing context, and never replaces a default with undefined", async () => {
    const before = performance.timeOrigin + performance.now() - 1;
    const result = await new ToolRuntime(registry).execute({ name: "probe" }, { turnId: "t" });
    expect(result).toMatchObject({
      data: { chance: true, aborted: false, attempt: 1, callId: "probe-0-0" },
      meta: { callId: null, tool: "probe", attempts: 1, retries: 0, cached: false, repaired: [] },
    });
    expect((result.data as { now: number }).now).toBeGreaterThan(before);
    const undefineds = { now: undefined, signal: undefined, log: undefined } as object;
    expect((await new ToolRuntime(registry).execute({ id: "c1", name: "probe" }, undefineds)).data).toMatchObject({
      now: expect.any(Number),
      aborted: false,
      callId: "c1",
    });
  });

  it("draws a different number each time", async () => {
    const draws = probe((_, { random }) => ({ ok: true, data: [random(), random(), random(), random()] }));
    const { data } = await new ToolRuntime(createToolRegistry([draws])).execute({ name: "probe" });
    expect(new Set(data as number[]).size).toBeGreaterThan(1);
  });

  it("keeps a given time, even as a Date", async () => {
    for (const now of [7, new Date(7)])
      expect((await new ToolRuntime(registry).execute({ name: "probe" }, { now })).data).toMatchObject({ now: 7 });
  });

  it("has its own time limits", async () => {
    const slow = createToolRegistry([probe(() => silent, { timeoutMs: 1, retry: { attempts: 1 } })]);
    expect(await new ToolRuntime(slow).execute({ name: "probe" })).toMatchObject({ status: "timeout" });
  });
});

it("a call's log begins with the model's decision and its reason", async () => {
  const lines: string[] = [];
  const { execute } = bench(probe(() => ({ ok: true, data: 1 })));
  const log = (line: string) => void lines.push(line);
  await execute({ tool: "probe", parameters: {}, reasoning: "they asked" }, { log });
  await execute({ name: "probe", arguments: '{"tool":"probe","parameters":{},"reasoning":"again"}' }, { log });
  await execute({ name: "probe", arguments: '{"tool":"probe","parameters":{},"reasoning":7}' }, { log });
  await execute({ name: "nothing" }, { log });
  expect(lines).toEqual([
    "Assistant decision: probe - they asked",
    "Assistant decision: probe - again",
    "Assistant decision: probe - no reason given",
    "Assistant decision: nothing - no reason given",
  ]);
});

/** Counts the abort listeners that are added, and not removed, from now on. */
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
