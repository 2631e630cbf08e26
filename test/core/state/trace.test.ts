// The trace of a turn: what happened when, in one message, and the list of turns to choose from.
import { describe, expect, it } from "vitest";
import { traceChoiceText, traceText } from "../../../src/core/copy/trace.ts";
import { newTurn, type TurnRecord } from "../../../src/core/state/record.ts";
import { buildTrace, buildTraceChoice } from "../../../src/core/state/trace.ts";
import { MAX_EVENTS, withEvent } from "../../../src/core/state/turn-events.ts";
import { testRequest } from "../../support/store-contract.ts";

const at = 1_700_000_000_000;
const turn = (changes: Partial<TurnRecord> = {}): TurnRecord => ({
  ...newTurn(testRequest("77", "10"), "finished", 0, at),
  id: "77",
  ...changes,
});

describe("a trace", () => {
  it("shows what happened when, from admission on, with wait, duration and tokens", () => {
    const report = buildTrace(
      turn({
        status: "completed",
        startedAt: at + 1500,
        endedAt: at + 4000,
        usage: { modelCalls: 2, inputTokens: 120, outputTokens: 30 },
        events: [
          { at, what: "admitted", detail: "back" },
          { at: at + 1500, what: "started" },
          { at: at + 3000, what: "tool", detail: 'roll_dice {"sides":6}: ok, 3 ms' },
          { at: at + 4000, what: "ended", detail: "completed" },
        ],
      }),
    );
    expect(traceText(report, at + 9000).split("\n")).toEqual([
      "**Turn 77** for <@10>: completed, ran 2.50 s, waited 1.50 s",
      "```",
      "+  0.00 s  admitted: back",
      "+  1.50 s  started",
      '+  3.00 s  tool: roll_dice {"sides":6}: ok, 3 ms',
      "+  4.00 s  ended: completed",
      "```",
      "-# 2 model calls, 120 tokens read, 30 written",
    ]);
  });

  it("is in the order of time: a retry is stored with the step after it", () => {
    const events = [
      { at, what: "admitted" },
      { at: at + 2180, what: "sent" },
      { at: at + 47, what: "retry" },
      { at: at + 2180, what: "delivered" },
    ];
    const text = traceText(buildTrace(turn({ events })), at);
    expect(text.match(/admitted|sent|retry|delivered/g)).toEqual(["admitted", "retry", "sent", "delivered"]);
  });

  it("measures a running turn up to now", () => {
    const report = buildTrace(turn({ state: "running", startedAt: at }));
    expect(traceText(report, at + 90_000)).toContain("running, ran 1.5 min");
  });

  it("keeps its beginning and end when it is long, and fits in one message", () => {
    let { events } = turn();
    for (let n = 0; n < MAX_EVENTS * 2; n++)
      events = withEvent(events, { at: at + n, what: "tool", detail: `${n} ${"x".repeat(300)}` });
    const text = traceText(buildTrace(turn({ events })), at);
    expect([...text].length).toBeLessThanOrEqual(2000);
    expect(text).toContain("tool: 0 x");
    expect(text).toContain(`tool: ${MAX_EVENTS * 2 - 1} x`);
    const lines = text.split("\n");
    const gap = lines.findIndex((line) => /^… \d+ more …$/.test(line));
    // Where an odd number fits, one more of the beginning stays. Around them stand two lines on each side.
    expect([gap - 2, lines.length - gap - 3]).toEqual([5, 4]);
  });

  it("says how many entries of its middle are gone", () => {
    let { events } = turn();
    for (let n = 0; n < MAX_EVENTS * 2; n++) events = withEvent(events, { at: at + n, what: "tool", detail: `${n}` });
    const kept = events.flatMap(({ what, detail }) => (what === "tool" ? [Number(detail)] : []));
    expect([events.length, kept]).toEqual([MAX_EVENTS, [...Array(120).keys()].filter((n) => n < 20 || n > 80)]);
    expect(traceText(buildTrace(turn({ events })), at)).toContain("entries left out: 61\n+  0.08 s  tool: 81");
  });

  it("cannot be escaped by text from a model or a person", () => {
    const events = [{ at, what: "tool", detail: 'say {"text":"```\n@everyone"}: ok' }];
    const fences = traceText(buildTrace(turn({ events })), at).match(/```/g);
    expect(fences).toHaveLength(2);
  });

  it("shows a provider's own words to moderators only", () => {
    const words = `status 402, code insufficient_quota: ${"Pay. ".repeat(60)}`;
    const events = [{ at, what: "model", detail: "small, no_credit, 90 ms", forModerators: words }];
    const report = buildTrace(turn({ events }));
    expect(traceText(report, at)).not.toContain("Pay");
    expect(traceText(report, at, true).split("\n").slice(2, 4)).toEqual([
      "+  0.00 s  model: small, no_credit, 90 ms",
      `           ${words}`,
    ]);
    const long = [{ at, what: "model", forModerators: "```\n@everyone 😀".repeat(100) }];
    const text = traceText(buildTrace(turn({ events: long })), at, true);
    expect([text.match(/```/g)?.length, text.isWellFormed(), text.length < 2000]).toEqual([2, true, true]);
  });

  it("says that no turn was found", () => {
    expect(traceText(null, at)).toContain("no such turn");
  });
});

it("a turn is offered in at most a hundred characters, including how it ended", () => {
  const asked = turn({
    status: "stopped_by_user",
    request: { ...testRequest("77", "10"), userName: "Mira", text: "tell\nme ".repeat(40) },
  });
  const text = traceChoiceText(buildTraceChoice(asked));
  expect([text.length <= 100, text.startsWith("Mira: tell me tell"), text.endsWith("(stopped by user)")]).toEqual([
    true,
    true,
    true,
  ]);
});
