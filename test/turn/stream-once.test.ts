// One model call that streams exactly as scripted: how its stream is read, and how fast the idle timeout and stops end it.
import { describe, expect, it } from "vitest";
import type { StopFlag } from "../../src/core/state/record.ts";
import type { ModelEvent, ModelRequest, TurnAbort } from "../../src/turn/ports.ts";
import { streamOnce } from "../../src/turn/stream-once.ts";
import type { StreamResult } from "../../src/turn/stream-result.ts";
import { createTestClock } from "../support/clock.ts";

const FIRST_MS = 300_000;
const SILENCE_MS = 120_000;
const REQUEST: ModelRequest = { system: "s", messages: [{ role: "user", text: "hi" }], tools: [] };
const USAGE = { inputTokens: 3, outputTokens: 5 };
const CALL = { id: "a", name: "roll", arguments: "{}" };

const text = (words: string): ModelEvent => ({ kind: "text", text: words });
const end = (over: Partial<Extract<ModelEvent, { kind: "end" }>> = {}): ModelEvent => ({
  kind: "end",
  finishReason: "stop",
  calls: [],
  usage: USAGE,
  ...over,
});
/** What the call received, and the rest of a usual end. */
const heard = (accumulatedText: string, thoughtLog = "", hasBegun = true) => ({
  accumulatedText,
  thoughtLog,
  detailsContent: "",
  hasBegun,
});
const END = { finishReason: "stop", usage: USAGE, native: null };
const silence = (ms: number) => ({ reason: "timeout", message: `SDK_CALL_TIMEOUT: no progress for ${ms} ms` });

/** A call under way. The model streams what the test gives it and ignores its signal. */
function pass(signal: AbortSignal = new AbortController().signal, flag: StopFlag | null = null) {
  const clock = createTestClock(0);
  const waiting: { events: ModelEvent[]; wake: () => void; over: boolean } = {
    events: [],
    wake: () => {},
    over: false,
  };
  const seen = { texts: [] as string[], requests: [] as ModelRequest[], aborted: () => false, closed: false };
  async function* stream(request: ModelRequest, aborted: AbortSignal): AsyncGenerator<ModelEvent> {
    seen.requests.push(request);
    seen.aborted = () => aborted.aborted;
    try {
      for (;;) {
        const event = waiting.events.shift();
        if (event) yield event;
        else if (waiting.over) return;
        else
          await new Promise<void>((resolve) => {
            waiting.wake = resolve;
          });
      }
    } finally {
      seen.closed = true;
    }
  }
  const limits = { firstTokenTimeoutMs: FIRST_MS, streamTimeoutMs: SILENCE_MS };
  const params = {
    model: { name: "m", stream },
    timers: clock.timers,
    clock: clock.now,
    limits,
    signal,
    ownName: "Parley",
    toolNames: [],
    stopFlag: () => flag,
    onText: (all: string) => seen.texts.push(all),
  };
  const outcome: { result: StreamResult | null } = { result: null };
  void streamOnce(params, REQUEST).then((result) => {
    outcome.result = result;
  });
  return {
    clock,
    seen,
    /** The result, or null while the call runs. */
    result: () => outcome.result,
    async says(...events: ModelEvent[]) {
      waiting.events.push(...events);
      waiting.wake();
      await clock.advance(0);
    },
    async closes() {
      waiting.over = true;
      waiting.wake();
      await clock.advance(0);
    },
  };
}

