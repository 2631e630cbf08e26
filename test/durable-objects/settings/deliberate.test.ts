// Deliberate mode in the object, through deaths, several people and changed settings, compared with a reference of a few lines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { object, optional, string } from "zod";
import { statusText } from "../../../src/core/copy/status.ts";
import { buildStatusReport } from "../../../src/core/decisions/status.ts";
import type { DeliberateChange } from "../../../src/core/state/rpc.ts";
import { defineTool, type Tool } from "../../../src/toolkit/define/tool.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const TOOLS = ["alpha", "beta"] as const;
type Name = (typeof TOOLS)[number];

/** A tool that its name exposes, and that fails on demand. */
const named = (name: Name, readOnly: boolean): Tool =>
  defineTool({
    name,
    description: `Test tool ${name}.`,
    input: object({ fail: optional(string()) }),
    category: readOnly ? "safe" : "async",
    hints: { readOnly, destructive: false, idempotent: false, openWorld: false },
    triggers: { phrases: [name] },
    execute: ({ fail }) => (fail === undefined ? { ok: true, data: 1 } : { ok: false, error: fail }),
  });

const end = (
  finishReason: "stop" | "tool_calls",
  calls: { id: string; name: string; arguments: string }[],
): ModelEvent => ({
  kind: "end",
  finishReason,
  calls,
  usage: null,
});
const WORDS: ModelEvent[] = [{ kind: "text", text: "Well." }, end("stop", [])];

/** One message and what happens to it. */
interface Round {
  userId: string;
  text: string;
  call: { name: Name; fails: boolean } | null;
  /** The object's life ends before the model's first answer, or after the call. */
  dies: readonly ("before" | "after")[];
}

function place(config: Parameters<typeof createChannelHarness>[0] = {}) {
  const channel = createChannelHarness({ tools: [named("alpha", true), named("beta", false)], ...config });
  let used = 100;
  const change = (wanted: DeliberateChange) => {
    const interactionId = String(used++);
    return channel.deliberate({ interactionId, userId: "7", change: wanted });
  };
  /** Plays a round; returns what was offered in its first request, and what the model read about its call. */
  const play = async ({ userId, text, call, dies }: Round) => {
    const first = channel.requests.length;
    const trigger = { ...testRequest(String(used++), userId), text, receivedAt: channel.clock.now() };
    channel.submit({ trigger });
    await channel.clock.advance(1);
    if (dies.includes("before")) await nextLife(channel);
    const offered = channel.requests[first]?.tools.map(({ name }) => name) ?? [];
    if (call) {
      const args = JSON.stringify(call.fails ? { fail: "no" } : {});
      expect(channel.answer([end("tool_calls", [{ id: "c", name: call.name, arguments: args }])])).toBe(true);
      await channel.clock.advance(1);
      if (dies.includes("after")) await nextLife(channel);
    }
    const read = channel.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text;
    expect(channel.answer(WORDS)).toBe(true);
    await channel.clock.advance(10_000);
    expect(channel.store.lock().turnId).toBeNull();
    return { offered, read: call && read ? (JSON.parse(read) as unknown) : null };
  };
  const say = (text: string, call: Round["call"] = null, more: Partial<Round> = {}) =>
    play({ userId: "7", dies: [], ...more, text, call });
  return { channel, change, play, say };
}

async function nextLife(channel: ChannelHarness): Promise<void> {
  channel.crash();
  channel.runAlarm();
  await channel.clock.advance(1);
}

const using = (name: Name, fails = false) => ({ name, fails });

