// One tool call, step by step in the order of its decisions, each as the whole sequence of what the turn did and what the model
// reads about it.
import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../src/toolkit/define/tool.ts";
import type { TurnToolContext } from "../../src/turn/tool-context.ts";
import { BEGIN, createTurnHarness, type TurnOptions, type TurnWorld, using } from "../support/turn-harness.ts";
import { calls, EFFECT, end, says, text, tool } from "../support/turn-script.ts";

const look = tool("look", () => ({ ok: true, data: { seen: 1 } }));
const never = () => new Promise<never>(() => {});

const DECIDED = (name: string) => `info: Assistant decision: ${name} - no reason given`;
const DONE = (name: string, ms = 0) => `info: Function call completed: ${name} (${ms}ms)`;
const ASKED = (name: string) => ["pass 0", "ask m", `answer ${name}`];
const USING = (name: string) => `show "" ${using(name)}`;
/** A call with effects is launched by its ledger once it has passed all checks. */
const launchedOf = (name: string) => [DECIDED(name), `launch ${name}`];
const BROKEN = "error: a tool failed";
const ANSWERED = "info: a tool returned a failure";
/** A call that ran, and the step after it. */
const ran = (name: string, status: string, ms = 0, isEffect = false, news = BROKEN) => [
  ...ASKED(name),
  USING(name),
  ...(isEffect ? launchedOf(name) : launchedOf(name).reverse()),
  ...(["error", "timeout"].includes(status) ? [news] : []),
  `settled ${name} ${status}`,
  DONE(name, ms),
  'show ""',
  "pass 1",
  "ask m",
  'show "Done."',
];
/** A call that was answered without running. */
const stoodIn = (name: string, status: string) => [
  ...ASKED(name),
  `settled ${name} ${status}`,
  DONE(name),
  'show ""',
  "pass 1",
  "ask m",
  'show "Done."',
];
const failure = (name: string, reason: string, more: object = {}) => ({
  status: "tool_execution_failed",
  reason,
  tool_name: name,
  ...more,
});

/** What the model read about its calls. */
function readBy(w: TurnWorld): unknown[] {
  const messages = w.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) => (message.role === "tool" ? [JSON.parse(message.text)] : []));
}

interface Row {
  name: string;
  turn: TurnOptions;
  ms?: number;
  events: string[];
  read: unknown[];
}

const gate: NonNullable<TurnOptions["gate"]> = {
  decide: (functionName) => ({
    allowed: false,
    payload: { status: "blocked_by_deliberate_tool_mode", functionName, allowedToolNames: [] },
  }),
};
const once = (pass: ReturnType<typeof calls>) => [[pass, says("Done.")]];
const one = (answer: Parameters<typeof tool>[1], over: Parameters<typeof tool>[2] = {}): TurnOptions => ({
  models: once(calls("one")),
  tools: [tool("one", answer, over)],
});

