// Attempts: what is retried, how often and after which waits, and that nothing is retried that might do harm twice.
import { describe, expect, it } from "vitest";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool, ToolHints } from "../../../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import type { RuntimePorts } from "../../../src/toolkit/run/runtime-ports.ts";
import { decideTransience, type RunEnd } from "../../../src/toolkit/run/transient.ts";
import { createTestClock } from "../../support/clock.ts";
import { benchWith, COUNTS, PUTS, probe, READS } from "../arrange.ts";
import { testContext } from "../context.ts";

const FAILS = { ok: false, error: "busy", retryable: true } as const;

/** Runs a tool that always fails. Returns the times at which it ran, and how it ended. */
async function runsOf(over: Partial<Tool>, answer: () => unknown = () => FAILS, ports: RuntimePorts = {}) {
  const times: number[] = [];
  const attempts: number[] = [];
  const tool = probe((_, { attempt }) => {
    times.push(b.clock.now());
    attempts.push(attempt);
    return answer() as never;
  }, over);
  const b = benchWith({ random: () => 1, ...ports }, tool);
  const result = b.execute({ name: "probe" });
  await b.clock.advance(10_000);
  const { status, meta } = await result;
  expect(b.clock.pending()).toBe(0);
  return { times, attempts, status, made: meta.attempts, retries: meta.retries };
}

