// The limits of one answer and of one turn: at each limit nothing changes, and beyond it the rest is cut or refused in words
// that the model reads.
import { describe, expect, it } from "vitest";
import {
  CALL_FRAME_BYTES,
  MAX_ANSWER_BYTES,
  MAX_CALLS_PER_ANSWER,
  MAX_CALLS_PER_TURN,
  MAX_REASONING_BYTES,
} from "../../src/core/limits.ts";
import { MAX_ARGUMENT_BYTES } from "../../src/toolkit/read-json.ts";
import { createAnswerRoom } from "../../src/turn/answer-limits.ts";
import { createTurnHarness, type TurnWorld } from "../support/turn-harness.ts";
import { calls, EFFECT, end, type Pass, reasoning, says, text, tool } from "../support/turn-script.ts";

/** A tool that counts its runs; each call is different, so none repeats another. */
function counted(over: Parameters<typeof tool>[2] = {}) {
  const runs: string[] = [];
  const look = tool("look", (_, { note = "" }) => ({ ok: true, data: runs.push(note) }), over);
  return { runs, look };
}
const many = (count: number, from = 0): [string, object][] =>
  Array.from({ length: count }, (_, index) => ["look", { note: String(from + index) }]);
const results = (w: TurnWorld, request = -1) =>
  (w.requests.at(request)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [JSON.parse(one.text)] : []));
const reason = (result: unknown): string => (result as { reason?: string }).reason ?? "ran";
const assistant = (w: TurnWorld) => w.channel.messagesInTurn("t1").filter(({ role }) => role === "assistant");

describe("one answer has at most 256 KiB of text", () => {
  it.each([
    ["at the limit it is whole", "x".repeat(MAX_ANSWER_BYTES), MAX_ANSWER_BYTES, undefined],
    ["one byte past the limit it is cut", "x".repeat(MAX_ANSWER_BYTES + 1), MAX_ANSWER_BYTES, true],
    [
      "counted in UTF-8, and no character is cut in half",
      "é".repeat(MAX_ANSWER_BYTES / 2 + 1),
      MAX_ANSWER_BYTES / 2,
      true,
    ],
  ])("%s", async (_, words, kept, cut) => {
    const half = Math.floor(words.length / 2);
    const script: Pass = [text(words.slice(0, half)), text(words.slice(half)), text(cut ? "more" : ""), end()];
    const w = createTurnHarness({ models: [script.length > 0 ? [script] : []] });
    const result = await w.end();
    expect([result.text.length, result.ending]).toEqual([kept, { kind: "completed", ...(cut && { cut }) }]);
  });
});

describe("reasoning is kept up to 64 KiB:", () => {
  it.each([
    ["at the limit whole", MAX_REASONING_BYTES, MAX_REASONING_BYTES],
    ["past the limit its beginning", MAX_REASONING_BYTES + 1, MAX_REASONING_BYTES],
  ])("%s, in reasoning deltas and in tags", async (_, length, kept) => {
    const thought = "x".repeat(length);
    for (const pass of [
      [reasoning(thought), text("Hi."), end()],
      [text(`<think>${thought}</think>Hi.`), end()],
    ]) {
      const w = createTurnHarness({ models: [[pass]] });
      const result = await w.end();
      expect([result.thoughtLog?.length, result.text]).toEqual([kept, "Hi."]);
    }
  });

  it("however many pieces it comes in, nothing follows a piece that is cut", () => {
    const room = createAnswerRoom();
    const kept = [1, MAX_REASONING_BYTES - 2, 2, 1].map((chars) => room.thought("x".repeat(chars)).kept.length);
    expect(kept).toEqual([1, MAX_REASONING_BYTES - 2, 1, 0]);
  });

  it("all of it is counted", async () => {
    const pass = [reasoning("x".repeat(MAX_REASONING_BYTES * 2)), text("Hi."), end()];
    const uncounted = pass.map((event) => (event.kind === "end" ? { ...event, usage: null } : event));
    const w = createTurnHarness({ models: [[uncounted]] });
    expect((await w.end()).answer?.usage?.outputTokens).toBe((MAX_REASONING_BYTES * 2) / 4 + 1);
  });
});

