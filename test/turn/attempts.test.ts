// Several models, empty answers and several lives of one turn: which calls run again, which are answered from stored results, and
// which effects their receiver sees.
import { describe, expect, it } from "vitest";
import type { ModelFailureReason } from "../../src/core/state/ending.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { testRequest } from "../support/store-contract.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { calls, EFFECT, end, fails, type Pass, says, text, tool } from "../support/turn-script.ts";

/** A tool that changes something, and the receiver that counts its effects. */
function counter(over: Parameters<typeof tool>[2] = EFFECT) {
  const received: string[] = [];
  const count = tool(
    "count",
    ({ idempotencyKey }, { note }) => {
      received.push(`${note ?? "-"} ${idempotencyKey}`);
      return { ok: true, data: { total: received.length } };
    },
    over,
  );
  return { received, count };
}

const one = (note: string) => calls(["count", { note }]);

describe("a second model", () => {
  it.each<[string, Pass, number]>([
    ["an error", fails("auth"), 0],
    ["a blocked answer", fails("content_blocked"), 0],
    ["no token at all", [{ hang: true }], 300_000],
    ["a call without a name", calls(""), 0],
  ])("takes over after %s, in the same reply, and is named below its answer", async (_, pass, ms) => {
    const w = createTurnHarness({ models: [[[text("Half an"), ...pass]], [says("Whole.")]] });
    expect(await w.end(ms)).toMatchObject({
      status: "completed",
      ending: { kind: "completed", by: "m2" },
      text: "Whole.",
    });
    expect(w.events.slice(-6)).toEqual([
      expect.stringContaining("warn: a model failed"),
      "attempt 1",
      'show ""',
      "pass 0",
      "ask m2",
      'show "Whole."',
    ]);
  });

  it("knows that it is the last, and then does without what its server refuses", async () => {
    const w = createTurnHarness({ models: [[fails("refused")], [one("x"), says("Whole.")]], tools: [counter().count] });
    expect(await w.end()).toMatchObject({ status: "completed" });
    expect(w.requests.map(({ isLastModel }) => isLastModel)).toEqual([false, true, true]);
  });

  it("inherits the count of what the first model's broken answer cost", async () => {
    const w = createTurnHarness({ models: [[[text("y".repeat(400)), ...fails("bad_stream")]], [says("Whole.")]] });
    expect(await w.end()).toMatchObject({ status: "completed" });
    expect(w.turn().usage).toMatchObject({ outputTokens: 100, modelCalls: 1 });
  });

  it("is not asked after a stop, a deadline, the step limit, failing tools or a loop", async () => {
    const same = tool("same", () => ({ ok: true, data: 1 }));
    const broken = tool("broken", () => ({ ok: false, error: "no" }));
    const limits = { maxIterations: 2, maxConsecutiveToolErrors: 1 };
    const worlds = [
      createTurnHarness({ models: [[calls("same"), says("Best.")], []], tools: [same], limits }),
      createTurnHarness({ models: [[calls("broken")], []], tools: [broken], limits }),
      createTurnHarness({ models: [Array.from({ length: 6 }, () => calls("same")), []], tools: [same] }),
      createTurnHarness({ models: [[[{ act: () => worlds[3]?.stop("stop") }]], []] }),
      createTurnHarness({ models: [[[{ act: () => worlds[4]?.abort({ kind: "deadline" }) }]], []] }),
    ];
    const endings = [];
    for (const w of worlds) endings.push((await w.end()).ending.kind);
    expect(endings).toEqual(["iteration_limit", "tool_errors", "call_loop", "stopped", "turn_deadline"]);
    expect(worlds.flatMap(({ events }) => events).filter((event) => event === "ask m2")).toEqual([]);
  });

  it("is the one whose failure the person reads about, if it fails too", async () => {
    const reasons: ModelFailureReason[] = ["auth", "content_blocked"];
    const w = createTurnHarness({ models: reasons.map((reason) => [fails(reason)]) });
    expect(await w.end()).toMatchObject({
      status: "error",
      ending: { kind: "model_failed", reason: "content_blocked" },
    });
  });

  it("gets the recorded results of equal calls, and causes only new effects", async () => {
    const { received, count } = counter();
    const w = createTurnHarness({
      models: [
        [one("a"), one("a"), fails("auth")],
        [one("a"), one("a"), one("b"), says("Done.")],
      ],
      tools: [count],
    });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect(received).toEqual(["a t1:2.0", "a t1:3.0", "b t1:6.0"]);
    const results = w.requests.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? [one.text] : []));
    expect(results).toEqual(['{"total":1}', '{"total":2}', '{"total":3}']);
  });

  it("runs read-only calls again", async () => {
    const { received, count } = counter({});
    const w = createTurnHarness({
      models: [
        [one("a"), fails("auth")],
        [one("a"), says("Done.")],
      ],
      tools: [count],
    });
    await w.end();
    expect(received).toHaveLength(2);
  });

  it("starts with its own counters, so the first model's failing tools don't count", async () => {
    const broken = tool("broken", (_, { note }) => ({ ok: false, error: note ?? "no" }));
    const wrong = (note: string) => calls(["broken", { note }]);
    const limits = { maxConsecutiveToolErrors: 2 };
    const w = createTurnHarness({
      models: [
        [wrong("a"), fails("auth")],
        [wrong("b"), says("Done.")],
      ],
      tools: [broken],
      limits,
    });
    expect(await w.end()).toMatchObject({ status: "completed" });
  });
});

