// Calls in a turn that has read strangers' words: which results are marked and cleaned, and which calls ask first.
import { describe, expect, it } from "vitest";
import type { TurnTaint } from "../../../src/core/taint/taint.ts";
import { customTool } from "../../../src/toolkit/define/custom-tool.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool, ToolOutcome } from "../../../src/toolkit/define/tool.ts";
import type { AvailableServices } from "../../../src/toolkit/define/tool-services.ts";
import { createResultCache } from "../../../src/toolkit/run/cache.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import type { CallWords } from "../../../src/toolkit/run/runtime-ports.ts";
import { tools as shipped } from "../../../src/tools/index.ts";
import { EFFECT, tool } from "../../support/turn-script.ts";
import * as weather from "../define/weather.ts";

const CLEAN: TurnTaint = { level: "none", isAskedFor: () => false, isKnown: () => false };
const FULL: TurnTaint = { ...CLEAN, level: "full" };

function runtimeWith(tools: Tool[], asked: CallWords[] = []) {
  return new ToolRuntime(createToolRegistry(tools), {
    random: () => 0.5,
    cache: createResultCache(),
    approvals: {
      verdict: (_call, isNeeded) => (isNeeded ? "open" : "approved"),
      ask: (_call, words) => void asked.push(words),
    },
  });
}
const reads = (answer: ToolOutcome, over: Partial<Tool> = {}) =>
  tool("look", () => answer, { untrusted: true, ...over });
const FENCE = /^[0-9a-z]{8}$/;

describe("a result with strangers' words", () => {
  it("is cleaned and gets the turn's fence", async () => {
    const look = reads({ ok: true, data: { "te\u200bxt": "<|im_start|>" }, message: "a\u202eb" });
    const result = await runtimeWith([look]).execute({ name: "look" }, { taint: CLEAN });
    expect(result).toMatchObject({ ok: true, data: { text: "< |im_start|>" }, message: "ab" });
    expect(result.untrusted).toMatch(FENCE);
  });

  it("is cleaned and fenced even if the tool failed, but not if nothing ran", async () => {
    const failing = runtimeWith([reads({ ok: false, error: "404 [INST]" })]);
    expect(await failing.execute({ name: "look" }, { taint: CLEAN })).toMatchObject({ error: "404 [ INST]" });
    const unfit = await failing.execute({ name: "look", arguments: { note: { deep: 1 } } }, { taint: CLEAN });
    expect([unfit.status, unfit.untrusted]).toEqual(["invalid_input", undefined]);
  });

  it("is not what a tool says of a call to which it objects: an address that it refuses was never read", async () => {
    const fetched: string[] = [];
    const fetch = async (address: string) => {
      fetched.push(address);
      return new Response("not here", { status: 404 });
    };
    const runtime = new ToolRuntime(createToolRegistry(shipped), {
      random: () => 0.5,
      services: { fetch, privateHosts: new Set() },
    });
    const read = (url: string) => runtime.execute({ name: "fetch_url", arguments: { url } }, { taint: CLEAN });
    for (const url of ["http://localhost/", "example.com"]) expect(await read(url)).not.toHaveProperty("untrusted");
    expect([await read("https://example.com/"), fetched]).toMatchObject([
      { ok: false, untrusted: expect.stringMatching(FENCE) },
      ["https://example.com/"],
    ]);
  });

  it.each<[string, NonNullable<Tool["untrusted"]>]>([
    ["always", true],
    ["by the tool's own decision", () => true],
  ])("has a different fence in each turn, even if it comes from the cache: %s", async (_, untrusted) => {
    const look = reads({ ok: true, data: "x" }, { untrusted, cache: { scope: "session" } });
    const cache = createResultCache();
    const turn = (random: number) =>
      new ToolRuntime(createToolRegistry([look]), { cache, random: () => random }).execute(
        { name: "look" },
        { taint: CLEAN },
      );
    const [first, second] = [await turn(0.1), await turn(0.9)];
    expect([first.meta.cached, second.meta.cached]).toEqual([false, true]);
    expect(second.untrusted).not.toBe(first.untrusted);
  });

  it("may be recognized by the tool from its data", async () => {
    const look = tool("look", (_context, { note }) => ({ ok: true, data: { note } }), {
      untrusted: (data) => (data as { note: string }).note === "bad",
    });
    const runtime = runtimeWith([look]);
    const mark = async (note: string) =>
      (await runtime.execute({ name: "look", arguments: { note } }, { taint: CLEAN })).untrusted !== undefined;
    expect([await mark("bad"), await mark("good")]).toEqual([true, false]);
  });

  it.each([
    ["bad", true],
    ["good", false],
  ])("is recognized from all of the data, even if the model gets only its beginning: %s", async (end, isMarked) => {
    const notes = [...Array.from({ length: 50 }, () => "some words"), end];
    const look = tool("look", () => ({ ok: true, data: { notes } }), {
      untrusted: (data) => (data as { notes: string[] }).notes.includes("bad"),
      maxResultChars: 100,
    });
    const result = await runtimeWith([look]).execute({ name: "look" }, { taint: CLEAN });
    expect(result).toMatchObject({ ok: true, data: { cut: expect.stringContaining("were cut") } });
    expect(result.untrusted !== undefined).toBe(isMarked);
  });

  it.each(["bad", "good"])("is remembered by the cache as the tool decided: %s", async (end) => {
    const look = tool("look", () => ({ ok: true, data: { notes: ["x".repeat(200), end] } }), {
      untrusted: (data) => (data as { notes: string[] }).notes.includes("bad"),
      maxResultChars: 100,
      cache: { scope: "session" },
    });
    const runtime = runtimeWith([look]);
    const marks = async () => (await runtime.execute({ name: "look" }, { taint: CLEAN })).untrusted !== undefined;
    expect([await marks(), await marks()]).toEqual(Array(2).fill(end === "bad"));
  });

  it("comes from a plain module that reaches outside, unless the module says otherwise", () => {
    const hints = { readOnly: true, destructive: false, idempotent: true };
    const module = { ...weather, hints: { ...hints, openWorld: true } };
    expect(customTool(module).untrusted).toBe(true);
    expect(customTool({ ...module, untrusted: false }).untrusted).toBeUndefined();
    expect(customTool({ ...module, hints: { ...hints, openWorld: false } }).untrusted).toBeUndefined();
  });

  it("is left as it is outside a turn, where no model reads it", async () => {
    const result = await runtimeWith([reads({ ok: true, data: "a\u200bb" })]).execute({ name: "look" });
    expect([result.data, result.untrusted]).toEqual(["a\u200bb", undefined]);
  });
});

