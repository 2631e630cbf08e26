// What the inspector reads from a channel's object: every step of a turn with its times, nothing private, no secrets, and without writing anything.
import { describe, expect, it } from "vitest";
import { object } from "zod";
import type { InspectedChannel, InspectedTurn, InspectedTurns } from "../../../src/core/state/inspected.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { defineTool } from "../../../src/toolkit/define/tool.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";

const open = (options: ChannelHarnessOptions = {}) => createChannelHarness({ database: nodeSqlite(), ...options });

function ask(c: ChannelHarness, id: string, more: Partial<TurnRequest> = {}) {
  const request = { ...testRequest(id), guildId: "9", receivedAt: c.clock.now(), ...more };
  c.submit({ trigger: request });
}

const end = (calls: { id: string; name: string; arguments: string }[] = []): ModelEvent => ({
  kind: "end",
  finishReason: calls.length > 0 ? "tool_calls" : "stop",
  calls,
  usage: { inputTokens: 40, outputTokens: 4 },
});
const says = (text: string): ModelEvent[] => [{ kind: "text", text }, end()];
const fails = (reason: "rate_limited" | "auth"): ModelEvent[] => [
  { kind: "failed", failure: { reason, message: "no" } },
];
const turnOf = (c: ChannelHarness, turnId: string) => c.inspect({ kind: "turn", turnId }) as InspectedTurn;
const channelOf = (c: ChannelHarness) => c.inspect({ kind: "channel" }) as InspectedChannel;
const turnsOf = (c: ChannelHarness, more: { userId?: string; status?: "error" | "running" } = {}, before = null) =>
  c.inspect({ kind: "turns", filter: { userId: null, status: null, ...more }, before }) as InspectedTurns;

/** The tokens read and written: the sums over a turn's calls, and the turn's own. */
const tokensOfCalls = ({ modelCalls }: InspectedTurn) =>
  modelCalls.reduce(
    (sum, { usage }) => [sum[0] + (usage?.inputTokens ?? 0), sum[1] + (usage?.outputTokens ?? 0)] as const,
    [0, 0] as readonly [number, number],
  );
const tokensOfTurn = ({ usage }: InspectedTurn) => [usage.inputTokens, usage.outputTokens];

/** A tool that fails twice, after a second each, then answers. */
const flaky = () => {
  let runs = 0;
  return defineTool({
    name: "flaky",
    description: "Test tool.",
    input: object({}),
    category: "safe",
    hints: { readOnly: true, idempotent: true, destructive: false, openWorld: true },
    async execute() {
      if (++runs < 3) throw Object.assign(new Error("socket hang up, sk-abcdefghijklmnop1234"), { code: "ECONNRESET" });
      return { ok: true, data: "fine" };
    },
  });
};

