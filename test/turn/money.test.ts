// What a turn costs: each step by the model that answered it, once, however the step ended.
import { describe, expect, it } from "vitest";
import { stepUsage } from "../../src/turn/estimated-usage.ts";
import type { StreamResult } from "../../src/turn/stream-result.ts";
import { createTurnHarness, type ModelScript } from "../support/turn-harness.ts";
import { calls, end, fails, type Pass, reasoning, says, text, tool, USAGE } from "../support/turn-script.ts";

const CHEAP = { input: 1, output: 2 };
const DEAR = { input: 100, cachedInput: 10, output: 200 };
type Script = ModelScript;
const at = (price: Script["price"], ...passes: Pass[]): Script => (price ? Object.assign(passes, { price }) : passes);
const look = tool("look", () => ({ ok: true, data: 1 }));
/** The cost of a step that reports these tokens. */
const CHEAP_STEP = USAGE.inputTokens * 1 + USAGE.outputTokens * 2;
const DEAR_STEP = USAGE.inputTokens * 100 + USAGE.outputTokens * 200;
const reporting = (usage: object): Pass => [text("Hi."), { ...end(), usage: { ...USAGE, ...usage } } as Pass[number]];

describe("the cost of a turn", () => {
  it("is the sum of the costs of its steps", async () => {
    const w = createTurnHarness({ models: [at(CHEAP, calls("look"), calls("look"), says("Done."))], tools: [look] });
    const { answer } = await w.end();
    expect(w.turn().usage).toEqual({ inputTokens: 20, outputTokens: 4, modelCalls: 2, microUsd: 2 * CHEAP_STEP });
    // The last answer brings its cost to the write that ends the turn.
    expect(answer?.usage).toEqual({ ...USAGE, costMicroUsd: CHEAP_STEP });
  });

  it("has each model's steps at that model's price after a fallback", async () => {
    const broken: Pass = [{ kind: "failed", failure: { reason: "bad_stream", message: "cut" }, usage: USAGE }];
    const w = createTurnHarness({
      models: [at(CHEAP, calls("look"), broken), at(DEAR, calls("look"), says("Done."))],
      tools: [look],
    });
    const { answer } = await w.end();
    expect(w.turn().usage).toMatchObject({ modelCalls: 3, microUsd: 2 * CHEAP_STEP + DEAR_STEP });
    expect(answer?.usage?.costMicroUsd).toBe(DEAR_STEP);
  });

  it("leaves out a model whose price is unknown, and counts its tokens separately", async () => {
    const w = createTurnHarness({
      models: [at(undefined, calls("look"), fails("auth")), at(DEAR, calls("look"), says("Done."))],
      tools: [look],
    });
    await w.end();
    expect(w.turn().usage).toMatchObject({ microUsd: DEAR_STEP, unpriced: 12 });
  });

  it("counts cached input at its own price, and prefers the provider's own figure to any price", async () => {
    const cached = createTurnHarness({ models: [at(DEAR, reporting({ cachedInputTokens: 8 }))] });
    expect((await cached.end()).answer?.usage?.costMicroUsd).toBe(2 * 100 + 8 * 10 + 2 * 200);
    const told = createTurnHarness({ models: [at(DEAR, reporting({ costMicroUsd: 3 }))] });
    expect((await told.end()).answer?.usage?.costMicroUsd).toBe(3);
    const unknown = createTurnHarness({ models: [at(undefined, reporting({ costMicroUsd: 3 }))] });
    expect((await unknown.end()).answer?.usage?.costMicroUsd).toBe(3);
  });

  it("includes answers that said nothing", async () => {
    const w = createTurnHarness({ models: [at(CHEAP, [end()], says("Here."))] });
    await w.end(1000);
    expect(w.turn().usage).toMatchObject({ modelCalls: 1, microUsd: CHEAP_STEP });
  });

  it("includes an estimate of everything that a stopped step had said: its thoughts, its text and a call", async () => {
    const call = { kind: "call_piece" as const, text: "c".repeat(80) };
    const said = [reasoning("z".repeat(40)), text("y".repeat(400)), call];
    const w = createTurnHarness({ models: [at(CHEAP, [...said, { hang: true }])] });
    w.begin();
    await w.clock.advance(0);
    w.stop("stop");
    const { unstoredUsage } = await w.end();
    const { inputTokens = 0 } = unstoredUsage ?? {};
    expect(unstoredUsage).toEqual({
      inputTokens,
      outputTokens: 10 + 100 + 20,
      isEstimate: true,
      costMicroUsd: inputTokens + 2 * 130,
    });
    expect(inputTokens).toBeGreaterThan(0);
  });

  it("includes the earlier tries that its provider could not read and that were repeated", async () => {
    const broken: Pass = [{ kind: "failed", failure: { reason: "bad_call", message: "no" }, usage: USAGE }];
    const w = createTurnHarness({ models: [at(CHEAP, broken, fails("overloaded"), says("Done."))] });
    const { answer } = await w.end(10_000);
    expect(answer?.usage).toEqual({
      inputTokens: 2 * USAGE.inputTokens,
      outputTokens: 2 * USAGE.outputTokens,
      costMicroUsd: 2 * CHEAP_STEP,
    });
  });

  it("counts once a try that was about to be repeated when the turn was stopped", async () => {
    const broken: Pass = [{ kind: "failed", failure: { reason: "bad_call", message: "no" }, usage: USAGE }];
    const w = createTurnHarness({ models: [at(CHEAP, broken, says("Done."))] });
    w.begin();
    await w.clock.advance(100);
    w.stop("stop");
    const { unstoredUsage } = await w.end();
    expect(unstoredUsage).toMatchObject({ inputTokens: USAGE.inputTokens, costMicroUsd: CHEAP_STEP });
  });

  it("includes an estimate of what the model said as details of its answer", () => {
    const said = { accumulatedText: "y".repeat(400), detailsContent: "z".repeat(40), thoughtLog: "", hasBegun: true };
    const step: StreamResult = { ...said, status: "completed", finishReason: "stop", usage: null, native: null };
    expect(stepUsage({ system: "", messages: [], tools: [] }, step, CHEAP)?.outputTokens).toBe(100 + 10);
  });

  it("includes an estimate of the tools that a request offers, which a provider counts as part of it", () => {
    const parameters = { type: "object", properties: { city: { type: "string", description: "x".repeat(400) } } };
    const tools = [{ name: "weather", description: "y".repeat(400), parameters }];
    const chars = "weather".length + 400 + JSON.stringify(parameters).length;
    const said = { accumulatedText: "", detailsContent: "", thoughtLog: "", hasBegun: true };
    const step: StreamResult = { ...said, status: "completed", finishReason: "stop", usage: null, native: null };
    const tokens = (offered: typeof tools) =>
      stepUsage({ system: "", messages: [], tools: offered }, step, CHEAP)?.inputTokens;
    expect([tokens([]), tokens(tools)]).toEqual([0, 16 + 18 + Math.ceil(chars / 4)]);
  });

  it("is shown in the timeline, step by step", async () => {
    const w = createTurnHarness({ models: [at(DEAR, calls("look"), says("Done."))], tools: [look] });
    await w.end();
    expect(w.turn().events.find(({ what }) => what === "model")?.detail).toBe("m, 10+2 tokens, $0.0014, 0 ms, 1 call");
  });
});