describe("an answer", () => {
  it("is passed on as it grows and returned whole", async () => {
    const { clock, result, says, seen } = pass();
    await says(text("Hel"), text("lo"), { kind: "reasoning", text: "hm" }, text("!"), end());
    expect(seen.texts).toEqual(["Hel", "Hello", "Hello!"]);
    expect(result()).toEqual({ ...heard("Hello!", "hm"), status: "completed", ...END });
    expect([seen.requests, clock.pending(), seen.closed]).toEqual([[REQUEST], 0, true]);
  });

  it("consists of whole characters, wherever its pieces are cut", async () => {
    const { result, says, seen } = pass();
    await says(text("a\ud83d"), text("\ude00"), text("b\ude00c\ud83d"), text(""), end());
    expect(seen.texts).toEqual(["a", "a😀", "a😀b\ufffdc"]);
    expect(result()?.accumulatedText).toBe("a😀b\ufffdc");
  });

  it.each([
    ["text only", [text("so"), end()], { ...heard("so"), status: "completed", ...END }],
    [
      "a cut text",
      [text("so"), end({ finishReason: "length" })],
      { ...heard("so"), status: "completed", ...END, finishReason: "length" },
    ],
    [
      "details, and a tag that nothing closes",
      [text("<details>why</details>Use <det"), text("ails> to"), text(" hide."), end()],
      { ...heard("Use <details> to hide."), detailsContent: "why", status: "completed", ...END },
    ],
    ["nothing", [end()], { ...heard("", "", false), status: "empty_response", finishReason: "stop", usage: USAGE }],
    [
      "white space",
      [text(" \n "), end({ usage: null })],
      { ...heard(" "), status: "empty_response", finishReason: "stop", usage: null },
    ],
    [
      "characters that no one sees",
      [text("\u200b\u2060"), text(" \ufe0f\u3164"), end()],
      { ...heard("\u200b\u2060 \ufe0f\u3164"), status: "empty_response", finishReason: "stop", usage: USAGE },
    ],
    [
      "reasoning only",
      [{ kind: "reasoning", text: "hm" }, end()],
      { ...heard("", "hm"), status: "empty_response", finishReason: "stop", usage: USAGE },
    ],
    [
      "calls after characters that no one sees",
      [text("\u200b"), end({ finishReason: "tool_calls", calls: [CALL] })],
      { ...heard(""), status: "function_call", data: [CALL], ...END, finishReason: "tool_calls" },
    ],
    [
      "calls",
      [{ kind: "call_piece" }, end({ finishReason: "tool_calls", calls: [CALL] })],
      { ...heard(""), status: "function_call", data: [CALL], ...END, finishReason: "tool_calls" },
    ],
    [
      "calls after text, cut at the provider's limit",
      [text("I roll"), end({ finishReason: "length", calls: [CALL] })],
      { ...heard("I roll"), status: "function_call", data: [CALL], ...END, finishReason: "length" },
    ],
    [
      "a failure in the middle",
      [text("so"), { kind: "failed", failure: { reason: "network", message: "cut" } }],
      { ...heard("so"), status: "error", data: { reason: "network", message: "cut" } },
    ],
  ] as [string, ModelEvent[], StreamResult][])("of %s is recognized as such", async (_, events, expected) => {
    const { clock, result, says } = pass();
    await says(...events);
    expect(result()).toEqual(expected);
    expect(clock.pending()).toBe(0);
  });

  it("is a bad stream if the stream closes without an end", async () => {
    const { clock, closes, result, says } = pass();
    await says(text("so"));
    await closes();
    const failure = { reason: "bad_stream", message: "the stream stopped before its end" };
    expect(result()).toEqual({ ...heard("so"), status: "error", data: failure });
    expect(clock.pending()).toBe(0);
  });
});

describe("the idle timeout", () => {
  it("before the first token has its own limit, and aborts the request", async () => {
    const { clock, result, seen } = pass();
    await clock.advance(FIRST_MS - 1);
    expect([result(), seen.aborted()]).toEqual([null, false]);
    await clock.advance(1);
    expect(result()).toEqual({ ...heard("", "", false), status: "timeout", data: silence(FIRST_MS) });
    expect([seen.aborted(), clock.pending()]).toEqual([true, 0]);
  });

  it("between two tokens is shorter, and keeps the text so far", async () => {
    const { clock, result, says, seen } = pass();
    await says(text("so"));
    await clock.advance(SILENCE_MS - 1);
    expect(result()).toBeNull();
    await clock.advance(1);
    expect(result()).toEqual({ ...heard("so"), status: "timeout", data: silence(SILENCE_MS) });
    expect([seen.aborted(), clock.pending()]).toEqual([true, 0]);
  });

  it("is just as short after a first token that came late", async () => {
    const { clock, result, says } = pass();
    await clock.advance(SILENCE_MS + 1);
    await says(text("so"));
    await clock.advance(SILENCE_MS - 1);
    expect(result()).toBeNull();
    await clock.advance(1);
    expect(result()).toEqual({ ...heard("so"), status: "timeout", data: silence(SILENCE_MS) });
  });

  it("is restarted by text, reasoning and pieces of calls alike", async () => {
    const { clock, result, says } = pass();
    for (const event of [
      text("so"),
      { kind: "reasoning", text: "hm" },
      { kind: "call_piece" },
      text("."),
    ] as ModelEvent[]) {
      await clock.advance(SILENCE_MS - 1);
      await says(event);
    }
    expect([result(), clock.pending()]).toEqual([null, 1]);
    await clock.advance(SILENCE_MS);
    expect(result()).toMatchObject({ status: "timeout", accumulatedText: "so." });
  });

  it("uses one timer at a time, however many tokens come", async () => {
    const { clock, says } = pass();
    for (let token = 0; token < 100; token++) await says(text("x"));
    expect(clock.pending()).toBe(1);
  });
});