describe("fact 12", () => {
  it("no match offers no tool schema, and a match offers only the matching tools", async () => {
    const { channel, change, say } = place();
    expect((await say("hello")).offered).toEqual(["alpha", "beta"]);
    change({ what: "mode", on: true });
    expect((await say("hello")).offered).toEqual([]);
    expect(channel.requests.at(-1)?.system).not.toMatch(/tool/i);
    expect((await say("now alpha, please")).offered).toEqual(["alpha"]);
    expect(channel.requests.at(-1)?.system).toMatch(/tool/);
  });

  it("a success keeps its tool for exactly N further turns of anyone; reuse renews it, N = 0 keeps none", async () => {
    const { change, say } = place();
    change({ what: "mode", on: true });
    change({ what: "context", turns: 2 });
    await say("alpha", using("alpha"));
    expect((await say("hm", null, { userId: "8" })).offered).toEqual(["alpha"]);
    expect((await say("hm", using("alpha"), { userId: "9" })).offered).toEqual(["alpha"]);
    expect((await say("hm")).offered).toEqual(["alpha"]);
    expect((await say("hm")).offered).toEqual(["alpha"]);
    expect((await say("hm")).offered).toEqual([]);
    change({ what: "context", turns: 0 });
    await say("beta", using("beta"));
    expect((await say("hm")).offered).toEqual([]);
  });

  it("the window survives an object restart, and neither recovery nor a failed call counts", async () => {
    const { change, say } = place({ config: { deliberateContextTurns: 1 } });
    change({ what: "mode", on: true });
    await say("alpha and beta", using("beta"), { dies: ["before", "after"] });
    expect((await say("hm", null, { dies: ["before"] })).offered).toEqual(["beta"]);
    expect((await say("hm")).offered).toEqual([]);
    await say("alpha", using("alpha", true));
    expect((await say("hm")).offered).toEqual([]);
  });

  it("`^` always matches, stems and CJK match, and an invalid pattern is ignored", async () => {
    const { channel, change, say } = place();
    change({ what: "mode", on: true });
    const add = (tool: Name, kind: "phrase" | "pattern", text: string) =>
      change({ what: "add", trigger: { tool, kind, text } });
    expect([add("alpha", "phrase", "toss*").ok, add("alpha", "phrase", "骰子").ok]).toEqual([true, true]);
    expect((await say("tossing")).offered).toEqual(["alpha"]);
    expect((await say("请掷骰子吧")).offered).toEqual(["alpha"]);
    expect(add("alpha", "pattern", "(a+)+").ok).toBe(false);
    const broken = [{ tool: "alpha", kind: "pattern", text: "(" }];
    channel.store.putSetting("deliberate_triggers", JSON.stringify(broken));
    expect((await say("tossing (")).offered).toEqual([]);
    add("beta", "phrase", "^");
    expect((await say("hm")).offered).toEqual(["beta"]);
  });
});

describe("a call that deliberate mode did not expose", () => {
  it("is not run, even if nothing was offered at all, and the model reads why", async () => {
    const { channel, change, say } = place();
    change({ what: "mode", on: true });
    const status = "blocked_by_deliberate_tool_mode";
    expect((await say("hm", using("beta"))).read).toEqual({ status, functionName: "beta", allowedToolNames: [] });
    expect((await say("alpha", using("beta"))).read).toEqual({
      status,
      functionName: "beta",
      allowedToolNames: ["alpha"],
    });
    expect(channel.store.lock().window).toEqual({});
  });
});

describe("the personal override", () => {
  it("takes precedence over the channel, for the messages of its person only", async () => {
    const { change, say } = place();
    change({ what: "me", userId: "8", state: "on" });
    expect((await say("hm")).offered).toEqual(["alpha", "beta"]);
    expect((await say("hm", null, { userId: "8" })).offered).toEqual([]);
    change({ what: "mode", on: true });
    change({ what: "me", userId: "8", state: "off" });
    expect((await say("hm")).offered).toEqual([]);
    expect((await say("hm", null, { userId: "8" })).offered).toEqual(["alpha", "beta"]);
    change({ what: "me", userId: "8", state: "follow" });
    expect((await say("hm", null, { userId: "8" })).offered).toEqual([]);
  });
});

describe("follow-up wording", () => {
  it("offers what the last question asked for or its answer used, independent of the window", async () => {
    const { change, say } = place({ config: { deliberateContextTurns: 0 } });
    change({ what: "mode", on: true });
    await say("beta: and nothing else", null, { userId: "8" });
    expect((await say("do that again", null, { userId: "8" })).offered).toEqual(["beta"]);
    await say("alpha", using("alpha"));
    await say("nice");
    expect((await say("do that again")).offered).toEqual(["alpha"]);
    expect((await say("again I say unto you")).offered).toEqual([]);
  });
});