describe("one call has at most 64 KiB of arguments: it", () => {
  const frame = JSON.stringify({ note: "" }).length;
  it.each([
    ["runs at the limit", MAX_ARGUMENT_BYTES - frame, "ran"],
    [
      "is refused past the limit",
      MAX_ARGUMENT_BYTES - frame + 1,
      "the arguments were cut off, so nothing ran; call again with smaller arguments",
    ],
  ])("%s, and what is beyond the limit is not stored", async (_, length, expected) => {
    const { runs, look } = counted();
    const w = createTurnHarness({
      models: [[calls(["look", { note: "x".repeat(length) }]), says("Done.")]],
      tools: [look],
    });
    await w.end();
    expect([results(w).map(reason), runs.length]).toEqual([[expected], expected === "ran" ? 1 : 0]);
    expect(JSON.stringify(assistant(w)[0]?.calls).length < MAX_ARGUMENT_BYTES).toBe(expected !== "ran");
  });
});

describe("one answer has at most 256 KiB of text and calls together", () => {
  it("the call beyond the limit is refused, and the ones after it are dropped", async () => {
    const { runs, look } = counted();
    const large = (index: number): [string, object] => ["look", { note: `${index}${"x".repeat(60_000)}` }];
    const w = createTurnHarness({
      models: [[[text("y".repeat(60_000)), end([0, 1, 2, 3, 4].map(large))], says("Done.")]],
      tools: [look],
    });
    await w.end();
    expect(runs.map((note) => note.slice(0, 2))).toEqual(["0x", "1x", "2x"]);
    expect(results(w).map((result) => reason(result).slice(0, 26))).toEqual([
      "ran",
      "ran",
      "ran",
      "the arguments were cut off",
    ]);
  });
});

describe("the room of one answer", () => {
  const call = (index: number, chars = 0) => ({
    id: `c${index}`,
    name: "look",
    arguments: JSON.stringify({ note: "x".repeat(chars) }),
  });
  /** The room that such a call takes. */
  const taken = CALL_FRAME_BYTES + Object.values(call(0)).join("").length;

  it.each([
    [-1, ["{}"]],
    [0, [call(0).arguments]],
    [1, [call(0).arguments]],
  ])(
    "left after its text, which is %i bytes more than a call takes, decides whether the call keeps its arguments",
    (more, kept) => {
      const room = createAnswerRoom();
      room.text("x".repeat(MAX_ANSWER_BYTES - taken - more));
      expect(room.calls([call(0)]).map((one) => one.arguments)).toEqual(kept);
    },
  );

  it("fits no call if its text has filled it, and a call without its arguments if one byte is left", () => {
    const heldBehind = (bytes: number) => {
      const room = createAnswerRoom();
      room.text("x".repeat(bytes));
      return room.calls([call(0), call(1)]);
    };
    expect(heldBehind(MAX_ANSWER_BYTES)).toEqual([]);
    expect(heldBehind(MAX_ANSWER_BYTES - 1)).toEqual([{ ...call(0), arguments: "{}", truncated: true }]);
  });

  it("is full from the first piece that is cut", () => {
    const room = createAnswerRoom();
    const isFull = ["x", "x".repeat(MAX_ANSWER_BYTES), ""].map((piece) => {
      room.text(piece);
      return room.isFull();
    });
    expect(isFull).toEqual([false, true, true]);
  });

  it("is not used by the arguments of calls beyond the number that one answer may make", () => {
    const held = createAnswerRoom().calls(
      Array.from({ length: MAX_CALLS_PER_ANSWER + 1 }, (_, index) => call(index, 9)),
    );
    expect(held.map((one) => one.arguments).slice(-2)).toEqual([call(0, 9).arguments, "{}"]);
  });
});