describe("an empty answer", () => {
  it("is followed by two more requests to the same model, 1 s apart, and each is paid for", async () => {
    const w = createTurnHarness({ models: [[[end()], [end()], says("Here.")], []] });
    w.begin();
    await w.clock.advance(999);
    expect(w.requests).toHaveLength(1);
    await w.clock.advance(1);
    expect(w.requests).toHaveLength(2);
    expect(await w.end(1000)).toMatchObject({ status: "completed", ending: { kind: "completed" }, text: "Here." });
    expect(w.turn().usage).toEqual({ inputTokens: 20, outputTokens: 4, modelCalls: 2, unpriced: 24 });
  });

  it("is given up at once on a stop in between, and never passed to another model", async () => {
    const w = createTurnHarness({ models: [[[end()]], []] });
    w.begin();
    await w.clock.advance(500);
    w.stop("stop");
    expect(await w.end()).toMatchObject({ status: "stopped_by_user", ending: { kind: "stopped" } });
  });

  it("may also be one that the length limit cut off", async () => {
    const cut: Pass = [end([], "length")];
    const w = createTurnHarness({ models: [[cut, cut, cut]] });
    expect(await w.end(2000)).toMatchObject({ status: "empty_response", ending: { kind: "empty" } });
  });

  it("ends the turn with a line if a tool has already answered the person", async () => {
    const post = tool("post", () => ({ ok: true, data: { responseDelivered: true } }), EFFECT);
    const w = createTurnHarness({ models: [[calls("post"), [end()]]], tools: [post] });
    expect(await w.end()).toMatchObject({ status: "completed", ending: { kind: "completed", wordless: true } });
  });

  it("ends the turn in the same way if a tool has attached a file to the reply", async () => {
    const drawing = { name: "drawing", type: "image/png", data: new Uint8Array([1]) };
    const draw = tool("draw", () => ({ ok: true, data: {}, files: [drawing] }), EFFECT);
    const w = createTurnHarness({ models: [[calls("draw"), [end()]]], tools: [draw] });
    expect(await w.end()).toMatchObject({ status: "completed", ending: { kind: "completed", wordless: true } });
  });
});