let tries = 0;
const rows: Row[] = [
  {
    name: "never runs if its arguments were cut off",
    turn: { models: once([end(["look"], "length")]), tools: [look] },
    events: stoodIn("look", "truncated_input"),
    read: [failure("look", "the arguments were cut off, so nothing ran; call again with smaller arguments")],
  },
  {
    name: "is not dispatched if it is gated, and the model reads the gate's own words",
    turn: { models: once(calls("look")), tools: [look], gate },
    events: stoodIn("look", "blocked"),
    read: [{ status: "blocked_by_deliberate_tool_mode", functionName: "look", allowedToolNames: [] }],
  },
  {
    name: "gives its data on success",
    turn: { models: once(calls("look")), tools: [look] },
    events: ran("look", "ok"),
    read: [{ seen: 1 }],
  },
  {
    name: "without data says that it is completed",
    turn: one(() => ({ ok: true, data: undefined })),
    events: ran("one", "ok"),
    read: [{ status: "completed" }],
  },
  {
    name: "gives its data along with a failure",
    turn: one(() => ({ ok: false, error: "no such place", data: { nearest: "Rome" } })),
    events: ran("one", "error", 0, false, ANSWERED),
    read: [failure("one", "no such place", { data: { nearest: "Rome" } })],
  },
  {
    name: "prefers a failure's message to its error",
    turn: one(() => ({ ok: false, error: "E42", message: "The place is closed." })),
    events: ran("one", "error", 0, false, ANSWERED),
    read: [failure("one", "The place is closed.")],
  },
  {
    name: "fails, and operators read it, if the tool says that something is broken",
    turn: one(() => ({ ok: false, error: "the archive burned down", isFault: true })),
    events: ran("one", "error"),
    read: [failure("one", "the archive burned down")],
  },
  {
    name: "fails, and operators read it, if it was tried again before the tool answered",
    turn: one(() =>
      tries++ === 0 ? { ok: false, error: "busy", retryable: true, retryAfterMs: 0 } : { ok: false, error: "no" },
    ),
    events: ran("one", "error"),
    read: [failure("one", "no")],
  },
  {
    name: "fails if the tool throws",
    turn: one(() => {
      throw new Error("boom");
    }),
    events: ran("one", "error"),
    read: [failure("one", "boom")],
  },
  {
    name: "fails with every issue if its arguments do not fit",
    turn: { models: once(calls(["look", { note: { deep: 1 } }])), tools: [look] },
    events: ran("look", "invalid_input"),
    read: [failure("look", expect.any(String) as never, { issues: [expect.stringContaining("note")] })],
  },
  {
    name: "of an unknown tool fails and names the offered tools",
    turn: { models: once(calls("oracle")), tools: [look] },
    events: ran("oracle", "not_found"),
    read: [failure("oracle", "unknown tool: oracle. Offered: look")],
  },
  {
    name: "is abandoned at its time limit if the tool ignores its signal, and the model is told",
    turn: { ...one(never, EFFECT), limits: { toolTimeoutMs: 20_000 } },
    ms: 20_000,
    events: ran("one", "timeout", 20_000, true),
    read: [failure("one", "timed out after 20 s; whether it did anything is unknown")],
  },
];

describe("a call", () => {
  it.each(rows)("$name", async ({ turn, ms = 0, events, read }) => {
    const w = createTurnHarness(turn);
    expect(await w.end(ms)).toMatchObject({ status: "completed", text: "Done." });
    expect(w.events).toEqual(events);
    expect(readBy(w)).toEqual(read);
  });

  it.each(["stop", "kill"] as const)("that is running at a %s is aborted, and its result is dropped", async (kind) => {
    let signal: AbortSignal | null = null;
    const w = createTurnHarness({
      models: [[calls("one")]],
      tools: [
        tool(
          "one",
          (context) => {
            ({ signal } = context);
            return never();
          },
          EFFECT,
        ),
      ],
    });
    w.begin();
    await w.clock.advance(5);
    w.stop(kind);
    expect(await w.end()).toMatchObject({ status: "stopped_by_user", ending: { kind: "stopped", by: "7" } });
    expect((signal as AbortSignal | null)?.aborted).toBe(true);
    expect(w.events).toEqual([...ASKED("one"), USING("one"), ...launchedOf("one")]);
  });

  it("is aborted at the deadline, and the turn times out", async () => {
    const w = createTurnHarness({ models: [[calls("one")]], tools: [tool("one", never)] });
    w.begin();
    await w.clock.advance(5);
    w.abort({ kind: "deadline" });
    expect(await w.end()).toMatchObject({ status: "timeout", ending: { kind: "turn_deadline" } });
    expect(w.events).toEqual([...ASKED("one"), USING("one"), "launch one", DECIDED("one")]);
  });

  it("never starts after a stop in the middle of its answer", async () => {
    const runs: string[] = [];
    const first = tool(
      "first",
      () => {
        runs.push("first");
        w.stop("stop");
        return { ok: true, data: 1 };
      },
      EFFECT,
    );
    const second = tool("second", () => ({ ok: true, data: runs.push("second") }), EFFECT);
    const w = createTurnHarness({ models: [[calls("first", "second")]], tools: [first, second] });
    expect(await w.end()).toMatchObject({ status: "stopped_by_user" });
    expect(runs).toEqual(["first"]);
    expect(w.events).toEqual([...ASKED("first, second"), USING("first"), ...launchedOf("first")]);
  });

  it("writes nothing if its answer comes after another life took over", async () => {
    let answer = (_done: { ok: true; data: number }) => {};
    const slow = tool("slow", () => new Promise((resolve) => (answer = resolve)), EFFECT);
    const w = createTurnHarness({ models: [[calls("slow")]], tools: [slow] });
    w.begin();
    await w.clock.advance(0);
    w.channel.saveLock({ ...w.channel.lock(), epoch: 9 });
    answer({ ok: true, data: 1 });
    await w.clock.advance(0);
    expect(w.result()).toEqual({ kind: "superseded" });
    expect(w.channel.settledCalls("t1")).toBe(0);
  });
});

