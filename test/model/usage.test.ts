// The usage of a stream, in the shapes in which providers send it, and what becomes of invalid figures.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { collectEvents, type Hosted, host } from "./hosted.ts";

let hosted: Hosted;
beforeAll(async () => {
  hosted = await host();
});
afterEach(() => hosted.local.reset());
afterAll(() => hosted.served.close());

async function usageOf(usage: Record<string, unknown>): Promise<unknown> {
  const end = (await collectEvents(hosted, { chunks: [{ text: "Hi." }], usage })).at(-1);
  return end?.kind === "end" ? end.usage : end;
}
const COUNTS = { prompt_tokens: 100, completion_tokens: 10 };
const READ = { inputTokens: 100, outputTokens: 10 };

describe("cached input", () => {
  it.each<[string, Record<string, unknown>]>([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 80, audio_tokens: 0 } }],
    ["DeepSeek", { prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 }],
    ["Moonshot", { cached_tokens: 80 }],
    ["Mistral", { num_cached_tokens: 80 }],
    ["Mistral, spelled differently", { prompt_token_details: { cached_tokens: 80 } }],
    [
      "one of two places, the other of which has no count",
      { prompt_tokens_details: { cached_tokens: null }, cached_tokens: 80 },
    ],
  ])("is read where %s puts it", async (_, more) => {
    expect(await usageOf({ ...COUNTS, ...more })).toEqual({ ...READ, cachedInputTokens: 80 });
  });

  it("is never more than the input", async () => {
    expect(await usageOf({ ...COUNTS, cached_tokens: 101 })).toEqual({ ...READ, cachedInputTokens: 100 });
  });

  it.each([-1, 0.5, 1e12, "80", null, {}, [80], true])("is missing if it is %j", async (cached) => {
    expect(await usageOf({ ...COUNTS, prompt_tokens_details: { cached_tokens: cached } })).toEqual(READ);
  });

  it.each([null, 7, "none", []])("is missing if its details are %j", async (details) => {
    expect(await usageOf({ ...COUNTS, prompt_tokens_details: details })).toEqual(READ);
  });
});

describe("input that was written to a cache", () => {
  it.each<[string, Record<string, unknown>]>([
    ["OpenAI and OpenRouter", { prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 60 } }],
    ["gateways to Anthropic", { cache_creation_input_tokens: 60, cache_read_input_tokens: 0 }],
  ])("is read where %s puts it", async (_, more) => {
    expect(await usageOf({ ...COUNTS, ...more })).toEqual({ ...READ, cacheWriteTokens: 60 });
  });

  it("is never more than the input that was not cached", async () => {
    const usage = { ...COUNTS, cache_creation_input_tokens: 60, cache_read_input_tokens: 80 };
    expect(await usageOf(usage)).toEqual({ ...READ, cachedInputTokens: 80, cacheWriteTokens: 20 });
  });

  it("is input that Anthropic's own form counts separately, like cached input", async () => {
    const apart = {
      input_tokens: 100,
      output_tokens: 10,
      cache_creation_input_tokens: 60,
      cache_read_input_tokens: 80,
    };
    const usage = { prompt_tokens: undefined, completion_tokens: undefined, ...apart };
    expect(await usageOf(usage)).toEqual({
      inputTokens: 240,
      outputTokens: 10,
      cachedInputTokens: 80,
      cacheWriteTokens: 60,
    });
  });

  it.each([-1, 0.5, "60", null, {}])("is missing if it is %j", async (written) => {
    expect(await usageOf({ ...COUNTS, cache_creation_input_tokens: written })).toEqual(READ);
  });
});

describe("a reported cost", () => {
  it("is read in micro-dollars, even if it is zero", async () => {
    expect(await usageOf({ ...COUNTS, cost: 0.0123456 })).toEqual({ ...READ, costMicroUsd: 12_346 });
    expect(await usageOf({ ...COUNTS, cost: 0 })).toEqual({ ...READ, costMicroUsd: 0 });
  });

  it("includes what the provider behind a gateway charges to its owner's own key, and only that", async () => {
    const costOf = async (more: Record<string, unknown>) => await usageOf({ ...COUNTS, ...more });
    const upstream = { cost_details: { upstream_inference_cost: 0.19 } };
    expect(await costOf({ cost: 0.01, is_byok: true, ...upstream })).toEqual({ ...READ, costMicroUsd: 200_000 });
    expect(await costOf({ cost: 0.19, is_byok: false, ...upstream })).toEqual({ ...READ, costMicroUsd: 190_000 });
    // That charge is not stated, so the model's own price decides.
    for (const details of [{}, { cost_details: null }, { cost_details: { upstream_inference_cost: null } }])
      expect(await costOf({ cost: 0, is_byok: true, ...details })).toEqual(READ);
  });

  it("is read where xAI puts it, in units of a ten-billionth of a dollar", async () => {
    const told = (ticks: unknown) => usageOf({ ...COUNTS, cost_in_usd_ticks: ticks });
    expect(await told(37_756_000)).toEqual({ ...READ, costMicroUsd: 3776 });
    expect(await told(0)).toEqual({ ...READ, costMicroUsd: 0 });
    for (const none of [-1, "37756000", null, 1e30]) expect(await told(none)).toEqual(READ);
  });

  it.each([-0.01, 1e9, "0.01", null, { total_cost: 1 }])("is not used if it is %j", async (cost) => {
    expect(await usageOf({ ...COUNTS, cost })).toEqual(READ);
  });
});

describe("token counts", () => {
  it.each([-1, 1.5, 1e12, "100", null, {}])(
    "that are invalid (%j) are not used, whichever count it is",
    async (bad) => {
      expect(await usageOf({ ...COUNTS, prompt_tokens: bad, cost: 1 })).toBeNull();
      expect(await usageOf({ ...COUNTS, completion_tokens: bad })).toBeNull();
    },
  );

  it("that are all zero are not used: no request is empty, so the provider did not count", async () => {
    const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(await usageOf(none)).toBeNull();
    expect(await usageOf({ ...none, cost: 0.001 })).toEqual({ inputTokens: 0, outputTokens: 0, costMicroUsd: 1000 });
  });

  it("of the answer alone are not used; the usage before them is, or else an estimate", async () => {
    const alone = { prompt_tokens: 0, completion_tokens: 50 };
    expect(await usageOf(alone)).toBeNull();
    const before = { raw: `data: ${JSON.stringify({ choices: [], usage: COUNTS })}\n\n` };
    const events = await collectEvents(hosted, { chunks: [{ text: "Hi." }, before], usage: alone });
    expect(events.at(-1)).toMatchObject({ kind: "end", usage: READ });
  });

  it("come from the last chunk with numbers", async () => {
    const chunk = (usage: unknown) => ({ raw: `data: ${JSON.stringify({ choices: [], usage })}\n\n` });
    const more = [
      chunk({ ...COUNTS, prompt_tokens: 90 }),
      chunk({ ...COUNTS, prompt_tokens: "x" }),
      chunk(null),
      chunk(7),
    ];
    const events = await collectEvents(hosted, {
      chunks: [{ text: "Hi." }, ...more],
      usage: { prompt_tokens: null, completion_tokens: null },
    });
    expect(events.at(-1)).toMatchObject({ kind: "end", usage: { ...READ, inputTokens: 90 } });
  });
});