const flagOf = (kind: StopFlag["kind"]): StopFlag => ({ kind, by: "7", byName: "Theo", at: 0 });
const FLAGGED = { kind: "flagged" } as const;
const BY_USER = { status: "stopped_by_user", stopReason: FLAGGED };
const DEADLINE = { reason: "timeout", message: "the turn's deadline has passed" };

describe("the turn's signal", () => {
  it.each<[TurnAbort, StopFlag | null, object]>([
    [FLAGGED, flagOf("stop"), BY_USER],
    [FLAGGED, flagOf("kill"), BY_USER],
    [FLAGGED, flagOf("follow_up"), { status: "follow_up_interrupt", stopReason: FLAGGED }],
    [{ kind: "deadline" }, null, { status: "timeout", data: DEADLINE, stopReason: { kind: "deadline" } }],
    [{ kind: "deadline" }, flagOf("stop"), BY_USER],
    [{ kind: "gone" }, null, { status: "stopped_by_user", stopReason: { kind: "gone" } }],
    [{ kind: "superseded" }, null, { status: "stopped_by_user", stopReason: { kind: "superseded" } }],
  ])(
    "with %j and the stored flag %j ends the call at once, even if the model ignores it",
    async (abort, flag, ending) => {
      const turn = new AbortController();
      const { clock, result, says, seen } = pass(turn.signal, flag);
      await says(text("so far"));
      turn.abort(abort);
      await clock.advance(0);
      expect(result()).toEqual({ ...heard("so far"), ...ending });
      expect([seen.aborted(), clock.pending()]).toEqual([true, 0]);
    },
  );

  it("gives way to a stored stop that has not reached it yet, even if the idle timeout comes first", async () => {
    const { clock, result, says } = pass(new AbortController().signal, flagOf("stop"));
    await says(text("so far"));
    await clock.advance(SILENCE_MS);
    expect(result()).toEqual({ ...heard("so far"), ...BY_USER });
  });

  it("ends a call before any text if it fired earlier", async () => {
    const { clock, result, says, seen } = pass(AbortSignal.abort({ kind: "flagged" }));
    await says(text("too late"), end());
    expect(result()).toEqual({ ...heard("", "", false), ...BY_USER });
    expect([seen.texts, seen.aborted(), clock.pending()]).toEqual([[], true, 0]);
  });

  it("has no effect on a call that is over", async () => {
    const turn = new AbortController();
    const { result, says, seen } = pass(turn.signal);
    await says(text("done"), end());
    turn.abort({ kind: "flagged" });
    expect(result()).toEqual({ ...heard("done"), status: "completed", ...END });
    expect(seen.aborted()).toBe(false);
  });
});

it("text that a model sends after its call ended changes nothing, and its stream is closed", async () => {
  const turn = new AbortController();
  const { clock, result, says, seen } = pass(turn.signal);
  await says(text("so far"));
  turn.abort({ kind: "flagged" });
  await clock.advance(0);
  const before = result();
  await says(text(" and on"), end());
  expect([result(), seen.texts, seen.closed]).toEqual([before, ["so far"], true]);
});