describe("a new life", () => {
  it("asks the same question again if the model call was cut short", async () => {
    const w = createTurnHarness({ models: [[[text("Half"), { hang: true }], says("Whole.")]] });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    expect(await w.end()).toMatchObject({ status: "completed", text: "Whole." });
    expect(w.requests[1]).toEqual(w.requests[0]);
  });

  it("does not repeat a call that may have run, and says so to the model", async () => {
    const { received, count } = counter();
    const stuck = tool("stuck", () => new Promise<never>(() => {}), EFFECT);
    const w = createTurnHarness({
      models: [[calls(["count", { note: "a" }], "stuck", ["count", { note: "b" }]), says("So.")]],
      tools: [count, stuck],
    });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    await w.end();
    expect(received).toEqual(["a t1:2.0", "b t1:2.2"]);
    const results = w.requests.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? [JSON.parse(one.text)] : []));
    expect(results?.[1]).toMatchObject({ status: "tool_execution_failed", reason: expect.stringContaining("unknown") });
  });

  it("answers open calls as part of their own step, not of a later one that may make no calls", async () => {
    let lives = 1;
    const slow = tool("slow", () => (lives === 1 ? new Promise(() => {}) : { ok: true, data: lives }));
    const w = createTurnHarness({
      models: [[calls(["slow", { note: "a" }], ["slow", { note: "b" }]), says("Done.")]],
      tools: [slow],
      limits: { maxIterations: 3 },
    });
    w.begin();
    await w.clock.advance(0);
    w.die();
    lives = 2;
    w.begin();
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    const results = w.requests.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? [one.text] : []));
    expect(results).toEqual(["2", "2"]);
  });

  it("of the whole object finds the effect that was caused and does not cause it again", async () => {
    const { received, count } = counter();
    const channel = createChannelHarness({ tools: [count] });
    const call = { id: "c", name: "count", arguments: "{}" };
    const asks: ModelEvent = { kind: "end", finishReason: "tool_calls", calls: [call], usage: null };
    channel.submit({ trigger: { ...testRequest("1"), receivedAt: channel.clock.now() } });
    await channel.drain();
    channel.answer([asks]);
    await channel.clock.advance(0);
    expect([received.length, channel.streams()]).toEqual([1, 1]);
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(0);
    channel.answer(says("Done.") as ModelEvent[]);
    await channel.clock.advance(10_000);
    expect([received.length, channel.shown().get("token-1")]).toEqual([1, "Done."]);
    expect(channel.store.turn("1")).toMatchObject({ status: "completed", takeovers: 1 });
  });

  it("of a turn at its second model answers from the first model's results, as the receiver sees", async () => {
    const { received, count } = counter();
    const w = createTurnHarness({
      models: [
        [one("a"), fails("auth")],
        [[text("Half"), { hang: true }], one("a"), says("Done.")],
      ],
      tools: [count],
    });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    expect(await w.end()).toMatchObject({ status: "completed", ending: { by: "m2" }, text: "Done." });
    expect(received).toEqual(["a t1:2.0"]);
  });

  it("ends a turn whose terminal call has its result, without another model call", async () => {
    const w = createTurnHarness({ models: [[[text("Bye."), end(["goodbye"])]]], tools: [goodbye(() => w.die())] });
    w.begin();
    await w.clock.advance(0);
    settle(w.channel, "goodbye");
    w.begin();
    expect(await w.end()).toMatchObject({ status: "completed", text: "Bye." });
    expect(w.requests).toHaveLength(1);
  });

  it.each([
    ["fourth", 4, "completed"],
    ["fifth", 5, "error"],
  ])("keeps counting consecutive failures: after the %s", async (_, count, status) => {
    const wrong = tool("wrong", (_context, { note }) => ({ ok: false, error: note ?? "no" }));
    const script = Array.from({ length: count }, (_one, round) => calls(["wrong", { note: `${round}` }]));
    const w = createTurnHarness({
      models: [[...script.slice(0, 3), [{ hang: true }], ...script.slice(3), says("So.")]],
      tools: [wrong],
    });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    await w.clock.advance(10);
    expect(w.result()).toMatchObject({ status });
  });

  it("keeps counting equal calls", async () => {
    const same = tool("same", () => ({ ok: true, data: 1 }));
    const six = Array.from({ length: 6 }, () => calls("same"));
    const w = createTurnHarness({ models: [[...six.slice(0, 4), [{ hang: true }], ...six.slice(4)]], tools: [same] });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "call_loop" } });
  });

  it.each<[string, Pass[]]>([
    ["in the model", [[{ hang: true }], calls("slow"), says("Best.")]],
    ["in the tool", [calls("slow"), says("Best.")]],
  ])("loses no step of the turn, even if the last one died %s", async (place, script) => {
    let runs = 0;
    const isStuck = () => place === "in the tool" && runs++ === 0;
    const slow = tool("slow", () => (isStuck() ? new Promise<never>(() => {}) : { ok: true, data: 1 }));
    const w = createTurnHarness({ models: [script], tools: [slow], limits: { maxIterations: 2 } });
    w.begin();
    await w.clock.advance(10);
    w.die();
    w.begin();
    expect(await w.end()).toMatchObject({ ending: { kind: "iteration_limit" }, text: "Best." });
    const last = w.requests.map(({ toolChoice }) => toolChoice === "none");
    expect(last).toEqual(place === "in the model" ? [false, false, true] : [false, true]);
  });
});

const goodbye = (onRun: () => void) =>
  tool(
    "goodbye",
    () => {
      onRun();
      return { ok: true, data: "bye" };
    },
    { ...EFFECT, category: "terminal" },
  );

/** The result was stored, and then the life ended before it could act on it. */
function settle(channel: ReturnType<typeof createTurnHarness>["channel"], name: string): void {
  const row = {
    messageSeq: 2,
    position: 0,
    turnId: "t1",
    tool: name,
    args: "{}",
    modelIndex: 0,
    instance: "life 1",
    key: null,
  };
  channel.putLedgerRow({ ...row, result: JSON.stringify({ ok: true, status: "ok", data: "bye" }) });
}