describe("a turn with a tool", () => {
  it("has its model calls with first words and ends, its tool with every failed run, and Discord's requests, all at their times", async () => {
    const c = open({ tools: [flaky()], startsAt: 1_000_000 });
    ask(c, "100");
    await c.clock.advance(200);
    c.stream([{ kind: "text", text: "Let me " }]);
    await c.clock.advance(300);
    c.answer([{ kind: "text", text: "look." }, end([{ id: "a", name: "flaky", arguments: "{}" }])]);
    await c.clock.advance(5000);
    c.answer(says("Fine."));
    await c.clock.advance(5000);
    const turn = turnOf(c, "100");
    expect(turn.modelCalls.map(({ at, ms, firstMs, outcome, seq }) => [at, ms, firstMs, outcome, seq])).toEqual([
      [1_000_000, 500, 200, "called_tools", 2],
      [expect.any(Number), expect.any(Number), expect.any(Number), "answered", 3],
    ]);
    expect(turn.modelCalls[0]?.usage).toMatchObject({ inputTokens: 40, outputTokens: 4 });
    expect(turn.modelCalls[0]?.contents).toEqual({
      fromSeq: null,
      leftOutRows: 0,
      hasSummary: false,
      notesChars: 0,
      overheardLines: 0,
      tools: 1,
      estimatedTokens: expect.any(Number),
    });
    const [call, ...others] = turn.toolCallList;
    expect(others).toEqual([]);
    expect(call).toMatchObject({ tool: "flaky", at: 1_000_500, status: "ok", attempts: 3, isCached: false });
    // The waits here are half of one second and half of two.
    expect(call?.retries).toEqual([
      { error: "socket hang up, [secret]", ms: 0, waitMs: 500 },
      { error: "socket hang up, [secret]", ms: 0, waitMs: 1000 },
    ]);
    expect(call?.ms).toBe(1500);
    expect(JSON.parse(call?.result ?? "")).toMatchObject({ ok: true, data: "fine" });
    expect(turn.requests.length).toBeGreaterThan(1);
    expect(turn.requests.at(-1)).toMatchObject({ method: "edit", ms: expect.any(Number) });
    expect(turn.deliveredAt).toBe(turn.events.at(-1)?.at);
    expect(turn).toMatchObject({ status: "completed", question: "text of 100", model: "told", isPrivate: false });
    expect(turn.rows.map(({ role, text, calls }) => [role, text, calls])).toEqual([
      ["user", "text of 100", []],
      ["assistant", "Let me look.", ["flaky"]],
      ["assistant", "Fine.", []],
    ]);
  });

  it("shows where the history of its requests began", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    c.answer(says("One."));
    await c.clock.advance(5000);
    ask(c, "101");
    await c.drain();
    c.answer(says("Two."));
    await c.clock.advance(5000);
    const turn = turnOf(c, "101");
    expect(turn.modelCalls[0]?.contents?.fromSeq).toBe(1);
    expect(turn.rows.map(({ seq, turnId, text }) => [seq, turnId, text])).toEqual([
      [1, "100", "text of 100"],
      [2, "100", "One."],
      [3, "101", "text of 101"],
      [4, "101", "Two."],
    ]);
  });
});

describe("a model call without an answer", () => {
  it("is shown with its reason and its retries", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    c.answer(fails("rate_limited"));
    await c.clock.advance(1500);
    c.answer(fails("auth"));
    await c.clock.advance(5000);
    const turn = turnOf(c, "100");
    expect(turn.modelCalls).toMatchObject([
      {
        outcome: "failed",
        reason: "auth",
        ms: 1500,
        firstMs: null,
        seq: null,
        retries: [{ waitMs: 1000, reason: "rate_limited" }],
      },
    ]);
    expect(turn.reason).toBe("auth");
    expect(turnsOf(c, { status: "error" }).turns.map(({ turnId }) => turnId)).toEqual(["100"]);
    expect(c.inspect({ kind: "pulse" })).toMatchObject({
      failures: [{ reason: "auth", count: 1 }],
      queued: 0,
      running: null,
    });
  });

  it("is shown while it runs, as cut off after a death, and as stopped", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    expect(turnOf(c, "100").modelCalls).toMatchObject([{ ms: null, outcome: null, model: "told" }]);
    expect(channelOf(c).running).toMatchObject({ turnId: "100", state: "running" });
    await c.clock.advance(2000);
    c.crash();
    c.runAlarm();
    await c.drain();
    c.stop({
      interactionId: "s",
      kind: "stop",
      userId: "10",
      userName: "Mira",
      moderator: true,
      channelWide: false,
    } as never);
    await c.clock.advance(5000);
    const turn = turnOf(c, "100");
    expect(turn.modelCalls.map(({ outcome }) => outcome)).toEqual(["cut_off", "stopped"]);
    expect(turn.modelCalls[0]?.ms).toBeGreaterThanOrEqual(2000);
    expect(turn.takeovers).toBe(1);
    expect(tokensOfCalls(turn)).toEqual(tokensOfTurn(turn));
  });

  it("is shown as cut off if the turn crashed before its answer was stored", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    await c.clock.advance(2000);
    c.answer([{ kind: "end", calls: null } as never]);
    await c.clock.advance(5000);
    const turn = turnOf(c, "100");
    expect(turn).toMatchObject({ status: "error", reason: "crashed", usage: { modelCalls: 1 } });
    expect(turn.modelCalls).toMatchObject([{ at: 1_000_000, ms: 2000, outcome: "cut_off", seq: null }]);
    expect(tokensOfCalls(turn)).toEqual(tokensOfTurn(turn));
  });

  it("is shown once if it failed and the turn crashed before that was stored", async () => {
    const c = open({ price: [null, null] as never });
    ask(c, "100");
    await c.drain();
    c.store.dropAnswers = () => {
      throw new Error("the disk is full");
    };
    c.answer(fails("auth"));
    await c.clock.advance(5000);
    expect(turnOf(c, "100")).toMatchObject({ reason: "crashed", modelCalls: [{ outcome: "failed", reason: "auth" }] });
    expect(turnOf(c, "100").modelCalls.length).toBe(1);
  });

  it("of the first model is shown after a fallback, with the tools that it called", async () => {
    const c = open({
      tools: [flaky()],
      price: [
        { input: 1, output: 1 },
        { input: 2, output: 2 },
      ] as never,
    });
    ask(c, "100");
    await c.drain();
    c.answer([end([{ id: "a", name: "flaky", arguments: "{}" }])]);
    await c.clock.advance(3000);
    c.answer(fails("auth"));
    await c.clock.advance(1000);
    c.answer(says("From the second."));
    await c.clock.advance(5000);
    const turn = turnOf(c, "100");
    expect(turn.modelCalls.map(({ outcome, seq }) => [outcome, seq !== null])).toEqual([
      ["called_tools", false],
      ["failed", false],
      ["answered", true],
    ]);
    expect(turn.toolCallList.map(({ tool }) => tool)).toEqual(["flaky"]);
    expect(tokensOfCalls(turn)).toEqual(tokensOfTurn(turn));
  });
});

