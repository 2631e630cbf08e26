// The conversation that a model is given: bounded, always with its question, and with exactly one result for every call.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, NO_RESULT, repair, selectWindow } from "../../../src/core/transcript/transcript.ts";

const RUNS = { numRuns: 1000 };
const words = fc.string({ maxLength: 30 });
const id = fc.constantFrom("a", "b", "c", "");
const call = fc.record({ id, name: fc.constantFrom("roll", "time"), arguments: fc.constant("{}") });
const user: fc.Arbitrary<Message> = fc.record({ role: fc.constant("user"), text: words });
const assistant: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("assistant"),
  text: words,
  calls: fc.array(call, { maxLength: 3 }),
});
const tool: fc.Arbitrary<Message> = fc.record({ role: fc.constant("tool"), callId: id, text: words });
/** Anything a store could contain after crashes and cuts: orphaned, missing, duplicate and foreign results. */
const anything = fc.array(fc.oneof(user, assistant, tool), { maxLength: 12 });
const current = fc.tuple(user, anything).map(([question, rest]) => [question, ...rest]);
const limits = fc.record({ rows: fc.integer({ min: 1, max: 12 }), tokens: fc.integer({ min: 1, max: 60 }) });

const said = (text: string): Message => ({ role: "user", text });
const asked = (text: string, ...ids: string[]): Message => ({
  role: "assistant",
  text,
  calls: ids.map((one) => ({ id: one, name: "roll", arguments: "{}" })),
});
const got = (callId: string, text = callId): Message => ({ role: "tool", callId, text });

/** Faults that a provider refuses: a call without exactly one result right after its answer, or a result without a call. */
function faultsOf(messages: Message[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const at = open.indexOf(message.callId);
      if (at < 0) faults.push(`a result of ${message.callId} without a call`);
      else open.splice(at, 1);
      continue;
    }
    if (open.length > 0) faults.push(`no result of ${open.join()}`);
    open = message.role === "assistant" ? message.calls.map((one) => one.id) : [];
  }
  return open.length > 0 ? [...faults, `no result of ${open.join()}`] : faults;
}

describe("a repaired conversation", () => {
  it("has exactly one result for each call, right after its answer, whatever it was before", () => {
    fc.assert(
      fc.property(anything, (messages) => {
        expect(faultsOf(repair(messages))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("keeps every question and answer in order, and does not change when repaired again", () => {
    const spoken = (messages: Message[]) => messages.filter(({ role }) => role !== "tool");
    fc.assert(
      fc.property(anything, (messages) => {
        const repaired = repair(messages);
        expect(spoken(repaired)).toEqual(spoken(messages));
        expect(repair(repaired)).toEqual(repaired);
      }),
      RUNS,
    );
  });

  it("marks a lost result as unknown, and drops a result that belongs to no call", () => {
    const broken = [got("z"), said("roll"), got("y"), asked("", "a", "b"), got("b"), got("b", "again"), said("and?")];
    expect(repair(broken)).toEqual([said("roll"), asked("", "a", "b"), got("a", NO_RESULT), got("b"), said("and?")]);
  });

  it("pairs calls with the same id with their results in order", () => {
    const doubled = [asked("", "a", "a"), got("a", "first"), got("a", "second")];
    expect(repair(doubled)).toEqual(doubled);
  });
});

describe("the window", () => {
  it("always contains the question being answered", () => {
    fc.assert(
      fc.property(anything, current, limits, (earlier, now, max) => {
        expect(selectWindow(earlier, now, max)).toContain(now[0]);
      }),
      RUNS,
    );
  });

  it("keeps the order of the conversation and, once repaired, passes every provider's checks", () => {
    fc.assert(
      fc.property(anything, current, limits, (earlier, now, max) => {
        const all = [...earlier, ...now];
        const places = selectWindow(earlier, now, max).map((message) => all.indexOf(message));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        expect(faultsOf(repair(selectWindow(earlier, now, max)))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("is everything from the first question on, if the limits allow it", () => {
    const earlier = [asked("cut off"), said("one"), asked("1")];
    expect(selectWindow(earlier, [said("two")])).toEqual([said("one"), asked("1"), said("two")]);
  });

  it("takes the newest whole messages that fit, and history only if the current turn fits completely", () => {
    const earlier = [said("one"), asked("1"), said("two"), asked("2")];
    const now = [said("three"), asked("", "a"), got("a"), asked("", "b"), got("b")];
    const rows = (count: number) => selectWindow(earlier, now, { rows: count, tokens: 10_000 });
    expect(rows(9)).toEqual([...earlier, ...now]);
    expect(rows(8)).toEqual([said("two"), asked("2"), ...now]);
    expect(rows(6)).toEqual(now);
    expect(rows(4)).toEqual([said("three"), asked("", "b"), got("b")]);
  });

  it("counts a long question once, so that the messages before it are kept if everything fits", () => {
    const earlier = [said("one"), asked("1")];
    const question = said("x".repeat(2000));
    expect(selectWindow(earlier, [question], { rows: 60, tokens: 800 })).toEqual([...earlier, question]);
  });

  it("also counts the tokens of arguments and results", () => {
    const now = [said("q"), asked("", "a"), got("a", "x".repeat(50)), asked("12345", "b"), got("b", "y")];
    // The question has 1 token, the last round 2 + 2 for its call + 1, the round before it 2 + 13.
    expect(selectWindow([], now, { rows: 60, tokens: 21 })).toEqual(now);
    expect(selectWindow([], now, { rows: 60, tokens: 20 })).toEqual([said("q"), asked("12345", "b"), got("b", "y")]);
  });

  it("keeps the newest round however long it is, because otherwise the model would ask for the same again", () => {
    const now = [said("read it"), asked("", "a"), got("a", "old"), asked("", "b"), got("b", "x".repeat(500))];
    expect(selectWindow([said("before")], now, { rows: 60, tokens: 30 })).toEqual([
      said("read it"),
      asked("", "b"),
      got("b", "x".repeat(500)),
    ]);
  });

  it.each([
    ["without a history", []],
    ["after a history for which there is no room", [said("earlier"), asked("so"), said("later"), asked("there")]],
  ])("cuts a turn that is too long between rounds, at a place that stays the same, %s", (_, earlier) => {
    const rounds = Array.from({ length: 5 }, (__, at) => [asked(`round ${at}`, "a"), got("a")]);
    const question = said("?");
    const kept = selectWindow(earlier, [question, ...rounds.flat()], { rows: 9, tokens: 10_000 });
    expect(kept).toEqual([question, ...rounds.slice(2).flat()]);
  });

  it("begins at the same message for many turns, and is always at least two fifths full", () => {
    const history: Message[] = [];
    const numbers = new Map<Message, number>();
    const windows: Message[][] = [];
    for (let turn = 0; turn < 400; turn++) {
      const question = said(`question ${turn}`);
      for (const message of [question, asked(`answer ${turn}`)]) {
        history.push(message);
        numbers.set(message, history.length);
      }
      // No more is read than the window may contain, so the first message that is read differs in each turn.
      const earlier = history.slice(0, -2).slice(-60);
      windows.push(selectWindow(earlier, [question], { rows: 60, tokens: 10_000 }, (one) => numbers.get(one)));
    }
    const full = windows.slice(30);
    const changes = full.filter((window, at) => at > 0 && window[0] !== full[at - 1]?.[0]);
    expect(changes.length).toBeLessThanOrEqual(full.length / 12);
    expect(Math.min(...full.map(({ length }) => length))).toBeGreaterThanOrEqual(24);
    expect(Math.max(...full.map(({ length }) => length))).toBeLessThanOrEqual(60);
  });
});
