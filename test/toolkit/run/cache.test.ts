// Cached answers: which questions are equal, how long an answer lives in each scope, and that only tools that read are answered
// from the cache.
import { describe, expect, it } from "vitest";
import { looseObject } from "zod";
import type { CachePolicy, Tool } from "../../../src/toolkit/define/tool.ts";
import { createResultCache } from "../../../src/toolkit/run/cache.ts";
import type { CacheEntry, RuntimePorts } from "../../../src/toolkit/run/runtime-ports.ts";
import { type Bench, benchWith, counting, probe, READS } from "../arrange.ts";

const input = looseObject({});
const cached = (cache: CachePolicy, over: Partial<Tool> = {}) => counting({ hints: READS, input, cache, ...over });
const dataOf = async (b: Bench, args: string, context = {}) => (await b.call(args, context)).data;

describe("an answer", () => {
  it("is reused for an equal question, whatever the order of its arguments, and counts as no attempt", async () => {
    const { tool, runs } = cached({ scope: "turn" });
    const b = benchWith({ cache: createResultCache() }, tool);
    await b.execute({ name: "probe", arguments: '{"a":1,"b":{"c":2,"d":[3]}}' });
    const again = await b.execute({ name: "probe", arguments: '{"b":{"d":[3],"c":2},"a":1}' });
    expect(again).toMatchObject({ ok: true, data: 1, meta: { cached: true, attempts: 0, retries: 0 } });
    expect([await dataOf(b, '{"a":2}'), await dataOf(b, '{"b":{"d":[4],"c":2},"a":1}'), runs()]).toEqual([2, 3, 3]);
  });

  it("is not kept without a cache, or for a tool without a policy", async () => {
    const { tool } = cached({ scope: "session" });
    const without = benchWith({}, tool);
    expect([await dataOf(without, "{}"), await dataOf(without, "{}")]).toEqual([1, 2]);
    const plain = benchWith({ cache: createResultCache() }, counting({ hints: READS }).tool);
    expect([await dataOf(plain, "{}"), await dataOf(plain, "{}")]).toEqual([1, 2]);
  });

  it("lives only for its turn in the turn scope", async () => {
    const b = benchWith({ cache: createResultCache() }, cached({ scope: "turn" }).tool);
    const asked = [];
    for (const turnId of ["1", "1", "2", "1"]) asked.push(await dataOf(b, "{}", { turnId }));
    expect(asked).toEqual([1, 1, 2, 3]);
  });

  it("lives across turns in the session scope, up to its maximum age and not a millisecond longer", async () => {
    const b = benchWith({ cache: createResultCache() }, cached({ scope: "session", ttlSeconds: 5 }).tool);
    expect([await dataOf(b, "{}"), await dataOf(b, "{}", { turnId: "2" })]).toEqual([1, 1]);
    await b.clock.advance(4999);
    expect(await dataOf(b, "{}")).toBe(1);
    await b.clock.advance(1);
    expect(await dataOf(b, "{}")).toBe(2);
  });

  it("goes to storage in the persistent scope, with its expiry, under a key that reveals nothing", async () => {
    const storage = new Map<string, CacheEntry>();
    const { tool } = cached({ scope: "persistent", ttlSeconds: 60 });
    const b = benchWith({ cache: createResultCache(storage) }, tool);
    await b.call('{"who":"Mira"}');
    const other = benchWith({ cache: createResultCache(storage) }, tool);
    expect(await dataOf(other, '{"who":"Mira"}')).toBe(1);
    expect([...storage]).toEqual([
      [expect.stringMatching(/^[0-9a-f]{64}$/), { json: '{"ok":true,"status":"ok","data":1}', expiresAt: 60_000 }],
    ]);
  });

  it("varies with the context that its tool names, and with the tool's version", async () => {
    const cache = createResultCache();
    const policy: CachePolicy = { scope: "session", vary: ["userId", "guildId"] };
    const b = benchWith({ cache }, cached(policy).tool);
    const asked = [];
    for (const context of [
      { userId: "1" },
      { userId: "2" },
      { userId: "1", guildId: "9" },
      { userId: "1", locale: "de" },
    ])
      asked.push(await dataOf(b, "{}", context));
    expect(asked).toEqual([1, 2, 3, 1]);
    const newer = benchWith({ cache }, cached(policy, { version: "2" }).tool);
    expect([await dataOf(b, "{}", { userId: "2" }), await dataOf(newer, "{}", { userId: "2" })]).toEqual([2, 1]);
    const newest = benchWith({ cache }, cached(policy, { version: "3" }).tool);
    await dataOf(newer, "{}", { userId: "2" });
    expect((await newest.execute({ name: "probe" }, { userId: "2" })).meta.cached).toBe(false);
  });

  it("is asked for again if it was a failure or too large", async () => {
    let runs = 0;
    const policy = { scope: "session" } as const;
    const fails = probe(() => ({ ok: false, error: `no ${++runs}` }), { cache: policy });
    const b = benchWith({ cache: createResultCache() }, fails);
    expect([(await b.call()).error, (await b.call()).error]).toEqual(["no 1", "no 2"]);
    const large = probe(() => ({ ok: true, data: `${++runs}${"x".repeat(65_536)}` }), {
      cache: policy,
      maxResultChars: 100_000,
    });
    const big = benchWith({ cache: createResultCache() }, large);
    expect([String((await big.call()).data)[0], String((await big.call()).data)[0]]).toEqual(["3", "4"]);
  });

  it("is kept up to 64 KB", async () => {
    const frame = JSON.stringify({ ok: true, status: "ok", data: "" }).length;
    const runsOf = async (bytes: number) => {
      let runs = 0;
      const answer = () => {
        runs++;
        return { ok: true, data: "x".repeat(bytes - frame) } as const;
      };
      const b = benchWith(
        { cache: createResultCache() },
        probe(answer, { cache: { scope: "session" }, maxResultChars: 100_000 }),
      );
      await b.call();
      await b.call();
      return runs;
    };
    expect([await runsOf(65_535), await runsOf(65_536), await runsOf(65_537)]).toEqual([1, 1, 2]);
  });

  it("is dropped at the 201st if it was used least recently", async () => {
    const { tool, runs } = cached({ scope: "session" });
    const b = benchWith({ cache: createResultCache() }, tool);
    for (let n = 0; n < 200; n++) await b.call(`{"n":${n}}`);
    await b.call('{"n":0}');
    await b.call('{"n":200}');
    expect([runs(), await dataOf(b, '{"n":0}'), await dataOf(b, '{"n":1}'), runs()]).toEqual([201, 1, 202, 202]);
  });

  it("is looked up only after the gate, which may refuse the call", async () => {
    const { tool } = cached({ scope: "session", vary: [] }, { requires: { permissions: ["MANAGE_MESSAGES"] } });
    const cache = createResultCache();
    const there = { botToken: false, modelAbilities: new Set<string>(), settings: new Set<string>() };
    const may = benchWith({ cache, availability: { ...there, permissions: new Set(["MANAGE_MESSAGES"]) } }, tool);
    const mayNot = benchWith({ cache, availability: { ...there, permissions: new Set<string>() } }, tool);
    expect([(await may.call()).status, (await mayNot.call()).status]).toEqual(["ok", "denied"]);
  });
});