it("a turn that was cleared out of the queue waited there until then", async () => {
  const c = open();
  ask(c, "100");
  await c.drain();
  ask(c, "101", { userId: "11" });
  expect(turnOf(c, "101").waits).toEqual([{ kind: "queue", at: 1_000_000, ms: null }]);
  await c.clock.advance(3000);
  const kill = { interactionId: "s", kind: "kill", userId: "10", userName: "Mira", moderator: true };
  c.stop({ ...kill, channelWide: true } as never);
  await c.clock.advance(5000);
  expect(turnOf(c, "101")).toMatchObject({ status: "cleared", waits: [{ kind: "queue", at: 1_000_000, ms: 3000 }] });
});

describe("what is private", () => {
  it.each([
    ["a direct message", { guildId: null }],
    ["an answer that only its asker sees", { privateTo: "10" }],
    ["a question of someone who brought the bot along", { broughtBy: "10" }],
  ])("of %s shows its shape and no words", async (_, more) => {
    const c = open({ tools: [flaky()] });
    ask(c, "100", { ...more, text: "my diagnosis", userName: "Patience" });
    await c.drain();
    c.answer([
      { kind: "text", text: "my diagnosis: " },
      end([{ id: "a", name: "flaky", arguments: '{"about":"my diagnosis"}' }]),
    ]);
    await c.clock.advance(3000);
    c.answer(says("my diagnosis is fine"));
    await c.clock.advance(5000);
    const shown = JSON.stringify([turnOf(c, "100"), turnsOf(c), c.inspect({ kind: "pulse" }), channelOf(c)]);
    expect(shown).not.toMatch(/diagnosis|Patience|socket/);
    expect(turnOf(c, "100")).toMatchObject({ isPrivate: true, status: "completed", question: null, rows: [] });
    expect(turnOf(c, "100").modelCalls.length).toBe(2);
    expect(turnOf(c, "100").toolCallList).toMatchObject([
      { tool: "flaky", arguments: null, result: null, resultBytes: expect.any(Number) },
    ]);
  });

  it("is not part of the history that another turn shows", async () => {
    const c = open();
    ask(c, "100", { privateTo: "10", text: "my diagnosis" });
    await c.drain();
    c.answer(says("fine"));
    await c.clock.advance(5000);
    ask(c, "101");
    await c.drain();
    c.answer(says("Two."));
    await c.clock.advance(5000);
    expect(turnOf(c, "101").rows.map(({ turnId }) => turnId)).toEqual(["101", "101"]);
  });
});