describe("a turn that waits for a person's approval", () => {
  it("leaves its uses to turns that start meanwhile, is a single request, and counts each use once", async () => {
    const purge = { ...named("beta", false), name: "purge", category: "dangerous", triggers: { phrases: ["purge"] } };
    const { channel, change, say } = place({
      tools: [named("alpha", true), purge as Tool],
      config: { deliberateContextTurns: 2 },
    });
    change({ what: "mode", on: true });
    const trigger = { ...testRequest("60", "7"), text: "alpha, then purge", receivedAt: channel.clock.now() };
    channel.submit({ trigger });
    await channel.clock.advance(1);
    const calls = ["alpha", "purge"].map((name, index) => ({ id: `c${index}`, name, arguments: "{}" }));
    channel.answer([end("tool_calls", calls)]);
    await channel.clock.advance(1000);
    expect([channel.store.turn("60")?.state, channel.store.lock().window]).toEqual(["parked", { alpha: 2 }]);
    expect((await say("hm", null, { userId: "8" })).offered).toEqual(["alpha"]);
    const press = {
      turnId: "60",
      approved: true,
      userId: "7",
      userName: "u",
      moderator: true,
    };
    const token = { applicationId: "1", token: "t", messageId: "m" };
    channel.approve({ ...press, interactionId: "61", press: token });
    await channel.clock.advance(1000);
    expect(channel.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(["alpha", "purge"]);
    channel.answer(WORDS);
    await channel.clock.advance(10_000);
    expect(channel.store.lock().window).toEqual({ alpha: 1, purge: 2 });
  });
});

describe("one request that several turns answer", () => {
  it("takes one from the window for all personas of a scene, and offers each of them the same", async () => {
    const { channel, change, say } = place({ config: { deliberateContextTurns: 1 } });
    change({ what: "mode", on: true });
    for (const name of ["Ada", "Bob"])
      channel.store.putSetting(`persona:${name.toLowerCase()}`, JSON.stringify({ name, prompt: "p", avatarUrl: null }));
    await say("alpha", using("alpha"));
    const first = channel.requests.length;
    const trigger = { ...testRequest("70", "7"), text: "a scene with beta", receivedAt: channel.clock.now() };
    channel.submit({ trigger, speakers: { scene: ["Ada", "Bob"] } });
    for (let persona = 0; persona < 2; persona++) {
      await channel.clock.advance(1);
      expect(channel.answer(WORDS)).toBe(true);
      await channel.clock.advance(60_000);
    }
    const offered = channel.requests.slice(first).map(({ tools }) => tools.map(({ name }) => name));
    expect(offered).toEqual([
      ["alpha", "beta"],
      ["alpha", "beta"],
    ]);
    expect((await say("hm")).offered).toEqual([]);
  });

  it("counts as the same request on a retry: nothing is taken from the window, and the same is offered", async () => {
    const { channel, change, say } = place({ config: { deliberateContextTurns: 1 } });
    change({ what: "mode", on: true });
    await say("alpha", using("alpha"));
    const receivedAt = channel.clock.now();
    channel.submit({ trigger: { ...testRequest("80", "7"), text: "beta, please", receivedAt } });
    await channel.clock.advance(1);
    channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await channel.clock.advance(10_000);
    channel.again({ turnId: "80", submission: { trigger: { ...testRequest("81", "7"), text: "", receivedAt } } });
    await channel.clock.advance(1);
    expect(channel.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(["alpha", "beta"]);
    channel.answer(WORDS);
    await channel.clock.advance(10_000);
    expect((await say("hm")).offered).toEqual([]);
  });
});

describe("/tools list", () => {
  it("shows what is offered to a message without words, why, and for how many more turns", async () => {
    const { channel, change, say } = place();
    const list = async () => {
      const { active, tools } = await channel.tools({ trigger: { ...testRequest("1", "7"), text: "" } });
      return [active, ...tools.map(({ name, exposed, turnsLeft }) => [name, exposed?.trigger ?? null, turnsLeft])];
    };
    change({ what: "mode", on: true });
    expect(await list()).toEqual([true, ["alpha", null, 0], ["beta", null, 0]]);
    change({ what: "add", trigger: { tool: "alpha", kind: "phrase", text: "^" } });
    await say("beta", using("beta"));
    expect(await list()).toEqual([true, ["alpha", "^", 0], ["beta", "used recently", 4]]);
    expect(
      statusText(
        buildStatusReport(channel.store.state(), { viewerId: "", maxIterations: 100, now: channel.clock.now() }),
      )
        .split("\n")
        .at(-1),
    ).toBe("Still offered in deliberate mode: `beta` for 4 more turns.");
    await say("hm");
    expect(await list()).toEqual([true, ["alpha", "^", 0], ["beta", "used recently", 3]]);
    change({ what: "me", userId: "7", state: "off" });
    expect((await list())[0]).toBe(false);
  });

  it("counts what the running turn has already used, and takes nothing from the window", async () => {
    const { channel, change } = place();
    change({ what: "mode", on: true });
    channel.submit({ trigger: { ...testRequest("50", "7"), text: "alpha", receivedAt: channel.clock.now() } });
    await channel.clock.advance(1);
    channel.answer([end("tool_calls", [{ id: "c", name: "alpha", arguments: "{}" }])]);
    await channel.clock.advance(1);
    const request = { trigger: { ...testRequest("51", "8"), text: "" } };
    const lefts = async () => (await channel.tools(request)).tools.map(({ turnsLeft }) => turnsLeft);
    expect(
      statusText(
        buildStatusReport(channel.store.state(), { viewerId: "", maxIterations: 100, now: channel.clock.now() }),
      ),
    ).not.toContain("deliberate");
    expect([await lefts(), await lefts()]).toEqual([
      [4, 0],
      [4, 0],
    ]);
    expect(channel.store.lock().window).toEqual({});
  });
});

describe("a change of the mode", () => {
  it("is made once, with one answer, if one interaction asks for it twice", () => {
    const { channel } = place();
    const trigger = { tool: "alpha", kind: "phrase", text: "one" } as const;
    const request = { interactionId: "9", userId: "7", change: { what: "add", trigger } } as const;
    const answers = [channel.deliberate(request), channel.deliberate(request)];
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ ok: true, state: { triggers: [trigger] } });
  });

  it("is refused with the rule for a tool that does not exist and for a window out of bounds", () => {
    const { channel, change } = place();
    expect(change({ what: "add", trigger: { tool: "gamma", kind: "phrase", text: "x" } })).toEqual({
      ok: false,
      rule: "There is no tool `gamma`. Use `/tools list` to see all tools.",
    });
    for (const turns of [-1, 11, 2.5])
      expect(change({ what: "context", turns })).toEqual({
        ok: false,
        rule: "The number of turns must be a whole number from 0 to 10.",
      });
    expect(channel.store.settings()).toEqual({});
  });

  it("in the parent of a thread applies in the thread until the thread has its own", async () => {
    const { channel, change, say } = place();
    const trigger = { tool: "beta", kind: "phrase", text: "parental" };
    const parent = { deliberate: "on", deliberate_turns: "1", deliberate_triggers: JSON.stringify([trigger]) };
    channel.store.saveParentSettings({ ...parent, "deliberate_me:8": "off" });
    expect((await say("a parental word")).offered).toEqual(["beta"]);
    expect((await say("hm", null, { userId: "8" })).offered).toEqual(["alpha", "beta"]);
    change({ what: "me", userId: "8", state: "follow" });
    expect((await say("hm", null, { userId: "8" })).offered).toEqual([]);
    change({ what: "mode", on: false });
    expect((await say("hm")).offered).toEqual(["alpha", "beta"]);
  });
});