describe("a call with a temporary failure", () => {
  it("is made four times in total, with waits of at most 1, 2 and 4 seconds", async () => {
    expect(await runsOf({})).toEqual({
      times: [0, 1000, 3000, 7000],
      attempts: [1, 2, 3, 4],
      status: "error",
      made: 4,
      retries: 3,
    });
  });

  it("waits for a random share of that, so that many calls don't come back at once", async () => {
    expect((await runsOf({}, undefined, { random: () => 0.25 })).times).toEqual([0, 250, 750, 1750]);
    expect((await runsOf({}, undefined, { random: () => 0 })).times).toEqual([0, 0, 0, 0]);
  });

  it("waits as long as the failure says, but is not retried if that is longer than a turn waits", async () => {
    expect((await runsOf({}, () => ({ ...FAILS, retryAfterMs: 3000 }))).times).toEqual([0, 3000, 6000, 9000]);
    const longest = await runsOf({}, () => ({ ...FAILS, retryAfterMs: 10_000 }));
    expect([longest.times[0], longest.status]).toEqual([0, "timeout"]);
    expect(await runsOf({}, () => ({ ...FAILS, retryAfterMs: 10_001 }))).toMatchObject({ times: [0], status: "error" });
    const limited = () =>
      Promise.reject(
        Object.assign(new Error("slow down"), { status: 429, headers: new Headers({ "retry-after": "2" }) }),
      );
    expect((await runsOf({}, limited)).times).toEqual([0, 2000, 4000, 6000]);
  });

  it("may be reported by an error alone", async () => {
    expect((await runsOf({}, () => ({ error: "busy", retryable: true }))).made).toBe(4);
    expect((await runsOf({ input: { type: "object" } }, () => ({ error: "rate limit" }))).made).toBe(4);
    expect((await runsOf({}, () => ({ error: "", retryable: true }))).made).toBe(1);
    expect((await runsOf({}, () => ({ ok: true, error: "a note", retryable: true }))).made).toBe(1);
  });

  it.each<[string, () => unknown]>([
    ["full", () => ({ ...FAILS, message: "full" })],
    ["busy", () => FAILS],
    ["error", () => ({ ...FAILS, error: 7 })],
    ["Network connection lost.", () => Promise.reject(new Error("Network connection lost."))],
    ["timeout", () => new Promise(() => {})],
  ])("is recorded in its own words: %s", async (error, answer) => {
    const tool = probe(answer as never, { retry: { attempts: 2 }, timeoutMs: 3000 });
    const b = benchWith({ random: () => 1 }, tool);
    const result = b.execute({ name: "probe" });
    await b.clock.advance(10_000);
    expect((await result).meta.failedRuns).toEqual([{ error, ms: error === "timeout" ? 3000 : 0, waitMs: 1000 }]);
  });

  it("is recorded with its own time, not that of earlier ones", async () => {
    const b = benchWith(
      { random: () => 1 },
      probe(() => FAILS, { retry: { attempts: 3 } }),
    );
    const result = b.execute({ name: "probe" });
    await b.clock.advance(10_000);
    expect((await result).meta.failedRuns?.map(({ ms, waitMs }) => [ms, waitMs])).toEqual([
      [0, 1000],
      [0, 2000],
    ]);
  });

  it("ends with the first success", async () => {
    let runs = 0;
    const answer = () => (++runs < 3 ? FAILS : { ok: true, data: runs });
    expect(await runsOf({}, answer)).toMatchObject({ times: [0, 1000, 3000], status: "ok", made: 3, retries: 2 });
  });

  it("makes fewer attempts if its tool says so", async () => {
    expect((await runsOf({ retry: { attempts: 2 } })).times).toEqual([0, 1000]);
    expect((await runsOf({ retry: { attempts: 1 } })).times).toEqual([0]);
  });

  it.each<[string, Tool["category"], ToolHints, number]>([
    ["that reads", "safe", READS, 4],
    ["that reads from the network", "async", READS, 4],
    ["that may run twice", "async", PUTS, 4],
    ["that may not run twice", "async", COUNTS, 1],
    ["that speaks to people", "terminal", PUTS, 1],
  ])("of a tool %s, in category %s with the hints %j, is made %i times", async (_, category, hints, made) => {
    expect((await runsOf({ category, hints })).made).toBe(made);
  });

  it("of a dangerous tool is made once, even if it is approved and idempotent", async () => {
    const approvals = { verdict: () => "approved" as const, ask() {} };
    expect((await runsOf({ category: "dangerous", hints: PUTS }, undefined, { approvals })).made).toBe(1);
  });

  it("also waits fractions of a millisecond on the platform's own timers, which take whole ones", async () => {
    let runs = 0;
    const twice = probe(() => (++runs === 1 ? FAILS : { ok: true, data: runs }));
    const runtime = new ToolRuntime(createToolRegistry([twice]), { random: () => 0.000_2 });
    expect(await runtime.execute({ name: "probe", arguments: "{}" })).toMatchObject({ data: 2, meta: { attempts: 2 } });
  });

  it("ends at once and for good if a stop comes during the wait", async () => {
    let runs = 0;
    const b = benchWith(
      { random: () => 1 },
      probe(() => {
        runs++;
        return FAILS;
      }),
    );
    const turn = new AbortController();
    const result = b.execute({ name: "probe" }, { signal: turn.signal });
    await b.clock.advance(1500);
    turn.abort();
    expect(await result).toMatchObject({ status: "aborted", meta: { attempts: 2 } });
    expect([runs, b.clock.pending()]).toEqual([2, 0]);
  });

  it("ends if the call's own time limit is reached during the wait", async () => {
    const waits = () => ({ ...FAILS, retryAfterMs: 6000 });
    expect(await runsOf({}, waits)).toMatchObject({ times: [0, 6000], status: "timeout", made: 2 });
  });

  it("runs again after an attempt that took too long, with a new limit for each attempt", async () => {
    const signals: AbortSignal[] = [];
    const tool = probe(
      (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { timeoutMs: 500 },
    );
    const b = benchWith({ random: () => 1 }, tool);
    const result = b.execute({ name: "probe" });
    await b.clock.advance(1499);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await b.clock.advance(8000);
    expect(await result).toMatchObject({ status: "timeout", error: "timed out after 1 s", meta: { attempts: 4 } });
    expect([signals.length, b.clock.pending()]).toEqual([4, 0]);
  });

  it("may use what is left of the call's limit, so that a tool that answers after 155 s answers once", async () => {
    const times: number[] = [];
    const slow = async () => {
      times.push(clock.now());
      await new Promise<void>((resolve) => clock.timers.after(155_000, resolve));
      return { ok: true, data: "late" } as const;
    };
    const tools = [probe(slow), probe(slow, { name: "sends", category: "async", hints: COUNTS })];
    const clock = createTestClock(0);
    const runtime = new ToolRuntime(createToolRegistry(tools), {
      ...clock.timers,
      clock: clock.now,
      random: () => 1,
    });
    for (const { name } of tools) {
      const result = runtime.execute({ name }, testContext(), 300_000);
      await clock.advance(155_000);
      expect(await result).toMatchObject({ ok: true, data: "late", meta: { attempts: 1, durationMs: 155_000 } });
    }
    expect([times, clock.pending()]).toEqual([[0, 155_000], 0]);
  });

  it("may use the time that the failed attempt before it has left", async () => {
    const times: number[] = [];
    const tool = probe(() => {
      times.push(b.clock.now());
      return times.length === 1 ? { ...FAILS, retryAfterMs: 4000 } : new Promise(() => {});
    });
    const b = benchWith({ random: () => 1 }, tool);
    const result = b.execute({ name: "probe" });
    await b.clock.advance(10_000);
    expect(await result).toMatchObject({ status: "timeout", error: "timed out after 10 s", meta: { attempts: 2 } });
    expect([times, b.clock.pending()]).toEqual([[0, 4000], 0]);
  });

  it("is out of time as a whole if an attempt's own limit ends with the call's", async () => {
    const answers = [{ ...FAILS, retryAfterMs: 4000 }, new Promise<never>(() => {})];
    const b = benchWith(
      {},
      probe(() => answers.shift() ?? FAILS, { timeoutMs: 6000, retry: { attempts: 2 } }),
    );
    const result = b.execute({ name: "probe" });
    await b.clock.advance(10_000);
    expect(await result).toMatchObject({ status: "timeout", error: "timed out after 10 s", meta: { attempts: 2 } });
  });
});

describe("a failure", () => {
  const status = (code: number) => Object.assign(new Error("http"), { status: code });
  const named = (name: string, message = "") => Object.assign(new Error(message), { name });
  const thrown = (error: unknown): RunEnd => ({ kind: "thrown", error });

  it.each<[string, RunEnd]>([
    ["a timeout", { kind: "timeout", limitMs: 1 }],
    ...[408, 425, 429, 500, 502, 503, 504, 599].map((code): [string, RunEnd] => [`HTTP ${code}`, thrown(status(code))]),
    ["a lost connection in workerd", thrown(Object.assign(new Error("Network connection lost."), { retryable: true }))],
    ["a failed fetch in Node", thrown(new TypeError("fetch failed"))],
    ["a temporary cause", thrown(new Error("outer", { cause: new Error("inner", { cause: status(503) }) }))],
    ["a fetch that timed out", thrown(new DOMException("late", "TimeoutError"))],
    ["an answer that says so", { kind: "answered", answer: FAILS }],
  ])("is temporary: %s", (_, failure) => {
    expect(decideTransience(failure, false).transient).toBe(true);
  });

  it.each<[string, RunEnd]>([
    ...[400, 401, 403, 404, 409, 422].map((code): [string, RunEnd] => [`HTTP ${code}`, thrown(status(code))]),
    ["HTTP 404, whatever its words", thrown(Object.assign(new Error("try again"), { status: 404 }))],
    ["an abort", thrown(named("AbortError", "network"))],
    ["a mistake in the tool", thrown(new TypeError("x is not a function"))],
    ["invalid JSON", thrown(new SyntaxError("Unexpected token"))],
    ["an overloaded object", thrown(Object.assign(new Error("overloaded"), { retryable: true, overloaded: true }))],
    ["only the words of an error", thrown(new Error("please try again"))],
    ["only the words of an answer", { kind: "answered", answer: { ok: false, error: "rate limit" } }],
    ["undefined, when it is thrown", thrown(undefined)],
  ])("is permanent: %s", (_, failure) => {
    expect(decideTransience(failure, false)).toEqual({ transient: false });
  });

  it("is judged with its first eight causes", () => {
    const within = (causes: number): unknown =>
      causes === 0 ? status(503) : new Error("outer", { cause: within(causes - 1) });
    expect([7, 8].map((causes) => decideTransience(thrown(within(causes)), false).transient)).toEqual([true, false]);
  });

  it.each<[unknown, object]>([
    [0, { retryAfterMs: 0 }],
    [1, { retryAfterMs: 1 }],
    [-1, {}],
    ["5", {}],
  ])("that may be tried again after %j ms has that time if it is valid", (retryAfterMs, time) => {
    const failure: RunEnd = { kind: "answered", answer: { ...FAILS, retryAfterMs } };
    expect(decideTransience(failure, false)).toEqual({ transient: true, ...time });
  });

  it("has the first valid time among its causes", () => {
    const late = (retryAfterMs: unknown, cause?: unknown) =>
      Object.assign(new Error("late", { cause }), { status: 503, retryAfterMs });
    expect(decideTransience(thrown(late("5", late(7))), false)).toEqual({ transient: true, retryAfterMs: 7 });
  });

  it.each([new TypeError("try again"), new SyntaxError("try again")])(
    "is permanent, whatever its words: %s",
    (error) => {
      expect(decideTransience(thrown(error), true)).toEqual({ transient: false });
    },
  );

  it.each([
    "Request timeout",
    "connection refused",
    "network down",
    "temporary failure",
    "rate limit hit",
    "try again",
  ])("of a dynamic tool is judged by its words (%s), the only information there is", (error) => {
    expect(decideTransience({ kind: "answered", answer: { ok: false, error } }, true)).toEqual({ transient: true });
    expect(decideTransience(thrown(new Error(error)), true)).toEqual({ transient: true });
    expect(decideTransience({ kind: "answered", answer: { ok: false, error, retryable: false } }, true)).toEqual({
      transient: false,
    });
  });
});