it("no secret is shown, whichever stored text contains it", async () => {
  const key = "sk-abcdefghijklmnop1234";
  const c = open({ tools: [flaky()] });
  await c.change({ key: "system_prompt", value: `Never say ${key}.` });
  c.notes().write(`The key is ${key}.`);
  ask(c, "100", {
    text: `is ${key} ours, or token-100?`,
    userName: `Key ${key}`,
    persona: { name: key, prompt: key, avatarUrl: null },
  });
  await c.drain();
  c.answer([{ kind: "text", text: key }, end([{ id: "a", name: "flaky", arguments: JSON.stringify({ [key]: key }) }])]);
  await c.clock.advance(3000);
  expect(JSON.stringify(turnOf(c, "100"))).not.toMatch(/sk-abcdefg|token-100/);
  c.answer([{ kind: "failed", failure: { reason: "auth", message: `bad key ${key}` } }]);
  await c.clock.advance(5000);
  const shown = JSON.stringify([turnOf(c, "100"), turnsOf(c), channelOf(c), c.inspect({ kind: "pulse" })]);
  expect(shown).not.toContain("sk-abcdefg");
});

it("each list that applies is named with its scope, even if a narrower scope has its own", async () => {
  const ID = "13000000000000000";
  const c = open();
  const scope = { settings: { deny_users: `${ID}5` }, isLimited: false };
  c.submit({ trigger: { ...testRequest("100"), guildId: "9" }, parentSettings: { deny_users: `${ID}6` }, scope });
  await c.change({ key: "deny_users", value: `${ID}7` });
  expect(channelOf(c).settings.filter(({ key }) => key === "deny_users")).toEqual([
    { key: "deny_users", value: `${ID}7`, source: "set here" },
    { key: "deny_users", value: `${ID}5`, source: "from the server" },
    { key: "deny_users", value: `${ID}6`, source: "from the parent channel" },
  ]);
});

it("reading writes nothing, and leaves no storage where there was none", () => {
  const c = open();
  expect(turnOf(c, "404")).toBeNull();
  expect([channelOf(c).memories, turnsOf(c).turns, c.erased()]).toEqual([0, [], expect.any(Number)]);
  expect(c.erased()).toBeGreaterThan(0);
});

describe("the stream for a viewer", () => {
  const lines = async (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

  it("reports changes a second apart while the turn runs, and ends with it", async () => {
    const c = open();
    ask(c, "100");
    await c.drain();
    const told = lines(c.inspect({ kind: "watch", turnId: "100" }) as ReadableStream);
    await c.clock.advance(3100);
    c.answer(says("Done."));
    await c.clock.advance(20_000);
    expect((await told).split("\n\n").filter((line) => line !== "")).toEqual([
      "data: changed",
      "data: changed",
      "data: changed",
      "data: changed",
      "data: ended",
    ]);
  });

  it("of a channel only sends a sign of life every 15 s while nothing happens, and ends after ten minutes", async () => {
    const c = open();
    const told = lines(c.inspect({ kind: "watch", turnId: null }) as ReadableStream);
    await c.clock.advance(10 * 60_000);
    expect(await told).toBe(": waiting\n\n".repeat(40));
  });

  it("of an unknown turn ends at once", async () => {
    const c = open();
    const told = lines(c.inspect({ kind: "watch", turnId: "404" }) as ReadableStream);
    await c.clock.advance(1000);
    expect(await told).toBe("data: ended\n\n");
  });

  it.each([
    ["ends", null],
    ["is given up", 5000],
  ])("of a channel that was never used leaves no storage when it %s", async (_, givenUpAfter) => {
    const database = nodeSqlite();
    const c = open({ database });
    const reader = (c.inspect({ kind: "watch", turnId: null }) as ReadableStream<Uint8Array>).getReader();
    await c.clock.advance(givenUpAfter ?? 10 * 60_000);
    if (givenUpAfter !== null) await reader.cancel();
    expect(database.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
    expect(c.clock.pending()).toBe(0);
  });

  it("of an unknown turn leaves no storage where there was none", async () => {
    const database = nodeSqlite();
    const c = open({ database });
    c.inspect({ kind: "watch", turnId: "404" });
    await c.clock.advance(1000);
    expect(database.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
  });
});

it("a turn that waited for another has a time in the queue, and one that did not has none", async () => {
  const c = open();
  ask(c, "100");
  ask(c, "101", { userId: "11" });
  await c.clock.advance(3000);
  expect(turnOf(c, "101").waits).toEqual([{ kind: "queue", at: 1_000_000, ms: null }]);
  c.answer(says("One."));
  await c.clock.advance(100);
  c.answer(says("Two."));
  await c.clock.advance(20_000);
  expect(turnOf(c, "100").waits).toEqual([]);
  expect(turnOf(c, "101").waits).toEqual([{ kind: "queue", at: 1_000_000, ms: 3000 }]);
});
