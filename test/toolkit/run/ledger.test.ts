// The ledger before and after every call that changes something: no effect is caused twice, and an unknown outcome is reported
// as unknown.
import { describe, expect, it } from "vitest";
import { looseObject } from "zod";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import type { Ledger } from "../../../src/toolkit/run/runtime-ports.ts";
import { benchWith, CALL_LIMIT_MS, COUNTS, counting, MemoryLedger, PUTS, probe, READS } from "../arrange.ts";

const setUp = (over: Partial<Tool> = {}) => {
  const ledger = new MemoryLedger();
  const { tool, runs } = counting({ input: looseObject({}), ...over });
  const b = benchWith({ ledger }, tool);
  const call = (position: string, args = "{}", turnId = "1") =>
    b.call(args, { idempotencyKey: `${turnId}:${position}`, turnId });
  return { ledger, runs, call, b, tool };
};
const INTERRUPTED = {
  ok: false,
  status: "interrupted",
  error: "the call was interrupted; outcome unknown, it may or may not have taken effect",
};

describe("a call that changes something", () => {
  it("is pending before it runs and settled with its result afterwards", async () => {
    const ledger = new MemoryLedger();
    const seen: unknown[] = [];
    const tool = probe(
      () => {
        seen.push([...ledger.entries.values()]);
        return { ok: true, data: "sent" };
      },
      { category: "async", hints: COUNTS, input: looseObject({}) },
    );
    await benchWith({ ledger }, tool).call('{"b":1,"a":2}', { idempotencyKey: "1:2.0" });
    const entry = { key: "1:2.0", callPlace: "1:2.0", turnId: "1", tool: "probe", args: '{"a":2,"b":1}', life: 1 };
    const result = { ok: true, status: "ok", data: "sent" };
    const meta = expect.objectContaining({ tool: "probe", attempts: 1, startedAt: expect.any(Number) });
    expect(seen).toEqual([[{ ...entry, result: null }]]);
    expect([...ledger.entries.values()]).toEqual([{ ...entry, result: { ...result, meta } }]);
  });

  it("is recorded with the time by which it must have ended", async () => {
    const ledger = new MemoryLedger();
    const launches: unknown[] = [];
    const open = ledger.open.bind(ledger);
    const noting: Ledger = Object.assign(ledger, {
      open: (...[entry, launch]: Parameters<Ledger["open"]>) => {
        launches.push(launch);
        return open(entry);
      },
    });
    const b = benchWith({ ledger: noting }, counting().tool);
    await b.clock.advance(500);
    await b.call();
    expect(launches).toMatchObject([{ at: 500, deadlineAt: 500 + CALL_LIMIT_MS }]);
  });

  it("gets the recorded result if it is repeated, even a failure", async () => {
    const { call, runs } = setUp();
    expect([(await call("2.0")).data, (await call("2.0")).data, runs()]).toEqual([1, 1, 1]);
    let count = 0;
    const ledger = new MemoryLedger();
    const fails = probe(() => ({ ok: false, error: `no ${++count}` }), { category: "async", hints: COUNTS });
    const b = benchWith({ ledger }, fails);
    expect([(await b.call()).error, (await b.call()).error]).toEqual(["no 1", "no 1"]);
  });

  it("is settled as a failure if it throws, because it may have taken effect, and does not run again", async () => {
    const ledger = new MemoryLedger();
    let runs = 0;
    const throws = probe(() => Promise.reject(new Error(`lost ${++runs}`)), { category: "async", hints: COUNTS });
    const b = benchWith({ ledger }, throws);
    const lost = { ok: false, status: "error", error: "lost 1" };
    expect([await b.call(), await b.call(), runs]).toEqual([lost, lost, 1]);
    expect([...ledger.entries.values()].map(({ result }) => result)).toMatchObject([lost]);
  });

  it("gets the result of an earlier call in the same turn with the same arguments", async () => {
    const { call, runs } = setUp();
    const answers = [
      await call("2.0", '{"a":1,"b":2}'),
      await call("4.0", '{"b":2,"a":1}'),
      await call("4.1", '{"a":2}'),
    ];
    expect([answers.map(({ data }) => data), runs()]).toEqual([[1, 1, 2], 2]);
    expect((await call("2.0", '{"a":1,"b":2}', "2")).data).toBe(3);
  });

  it.each([
    ["an earlier life left it open and it may not run twice", COUNTS, true, INTERRUPTED, 1],
    ["an earlier life left it open and it may run twice", PUTS, true, { ok: true, status: "ok", data: 2 }, 2],
    [
      "it is still open in this life",
      PUTS,
      false,
      { ok: false, status: "conflict", error: "the same call is running or was abandoned; nothing ran again" },
      1,
    ],
  ])("is answered honestly when %s", async (_, hints, isNewLife, result, runs) => {
    const { ledger, call, runs: count } = setUp({ hints });
    await call("2.0");
    for (const entry of ledger.entries.values()) entry.result = null;
    if (isNewLife) ledger.life++;
    expect([await call("2.0"), count()]).toEqual([result, runs]);
  });

  it("is a conflict under the key of another call", async () => {
    const { call, runs } = setUp();
    await call("2.0", '{"a":1}');
    expect([(await call("2.0", '{"a":2}')).status, runs()]).toEqual(["conflict", 1]);
  });

  it("may name its own effect, wherever it is called from", async () => {
    const { call, ledger, runs } = setUp({
      idempotencyKey: (input) => String((input as { order: number }).order),
    });
    const answers = [
      await call("2.0", '{"order":7}'),
      await call("9.0", '{"order":7}', "2"),
      await call("9.1", '{"order":8}', "2"),
    ];
    expect([answers.map(({ data }) => data), runs(), [...ledger.entries.keys()]]).toEqual([
      [1, 1, 2],
      2,
      ["tool:probe:7", "tool:probe:8"],
    ]);
  });

  it("neither runs nor is settled in a turn that another life has taken over", async () => {
    const { ledger, call, runs } = setUp();
    ledger.isOurs = false;
    expect([(await call("2.0")).status, runs()]).toEqual(["aborted", 0]);
    const taken = new MemoryLedger();
    const tool = probe(
      () => {
        taken.isOurs = false;
        return { ok: true, data: 1 };
      },
      { category: "async", hints: COUNTS },
    );
    expect((await benchWith({ ledger: taken }, tool).call()).status).toBe("aborted");
  });

  it("stays open if it is stopped, because it is unknown whether it took effect", async () => {
    const ledger = new MemoryLedger();
    const turn = new AbortController();
    const tool = probe(
      () => {
        turn.abort();
        return new Promise(() => {});
      },
      { category: "async", hints: COUNTS },
    );
    const b = benchWith({ ledger }, tool);
    expect((await b.call("{}", { signal: turn.signal })).status).toBe("aborted");
    ledger.life++;
    expect(await b.call("{}")).toEqual(INTERRUPTED);
  });

  it("is settled as a timeout if it takes too long, and never runs again", async () => {
    const ledger = new MemoryLedger();
    const b = benchWith(
      { ledger },
      probe(() => new Promise(() => {}), { category: "async", hints: COUNTS, timeoutMs: 50 }),
    );
    const result = b.call();
    await b.clock.advance(50);
    expect([(await result).status, (await b.call()).status]).toEqual(["timeout", "timeout"]);
  });
});

it("a ledger that fails gives a failed result, not an exception, and leaves the entry open", async () => {
  const ledger = new MemoryLedger();
  ledger.settle = () => {
    throw new Error("storage is gone");
  };
  const { tool, runs } = counting();
  const b = benchWith({ ledger }, tool);
  expect([await b.call(), (await b.call()).status, runs()]).toEqual([
    { ok: false, status: "error", error: "storage is gone" },
    "conflict",
    1,
  ]);
});

it("a call that only reads has no ledger entry", async () => {
  const { ledger, call, runs } = setUp({ hints: READS });
  expect([(await call("2.0")).data, (await call("2.0")).data, runs(), ledger.entries.size]).toEqual([1, 2, 2, 0]);
});