describe("equal questions at the same time", () => {
  const slow = (ports: RuntimePorts = {}) => {
    let runs = 0;
    let answer = (_data: unknown) => {};
    const tool = probe(
      () =>
        new Promise((resolve) => {
          runs++;
          answer = (data) => resolve({ ok: true, data });
        }),
      { cache: { scope: "session" } },
    );
    return {
      b: benchWith({ cache: createResultCache(), ...ports }, tool),
      runs: () => runs,
      answer: (data: unknown) => answer(data),
    };
  };

  it.each<[string, RuntimePorts]>([
    ["one after the other", {}],
    // A runtime may compute a digest at once.
    ["in the same moment", { sha256: async (text) => text }],
  ])("share one run, if the hashes of their keys come %s", async (_when, ports) => {
    const { b, runs, answer } = slow(ports);
    const results = [b.execute({ name: "probe" }), b.execute({ name: "probe" })];
    while (runs() === 0) await b.clock.advance(0);
    await b.clock.advance(0);
    answer("once");
    const ended = await Promise.all(results);
    expect([runs(), ended.map((result) => result.data)]).toEqual([1, ["once", "once"]]);
    // Either run may get the answer: each first waits for the hash of its key.
    expect(ended.filter((result) => result.meta.cached)).toHaveLength(1);
  });

  it("don't share a stop: a stopped caller ends at once, and each of the others runs by itself", async () => {
    const { b, runs, answer } = slow();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = b.execute({ name: "probe" }, { signal: one.signal });
    while (runs() === 0) await b.clock.advance(0);
    const second = b.execute({ name: "probe" });
    const third = b.execute({ name: "probe" }, { signal: two.signal });
    for (let turns = 0; turns < 20; turns++) await b.clock.advance(0);
    two.abort();
    expect([(await third).status, runs()]).toEqual(["aborted", 1]);
    one.abort();
    expect((await first).status).toBe("aborted");
    while (runs() === 1) await b.clock.advance(0);
    answer("mine");
    expect((await second).data).toBe("mine");
  });
});
