// Every counter and limit of the loop, on both sides of its boundary.
import { describe, expect, it } from "vitest";
import type { ModelFailureReason } from "../../src/core/state/ending.ts";
import { BEGIN, createTurnHarness, type TurnWorld } from "../support/turn-harness.ts";
import {
  calls,
  EFFECT,
  end,
  fails,
  type Pass,
  reasoning,
  type Step,
  says,
  text,
  tool,
} from "../support/turn-script.ts";

const look = tool("look", ({ callId }) => ({ ok: true, data: callId }));
const flaky = tool("flaky", (_, { note }) => (note === "ok" ? { ok: true, data: 1 } : { ok: false, error: "no" }));
const note = (name: string, value: unknown) => calls([name, { note: String(value) }]);
const rounds = (count: number, name = "look") => Array.from({ length: count }, (_, round) => note(name, round));
const asked = (w: TurnWorld) => w.events.filter((event) => event.startsWith("ask")).length;
const passes = (w: TurnWorld) => w.events.filter((event) => event.startsWith("pass"));

describe("iterations", () => {
  it("give no warning up to index 19; the one with index 20 makes it due, once", async () => {
    const before = createTurnHarness({ models: [[...rounds(19), says("Done.")]], tools: [look] });
    await before.end();
    expect([before.events.includes("due"), before.turn().softWarnAt, passes(before).at(-1)]).toEqual([
      false,
      null,
      "pass 19",
    ]);
    const at = createTurnHarness({ models: [[...rounds(20), says("Done.")]], tools: [look] });
    await at.end();
    expect(at.events.slice(-4)).toEqual(["pass 20", "due", "ask m", 'show "Done."']);
    expect(at.turn().softWarnAt).toBe(BEGIN);
    const after = createTurnHarness({ models: [[...rounds(24), says("Done.")]], tools: [look] });
    await after.end();
    expect(after.events.filter((event) => event === "due")).toEqual(["due"]);
  });

  it.each([2, 3, 100])(
    "limited to %i end with one that allows no tool and asks for an answer",
    async (maxIterations) => {
      const w = createTurnHarness({
        models: [[...rounds(maxIterations - 1), says("Best.")]],
        tools: [look],
        limits: { maxIterations },
      });
      expect(await w.end()).toMatchObject({ status: "timeout", ending: { kind: "iteration_limit" }, text: "Best." });
      const asks = w.requests.map(({ messages }) => messages.at(-1)?.text.includes("no tool is available anymore"));
      expect(asks).toEqual([...Array(maxIterations - 1).fill(false), true]);
      // The tools stay in the request, for the provider's cache.
      expect(w.requests.map(({ tools, toolChoice }) => [tools.length, toolChoice])).toEqual([
        ...Array(maxIterations - 1).fill([1, undefined]),
        [1, "none"],
      ]);
    },
  );

  it("keep the beginning of their requests for a model that calls by text too, and its speakers take turns", async () => {
    const call = (at: number) => says(`{"tool": "long", "parameters": {"note": "${at}"}}`);
    const script = [call(1), call(2), call(3), fails("context_too_long"), says("Best.")];
    const w = createTurnHarness({
      models: [Object.assign(script, { toolMode: "fallback" as const })],
      tools: [tool("long", () => ({ ok: true, data: "x".repeat(8000) }))],
      limits: { maxIterations: 4 },
    });
    expect(await w.end()).toMatchObject({ ending: { kind: "iteration_limit" }, text: "Best." });
    const [first, , third, last, smaller] = w.requests;
    expect([third?.system, last?.system, smaller?.system]).toEqual(Array(3).fill(first?.system));
    expect(first?.system).toContain('"name":"long"');
    expect(last?.messages.slice(0, third?.messages.length)).toEqual(third?.messages);
    const isNudged = (one: typeof last) => one?.messages.at(-1)?.text.split("no tool is available").length === 2;
    expect([third, last, smaller].map(isNudged)).toEqual([false, true, true]);
    const turns = [last, smaller].map((one) => one?.messages.map(({ role }) => role).join());
    expect(turns).toEqual(["user,assistant,user,assistant,user,assistant,user", "user,assistant,user"]);
  });

  it("still have their tools if they are limited to one", async () => {
    const w = createTurnHarness({ models: [[calls("look")]], tools: [look], limits: { maxIterations: 1 } });
    expect(await w.end()).toMatchObject({ status: "timeout", ending: { kind: "iteration_limit" } });
    expect([w.requests[0]?.tools.length, w.events.includes("settled look ok")]).toEqual([1, true]);
  });
});

