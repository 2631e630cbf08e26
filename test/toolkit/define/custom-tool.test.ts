// A custom tool module runs as it is, with everything that the runtime gives to any other tool.
import { beforeEach, describe, expect, it } from "vitest";
import { type CustomToolContext, customTool } from "../../../src/toolkit/define/custom-tool.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import { createTestClock } from "../../support/clock.ts";
import { COUNTS } from "../arrange.ts";
import { testContext } from "../context.ts";
import * as weather from "./weather.ts";

const NOW = new Date("2030-01-01T00:00:00Z");
const runtime = new ToolRuntime(createToolRegistry().register(customTool(weather)));
const fine = { temp: 3, conditions: "snow" };

beforeEach(() => weather.service.clear());

describe("a custom tool", () => {
  it("answers with its output and its defaults, at the given time", async () => {
    weather.service.set("Oslo", async () => ({ status: 200, body: fine }));
    const lines: string[] = [];
    const call = { id: "weather_001", name: "weather", input: { location: "Oslo" } };
    const result = await runtime.execute(call, { now: NOW, log: (line) => void lines.push(line) });
    expect(result).toEqual({
      ok: true,
      status: "ok",
      data: {
        location: "Oslo",
        temperature: 3,
        conditions: "snow",
        units: "metric",
        timestamp: "2030-01-01T00:00:00.000Z",
      },
      meta: {
        callId: "weather_001",
        tool: "weather",
        attempts: 1,
        retries: 0,
        startedAt: expect.any(Number),
        durationMs: expect.any(Number),
        cached: false,
        repaired: [],
      },
    });
    expect(lines).toEqual(["Assistant decision: weather - no reason given", "asking for Oslo"]);
  });

  it("keeps its output next to its error if it fails", async () => {
    weather.service.set("Oslo", async () => ({ status: 503, body: fine }));
    expect(await runtime.execute({ name: "weather", input: { location: "Oslo" } })).toMatchObject({
      ok: false,
      status: "error",
      error: "Weather API returned 503",
      data: { status: 503, location: "Oslo" },
      meta: { callId: null, attempts: 1 },
    });
  });

  it("fails with only the message if it throws", async () => {
    expect(await runtime.execute({ id: "c", name: "weather", input: { location: "Atlantis" } })).toMatchObject({
      ok: false,
      status: "error",
      error: "no service for Atlantis",
      meta: { callId: "c", tool: "weather" },
    });
  });

  it("does not start in a turn that has ended, and stops when the turn ends", async () => {
    const call = { name: "weather", input: { location: "Oslo" } };
    expect(await runtime.execute(call, { signal: AbortSignal.abort() })).toMatchObject({ status: "aborted" });
    const turn = new AbortController();
    weather.service.set("Oslo", () => {
      turn.abort();
      return new Promise(() => {});
    });
    expect(await runtime.execute(call, { signal: turn.signal })).toMatchObject({
      status: "aborted",
      meta: { attempts: 1 },
    });
  });

  it("is not found if it does not exist, and the error names the offered tools", async () => {
    expect(await runtime.execute({ id: "call_123", name: "nonexistent-tool", input: {} })).toMatchObject({
      ok: false,
      status: "not_found",
      error: "unknown tool: nonexistent-tool. Offered: weather",
      meta: { callId: "call_123", tool: "nonexistent-tool", attempts: 0 },
    });
  });

  it("gets only input that its schema allows", async () => {
    weather.service.set("Oslo", async () => ({ status: 200, body: fine }));
    const result = await runtime.execute({ name: "weather", input: { units: "kelvin", place: "Oslo" } });
    expect(result).toMatchObject({ status: "invalid_input", warnings: ["place: is not a parameter; it was ignored"] });
    expect(result.issues?.map((issue) => issue.split(":")[0])).toEqual(["location", "units"]);
    const imperial = await runtime.execute({ name: "weather", input: { location: "Oslo", units: " Imperial" } });
    expect(imperial.data).toMatchObject({ units: "imperial" });
  });

  it("without a category counts as the riskiest kind that runs without approval, and may declare a safer one", () => {
    expect(customTool(weather)).toMatchObject({ category: "async", hints: COUNTS });
    const hints = { readOnly: true, destructive: false, idempotent: true, openWorld: true };
    expect(customTool({ ...weather, category: "safe", hints })).toMatchObject({ category: "safe", hints });
  });

  it("may limit its own time, and gets the services that it names; without them it does not run", async () => {
    const clock = createTestClock(0);
    const seen: string[] = [];
    const module = {
      name: "noting",
      description: "Notes.",
      timeoutMs: 2000,
      services: ["notes"] as const,
      run(_input: never, { notes, memories }: CustomToolContext) {
        seen.push(`${notes?.read()} ${memories === undefined}`);
        return new Promise(() => {});
      },
    };
    const registry = createToolRegistry([customTool(module)]);
    const ports = { after: clock.timers.after, clock: clock.now, random: () => 0 };
    const notes = { read: () => "milk", write: () => {}, areTainted: () => false };
    const runtime = new ToolRuntime(registry, { ...ports, services: { notes } });
    const result = runtime.execute({ name: "noting", arguments: "{}" }, testContext(), 60_000);
    await clock.advance(2000);
    const error = "timed out after 2 s; whether it did anything is unknown";
    expect(await result).toMatchObject({ status: "timeout", error });
    expect(seen).toEqual(["milk true"]);
    const without = new ToolRuntime(registry, { ...ports, services: {} });
    expect(await without.execute({ name: "noting", arguments: "{}" }, testContext(), 60_000)).toMatchObject({
      status: "denied",
    });
  });

  it("is foreign unless it says that it reaches nothing outside, or that its words may be trusted", () => {
    const plain = { name: "plain", description: "Answers.", run: () => "anything" };
    const hints = { readOnly: true, destructive: false, idempotent: true };
    const marks = [
      plain,
      { ...plain, hints: { ...hints, openWorld: true } },
      { ...plain, hints: { ...hints, openWorld: false } },
      { ...plain, untrusted: false },
      { ...plain, untrusted: true, hints: { ...hints, openWorld: false } },
    ].map((module) => customTool(module).untrusted ?? false);
    expect(marks).toEqual([true, true, false, false, true]);
  });

  it("may be just a name, a description and a function", async () => {
    const plain = customTool({ name: "plain", description: "Answers.", run: () => "anything" });
    const result = await new ToolRuntime(createToolRegistry([plain])).execute({ name: "plain" });
    expect(result).toMatchObject({ ok: true, data: "anything" });
  });
});