describe("one answer has at most 32 calls that run", () => {
  it.each([
    [MAX_CALLS_PER_ANSWER, "reads", {}],
    [MAX_CALLS_PER_ANSWER + 1, "reads", {}],
    [500, "reads", {}],
    [500, "changes something", EFFECT],
  ])("of %i calls of a tool that %s", async (count, _, over) => {
    const { runs, look } = counted(over);
    const w = createTurnHarness({ models: [[calls(...many(count)), says("Done.")]], tools: [look] });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect(runs).toHaveLength(MAX_CALLS_PER_ANSWER);
    const read = results(w).map(reason);
    expect([read.length, read.filter((one) => one === "ran").length]).toEqual([count, MAX_CALLS_PER_ANSWER]);
    expect(read.slice(MAX_CALLS_PER_ANSWER).every((one) => one.startsWith("one answer may make 32 tool calls"))).toBe(
      true,
    );
    // The refused calls cost no rows.
    expect(w.channel.ledgerRowsFor(assistant(w)[0]?.seq ?? 0)).toHaveLength(MAX_CALLS_PER_ANSWER);
    expect(w.turn().events.some(({ detail }) => detail?.includes(`${count - 32} calls refused`))).toBe(count > 32);
  });

  it("of which a new life runs no more", async () => {
    const { runs, look } = counted();
    let lives = 0;
    const dies = tool("dies", () => (++lives === 1 ? new Promise(() => w.die()) : { ok: true, data: lives }), EFFECT);
    const script = [calls(...many(31), "dies", ...many(100, 100)), says("Done.")];
    const w: TurnWorld = createTurnHarness({ models: [script], tools: [look, dies] });
    w.begin();
    await w.clock.advance(10);
    w.begin();
    expect(await w.end()).toMatchObject({ status: "completed" });
    expect([runs.length, lives, results(w).length]).toEqual([31, 1, 132]);
  });
});

describe("one turn has at most 200 calls that run:", () => {
  const full = Math.floor(MAX_CALLS_PER_TURN / MAX_CALLS_PER_ANSWER);
  const rest = MAX_CALLS_PER_TURN % MAX_CALLS_PER_ANSWER;
  const rounds = Array.from({ length: full }, (_, index) => calls(...many(MAX_CALLS_PER_ANSWER, index * 100)));

  it("the last one is followed by an answer without tools", async () => {
    const { runs, look } = counted();
    const w = createTurnHarness({
      models: [[...rounds, calls(...many(rest - 1, 9000)), calls(...many(1, 9900)), says("Done.")]],
      tools: [look],
    });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect(runs).toHaveLength(MAX_CALLS_PER_TURN);
    expect(w.requests.slice(-2).map(({ toolChoice }) => toolChoice)).toEqual([undefined, "none"]);
    expect(w.requests.at(-1)?.messages.at(-1)?.text).toContain("no tool is available anymore");
  });

  it.each(["one life", "two lives", "two models"])("one more is refused, over %s", async (how) => {
    const { runs, look } = counted();
    const last = calls(...many(rest + 1, 9000));
    const broken: Pass = [{ kind: "failed", failure: { reason: "auth", message: "no" } }];
    const dying: Pass = [{ act: () => how === "two lives" && w.die() }, ...last];
    const w: TurnWorld = createTurnHarness({
      models:
        how === "two models"
          ? [
              [...rounds, broken],
              [last, says("Done.")],
            ]
          : [[...rounds, dying, ...(how === "two lives" ? [last] : []), says("Done.")]],
      tools: [look],
    });
    w.begin();
    await w.clock.advance(10);
    if (how === "two lives") w.begin();
    expect(await w.end(10)).toMatchObject({ status: "completed", text: "Done." });
    expect(runs).toHaveLength(MAX_CALLS_PER_TURN);
    expect(reason(results(w).at(-1))).toBe(
      "this turn has made 200 tool calls, and no more run; answer with what you have",
    );
  });

  it.each(["one life", "two lives"])("many more in one answer don't count as failing tools, over %s", async (how) => {
    const { runs, look } = counted();
    const dying: Pass = [{ act: () => how === "two lives" && w.die() }, text("Done."), end()];
    const last = calls(...many(MAX_CALLS_PER_ANSWER, 9000));
    const w: TurnWorld = createTurnHarness({ models: [[...rounds, last, dying, says("Done.")]], tools: [look] });
    w.begin();
    await w.clock.advance(10);
    if (how === "two lives") w.begin();
    expect(await w.end(10)).toMatchObject({ status: "completed", text: "Done." });
    expect(runs).toHaveLength(MAX_CALLS_PER_TURN);
  });

  it("a model that still calls ends the turn at its limit", async () => {
    const { runs, look } = counted();
    const w = createTurnHarness({
      models: [[...rounds, calls(...many(rest, 9000)), [text("So far."), end(many(1, 9900))], says("Never asked.")]],
      tools: [look],
    });
    expect(await w.end()).toMatchObject({ ending: { kind: "iteration_limit" }, text: "So far." });
    expect([runs.length, w.requests.length]).toEqual([MAX_CALLS_PER_TURN, full + 2]);
    expect(w.channel.ledgerRowsFor(assistant(w).at(-1)?.seq ?? 0)).toHaveLength(1);
  });
});