describe("consecutive tool failures", () => {
  it("are tolerated up to the fourth, and the fifth ends the turn", async () => {
    const four = createTurnHarness({ models: [[...rounds(4, "flaky"), says("Sorry.")]], tools: [flaky] });
    expect(await four.end()).toMatchObject({ status: "completed" });
    const five = createTurnHarness({ models: [rounds(5, "flaky")], tools: [flaky] });
    expect(await five.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors" } });
    expect(passes(five)).toHaveLength(5);
  });

  it("are counted from zero after a success", async () => {
    const script = [...rounds(4, "flaky"), note("flaky", "ok"), ...rounds(4, "flaky"), says("Well.")];
    const w = createTurnHarness({ models: [script], tools: [flaky] });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Well." });
  });

  it("include calls that are gated, unknown and cut off", async () => {
    const gate = { decide: (name: string) => (name === "look" ? BLOCKED : ({ allowed: true } as const)) };
    const script: Pass[] = [note("look", 1), note("oracle", 1), [end([["flaky", { note: "ok" }]], "length")]];
    const w = createTurnHarness({
      models: [script],
      tools: [look, flaky],
      gate,
      limits: { maxConsecutiveToolErrors: 3 },
    });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors" } });
  });

  it("take precedence over the exit after earlier text", async () => {
    const memory = tool("update_short_term_memory", () => ({ ok: true, data: 1 }), {
      ...EFFECT,
      endsTurnAfterText: true,
    });
    const script: Pass[] = [[text("Noted."), end(["update_short_term_memory", ["flaky", { note: "x" }]])]];
    const w = createTurnHarness({ models: [script], tools: [memory, flaky], limits: { maxConsecutiveToolErrors: 1 } });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors" }, text: "Noted." });
  });
});

const BLOCKED = { allowed: false, payload: { status: "blocked_by_deliberate_tool_mode" } } as const;

describe("the same call with the same result", () => {
  const same = tool("same", () => ({ ok: true, data: "again" }));

  it("runs twice, is refused three times with a note to the model, and ends the turn the sixth time", async () => {
    const w = createTurnHarness({ models: [Array.from({ length: 6 }, () => calls("same"))], tools: [same] });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "call_loop", tool: "same" } });
    expect(w.events.filter((event) => event.startsWith("settled"))).toEqual([
      ...Array(2).fill("settled same ok"),
      ...Array(4).fill("settled same blocked"),
    ]);
    const read = w.requests.at(-1)?.messages.at(-1);
    expect(read?.role === "tool" && JSON.parse(read.text)).toMatchObject({
      status: "blocked_as_repeated",
      functionName: "same",
    });
  });

  it("is not a loop if another call comes between, its arguments differ, or its result changes", async () => {
    const between = createTurnHarness({
      models: [[...Array.from({ length: 4 }, (_, n) => [calls("same"), note("look", n)]).flat(), says("Done.")]],
      tools: [same, look],
    });
    expect(await between.end()).toMatchObject({ status: "completed" });
    let polls = 0;
    const poll = tool("poll", () => ({ ok: true, data: polls++ }));
    const changing = createTurnHarness({
      models: [[...Array.from({ length: 8 }, () => calls("poll")), says("Done.")]],
      tools: [poll],
    });
    expect(await changing.end()).toMatchObject({ status: "completed" });
    expect([between.events, changing.events].flat().some((event) => event.endsWith("blocked"))).toBe(false);
  });

  it("is judged at launch if one answer has it several times: reads that start together all run", async () => {
    const six = (name: string) => [calls(...Array<string>(6).fill(name))];
    const settled = (w: TurnWorld) => w.events.filter((event) => event.startsWith("settled"));
    const reads = createTurnHarness({ models: [six("same")], tools: [same] });
    expect(await reads.end()).toMatchObject({ ending: { kind: "call_loop", tool: "same" } });
    expect(settled(reads)).toEqual([...Array(4).fill("settled same ok"), ...Array(2).fill("settled same blocked")]);
    const write = tool("write", () => ({ ok: true, data: "again" }), EFFECT);
    const writes = createTurnHarness({ models: [six("write")], tools: [write] });
    expect(await writes.end()).toMatchObject({ ending: { kind: "call_loop", tool: "write" } });
    expect(settled(writes)).toEqual([...Array(2).fill("settled write ok"), ...Array(4).fill("settled write blocked")]);
  });

  it("is recognized however its arguments are written", async () => {
    const script = [
      calls(["same", '{"note":"a","n":1}']),
      calls(["same", '{ "n": 1, "note": "a" }']),
      calls(["same", '{"n":1,"note":"a"}']),
    ];
    const w = createTurnHarness({ models: [[...script, says("Done.")]], tools: [same] });
    await w.end();
    expect(w.events.filter((event) => event.startsWith("settled")).at(-1)).toBe("settled same blocked");
  });
});