const change = fc.oneof(
  fc.record({ what: fc.constant("mode" as const), on: fc.boolean() }),
  fc.record({ what: fc.constant("context" as const), turns: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    what: fc.constant("me" as const),
    userId: fc.constantFrom("7", "8"),
    state: fc.constantFrom("off" as const, "follow" as const, "on" as const),
  }),
);
const round = fc.record({
  userId: fc.constantFrom("7", "8"),
  text: fc.constantFrom("hm", "hm", "alpha", "beta", "alpha beta"),
  call: fc.option(fc.record({ name: fc.constantFrom(...TOOLS), fails: fc.boolean() }), { freq: 2 }),
  dies: fc.subarray(["before" as const, "after" as const]),
});

describe("any history of turns, uses, changes and deaths", () => {
  it("offers a used tool for exactly the next N requests, whoever writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ arbitrary: change, weight: 1 }, { arbitrary: round, weight: 4 }), {
          minLength: 6,
          maxLength: 14,
        }),
        async (steps) => {
          const { channel, change: apply, play } = place({ config: { deliberateContextTurns: 2 } });
          channel.store.putSetting("turns_per_minute", "0");
          apply({ what: "mode", on: true });
          let on = true;
          let turns = 2;
          const personal = new Map<string, string>();
          const left = new Map<Name, number>();
          for (const step of steps) {
            if ("what" in step) {
              apply(step);
              if (step.what === "mode") on = step.on;
              else if (step.what === "context") turns = step.turns;
              else personal.set(step.userId, step.state);
              continue;
            }
            const own = personal.get(step.userId) ?? "follow";
            const isActive = own === "follow" ? on : own === "on";
            const isAllowed = (name: Name) => !isActive || step.text.includes(name) || (left.get(name) ?? 0) > 0;
            const wanted = TOOLS.filter(isAllowed);
            for (const [name, count] of left) left.set(name, count - 1);
            if (step.call && isActive && wanted.includes(step.call.name) && !step.call.fails)
              left.set(step.call.name, turns);
            expect((await play(step)).offered).toEqual(wanted);
          }
        },
      ),
      { numRuns: 80 },
    );
  });
});