describe("several calls in one answer", () => {
  it("run together if they only read, at most four at once, and keep their order in the results", async () => {
    const open: string[] = [];
    let most = 0;
    const read = tool("read", async ({ callId }) => {
      most = Math.max(most, open.push(callId));
      await new Promise<void>((resolve) => void w.clock.timers.after(callId === "c0" ? 20 : 10, resolve));
      open.splice(open.indexOf(callId), 1);
      return { ok: true, data: callId };
    });
    const w = createTurnHarness({ models: once(calls("read", "read", "read", "read", "read")), tools: [read] });
    await w.end(40);
    expect(most).toBe(4);
    expect(readBy(w)).toEqual(["c0", "c1", "c2", "c3", "c4"]);
    const together = "launch read, read, read, read";
    expect(w.events.filter((event) => event.startsWith("launch"))).toEqual([together, "launch read"]);
  });

  it("wait for one that changes something, which runs alone and at its position", async () => {
    const log: string[] = [];
    const read = tool("read", () => ({ ok: true, data: log.push("read") }));
    const write = tool("write", () => ({ ok: true, data: log.push("write") }), EFFECT);
    const w = createTurnHarness({
      models: once(calls("read", "write", "write", "read", "read")),
      tools: [read, write],
    });
    await w.end();
    expect(log).toEqual(["read", "write", "write", "read", "read"]);
    const launches = ["launch read", "launch write", "launch write", "launch read, read"];
    expect(w.events.filter((event) => event.startsWith("launch"))).toEqual(launches);
  });

  it("after a terminal one are answered without running", async () => {
    const goodbye = tool("goodbye", () => ({ ok: true, data: "bye" }), { ...EFFECT, category: "terminal" });
    const w = createTurnHarness({ models: [[calls("goodbye", "look", "look")]], tools: [goodbye, look] });
    expect(await w.end()).toMatchObject({ ending: { kind: "completed" } });
    expect(w.events.filter((event) => /^(launch|settled)/.test(event))).toEqual([
      "launch goodbye",
      "settled goodbye ok",
      "settled look blocked",
      "settled look blocked",
    ]);
  });

  it("after the failure that reached the limit are answered without running", async () => {
    const broken = tool("broken", () => ({ ok: false, error: "no" }), EFFECT);
    const w = createTurnHarness({
      models: [[calls("broken", "look")]],
      tools: [broken, look],
      limits: { maxConsecutiveToolErrors: 1 },
    });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors" } });
    expect(w.events.filter((event) => /^(launch|settled)/.test(event))).toEqual([
      "launch broken",
      "settled broken error",
      "settled look blocked",
    ]);
  });
});