describe("a call in a tainted turn", () => {
  it("asks the asker if it changes something, even if its tool is a remote one", async () => {
    const asked: CallWords[] = [];
    const runs: string[] = [];
    const run = ({ callId }: { callId: string }) => {
      runs.push(callId);
      return { ok: true, data: null } as const;
    };
    const write = tool("write", run, { ...EFFECT, approvedBy: "moderator" });
    const result = await runtimeWith([write], asked).execute({ name: "write" }, { taint: FULL });
    expect([result.status, runs, asked]).toEqual(["needs_approval", [], [{ summary: "write", isSuspect: true }]]);
  });

  it("still asks those who may approve it if it is dangerous anyway", async () => {
    const asked: CallWords[] = [];
    const purge = tool("purge", () => ({ ok: true, data: null }), {
      ...EFFECT,
      category: "dangerous",
      approvedBy: "moderator",
    });
    await runtimeWith([purge], asked).execute({ name: "purge" }, { taint: CLEAN });
    await runtimeWith([purge], asked).execute({ name: "purge" }, { taint: FULL });
    expect(asked).toEqual([
      { summary: "purge", byModerator: true },
      { summary: "purge", byModerator: true, isSuspect: true },
    ]);
  });

  it.each([599, 600, 601])(
    "is shown in full to the person who is asked up to 600 characters, here with %i",
    async (characters) => {
      const asked: CallWords[] = [];
      const look = (note: string) =>
        runtimeWith([tool("write", () => ({ ok: true, data: null }), EFFECT)], asked).execute(
          { name: "write", arguments: { note } },
          { taint: FULL },
        );
      await look("");
      const frame = asked[0]?.summary.length ?? 0;
      await look("\u{1f600}".repeat(characters - frame));
      const [, words] = asked;
      expect([words?.isCut ?? false, words?.summary.endsWith("…"), [...(words?.summary ?? "")].length]).toEqual([
        characters > 600,
        characters > 600,
        Math.min(600, characters),
      ]);
    },
  );

  const nothing = { messageId: () => null, actions: {}, reminders: {}, fetch: () => {}, privateHosts: new Set() };
  it.each<[string, object, string]>([
    ["pin_message", { message: "ref_9" }, '"ref_9" is not a message here'],
    ["create_thread", { name: "Cake", message: "ref_9" }, '"ref_9" is not a message here'],
    ["add_reaction", { message: "ref_9", emoji: "👍" }, '"ref_9" is not a message here'],
    ["set_reminder", { text: "tea", when: "in 2 years" }, "a reminder can be at most one year ahead"],
    [
      "set_reminder",
      { text: "tea", when: "in 1 day", timezone: "Berlin" },
      '"Berlin" is not an IANA time zone; write it like Asia/Tokyo',
    ],
    ["fetch_url", { url: "http://10.0.0.1/" }, "the URL can't be read: its host is not on the public internet"],
  ])("asks no one about a call of %s that must fail: %j", async (name, args, error) => {
    const asked: CallWords[] = [];
    const runtime = new ToolRuntime(createToolRegistry(shipped), {
      services: nothing as unknown as AvailableServices,
      approvals: {
        verdict: (_call, isNeeded) => (isNeeded ? "open" : "approved"),
        ask: (_call, words) => void asked.push(words),
      },
    });
    const result = await runtime.execute({ name, arguments: args }, { taint: FULL });
    expect([result.status, result.error, asked]).toEqual(["invalid_input", error, []]);
  });

  it("cuts the reason why a call must fail, because that quotes what the model wrote", async () => {
    const vain = tool("vain", () => ({ ok: true, data: null }), { ...EFFECT, objection: () => "x".repeat(1001) });
    const { error } = await runtimeWith([vain]).execute({ name: "vain" }, { taint: FULL });
    expect(error).toBe("x".repeat(1000));
  });

  it("asks no one if it is missing what it needs", async () => {
    const asked: CallWords[] = [];
    const write = tool("write", () => ({ ok: true, data: null }), { ...EFFECT, requires: { services: ["notes"] } });
    const result = await runtimeWith([write], asked).execute({ name: "write" }, { taint: FULL });
    expect([result.status, asked]).toEqual(["denied", []]);
  });
});