describe("retries of one model call", () => {
  const CURABLE: ModelFailureReason[] = ["rate_limited", "overloaded", "network", "unreachable"];

  it.each(CURABLE)("happen twice after %s, 1 s and 2 s later", async (reason) => {
    const w = createTurnHarness({ models: [[fails(reason), fails(reason), says("At last.")]] });
    w.begin();
    await w.clock.advance(999);
    expect(asked(w)).toBe(1);
    await w.clock.advance(1);
    expect(asked(w)).toBe(2);
    await w.clock.advance(1999);
    expect(asked(w)).toBe(2);
    expect(await w.end(1)).toMatchObject({ status: "completed", text: "At last." });
    expect(w.events).toEqual([
      "pass 0",
      "ask m",
      "error: model call failed",
      "ask m",
      "error: model call failed",
      "ask m",
      'show "At last."',
    ]);
  });

  it("end with the third failure", async () => {
    const w = createTurnHarness({ models: [[fails("overloaded"), fails("overloaded"), fails("overloaded")]] });
    expect(await w.end(3000)).toMatchObject({ status: "error", ending: { reason: "overloaded" } });
    expect(asked(w)).toBe(3);
  });

  it("wait as long as the provider asks, up to 20 s", async () => {
    const patient = createTurnHarness({ models: [[fails("rate_limited", 20_000), says("Yes.")]] });
    patient.begin();
    await patient.clock.advance(19_999);
    expect(asked(patient)).toBe(1);
    expect(await patient.end(1)).toMatchObject({ text: "Yes." });
    const told = createTurnHarness({ models: [[fails("rate_limited", 20_001)]] });
    const resetsAt = told.clock.now() + 20_001;
    expect(await told.end()).toMatchObject({ status: "error", ending: { reason: "rate_limited", resetsAt } });
  });

  it.each<[string, Step]>([
    ["text", text("So")],
    ["reasoning", reasoning("Hm")],
    ["a piece of a call", { kind: "call_piece" }],
  ])("do not happen once the model has begun with %s", async (_, step) => {
    const w = createTurnHarness({ models: [[[step, ...fails("network")]]] });
    expect(await w.end()).toMatchObject({ status: "error", ending: { reason: "network" } });
    expect(asked(w)).toBe(1);
  });

  it("end at once on a stop between them", async () => {
    const w = createTurnHarness({ models: [[fails("overloaded")]] });
    w.begin();
    await w.clock.advance(500);
    w.stop("stop");
    expect(await w.end()).toMatchObject({ status: "stopped_by_user" });
    expect(asked(w)).toBe(1);
  });

  it("happen once for a conversation that is too long, with less of it, and never with as much", async () => {
    const long = tool("long", () => ({ ok: true, data: "x".repeat(8000) }));
    const w = createTurnHarness({
      models: [[note("long", 1), note("long", 2), note("long", 3), fails("context_too_long"), says("Short.")]],
      tools: [long],
    });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Short." });
    const [whole = 0, less = 0] = w.requests.slice(-2).map(({ messages }) => messages.length);
    expect([whole, less]).toEqual([7, 3]);
    const hopeless = createTurnHarness({ models: [[fails("context_too_long")]] });
    expect(await hopeless.end()).toMatchObject({ ending: { reason: "context_too_long" } });
    const twice = createTurnHarness({
      models: [[note("long", 1), note("long", 2), fails("context_too_long"), fails("context_too_long")]],
      tools: [long],
    });
    expect(await twice.end()).toMatchObject({ ending: { reason: "context_too_long" } });
  });
});

describe("the idle timeout", () => {
  it("does not end a step after 119 s between tokens, but does after 120 s", async () => {
    const slow: Step[] = Array.from({ length: 10 }, () => [{ waitMs: 119_999 }, text(".")]).flat();
    const w = createTurnHarness({ models: [[[text("So"), ...slow, end()]]] });
    expect(await w.end(1_199_990)).toMatchObject({ status: "completed", text: "So.........." });
    const silent = createTurnHarness({ models: [[[text("So"), { waitMs: 120_000 }, text("late"), end()]]] });
    expect(await silent.end(120_000)).toMatchObject({ status: "timeout", text: "So" });
  });

  it("allows 299.999 s before the first token, and is postponed when Discord accepts a message", async () => {
    const w = createTurnHarness({ models: [[[{ waitMs: 299_999 }, ...says("Here.")]]] });
    expect(await w.end(299_999)).toMatchObject({ text: "Here." });
    const sending = createTurnHarness({ models: [[[{ waitMs: 400_000 }, ...says("Here.")]]] });
    sending.begin();
    await sending.clock.advance(200_000);
    sending.accept();
    expect(await sending.end(200_000)).toMatchObject({ text: "Here." });
  });

  it("is restarted by a model's reasoning", async () => {
    const thinking: Step[] = Array.from({ length: 5 }, () => [{ waitMs: 119_000 }, reasoning("hm ")]).flat();
    const w = createTurnHarness({ models: [[[reasoning("so "), ...thinking, ...says("Yes.")]]] });
    expect(await w.end(600_000)).toMatchObject({ text: "Yes.", thoughtLog: "so hm hm hm hm hm " });
  });
});

describe("a tool's time limit", () => {
  it("starts again for every call, so a chain of fast ones never reaches it", async () => {
    const brief = tool("brief", async () => {
      await new Promise<void>((resolve) => void w.clock.timers.after(19_999, resolve));
      return { ok: true, data: 1 };
    });
    const w = createTurnHarness({
      models: [[...rounds(5, "brief"), says("Done.")]],
      tools: [brief],
      limits: { toolTimeoutMs: 20_000 },
    });
    expect(await w.end(100_000)).toMatchObject({ status: "completed" });
    expect(w.events.filter((event) => event.endsWith("timeout"))).toEqual([]);
  });
});