it("a misspelled call of a tool with effects counts as that tool everywhere: gate, order, ledger", async () => {
  const asked: string[] = [];
  const writeNote = tool("write_note", () => ({ ok: true, data: 1 }), EFFECT);
  const open: TurnOptions["gate"] = {
    decide(name) {
      asked.push(name);
      return { allowed: true };
    },
  };
  const w = createTurnHarness({
    models: once(calls("look", "Write-Note", "look")),
    tools: [look, writeNote],
    gate: open,
  });
  await w.end();
  const launches = ["launch look", "launch write_note", "launch look"];
  expect(w.events.filter((event) => event.startsWith("launch"))).toEqual(launches);
  expect([asked.includes("Write-Note"), w.channel.ledgerRow(2, 1)?.tool]).toEqual([false, "write_note"]);
});

describe("the hidden notices", () => {
  it("report a failed call with its reason, its data, and arguments without secrets", async () => {
    const keyed = tool("keyed", () => ({ ok: false, error: "no", data: { code: 4 } }));
    const w = createTurnHarness({
      models: once(calls(["keyed", { note: "a", apiKey: "k-1" }], "look")),
      tools: [keyed, look],
    });
    expect((await w.end()).hiddenNotices).toEqual([
      {
        kind: "tool_failed",
        tool: "keyed",
        reason: "no",
        arguments: '{"note":"a","apiKey":"[redacted]"}',
        data: { code: 4 },
      },
    ]);
  });

  it("name the words that exposed a tool", async () => {
    const trigger = { phrase: "look around", source: "built-in" };
    const w = createTurnHarness({
      models: once(calls("look")),
      tools: [look],
      gate: { decide: () => ({ allowed: true, trigger }) },
    });
    expect((await w.end()).hiddenNotices).toEqual([{ kind: "tool_triggered", tool: "look", ...trigger }]);
  });
});

describe("the context of a call", () => {
  it("has every field, with live values where it promises them", async () => {
    let seen: ToolContext | null = null;
    const ask = tool("ask", (context) => {
      seen = context;
      return { ok: true, data: 1 };
    });
    const w = createTurnHarness({ models: [[[text("I ask."), end(["ask"])], says("Done.")]], tools: [ask] });
    await w.end();
    const context = seen as unknown as TurnToolContext;
    expect(context).toMatchObject({
      channel: { id: "c1", guildId: "g1" },
      client: { postedText: expect.any(Function) },
      message: { id: "t1", text: "go" },
      userId: "7",
      guildId: "g1",
      settings: { systemPrompt: "Be brief." },
      locale: "en-US",
      provider: "m",
      streamContext: { abortSignal: expect.any(AbortSignal), disableMessageMetadataContext: false },
      webhook: null,
      personaUsername: null,
      personaAvatarUrl: null,
      activePersonaId: null,
      isUserImpersonation: false,
      impersonatedUserId: null,
      suppressProgressNotices: false,
      showKillHint: false,
      abortSignal: expect.any(AbortSignal),
      signal: expect.any(AbortSignal),
      now: BEGIN,
      log: expect.any(Function),
      callId: "c0",
      turnId: "t1",
      channelId: "c1",
      attempt: 1,
      idempotencyKey: "t1:2.0",
    });
    // Live: the list has the tool's result after the tool has ended.
    expect(context.contextItems.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect([...context.messageIdMap]).toEqual([]);
    expect(context.abortSignal).toBe(context.streamContext.abortSignal);
  });

  it("shows the hint on how to end the turn from iteration 20 on, and turns notices off on quiet turns", async () => {
    const hints: [number, boolean, boolean][] = [];
    const ask = tool("ask", (context) => {
      const { showKillHint, suppressProgressNotices } = context as TurnToolContext;
      hints.push([hints.length, showKillHint, suppressProgressNotices]);
      return { ok: true, data: 1 };
    });
    const rounds = Array.from({ length: 22 }, (_, round) => calls(["ask", { note: String(round) }]));
    const w = createTurnHarness({ models: [[...rounds, says("Done.")]], tools: [ask], surface: false });
    await w.end();
    expect(hints).toEqual(Array.from({ length: 22 }, (_, round) => [round, round >= 20, true]));
  });
});
