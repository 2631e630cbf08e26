// The trace of a turn: what happened when, in one message, and the list of turns to choose from.
import { describe, expect, it } from "vitest";
import { traceChoiceText, traceText } from "../../../src/core/copy/trace.ts";
import { buildTrace, buildTraceChoice } from "../../../src/core/decisions/trace.ts";
import { newTurn, type TurnRecord } from "../../../src/core/state/record.ts";
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

  it("says so if a model without a known price took part", () => {
    const usage = { modelCalls: 2, inputTokens: 120, outputTokens: 30, microUsd: 6200 };
    const last = (of: object) =>
      traceText(buildTrace(turn({ usage: { ...usage, ...of } })), at)
        .split("\n")
        .at(-1);
    expect(last({ unpriced: 50 })).toBe("-# 2 model calls, 120 tokens read, 30 written, $0.0062 and more");
    expect(last({})).toBe("-# 2 model calls, 120 tokens read, 30 written, $0.0062");
  });

  it("is in order of time, because a retry is stored with the step after it", () => {
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
    expect(traceText(report, at + 59_990)).toContain("ran 59.99 s");
    expect(traceText(report, at + 60_000)).toContain("ran 1.0 min");
  });

  it("of a turn that has not begun, or never did, says how long it waited and not that it ran", () => {
    const queued = buildTrace(turn({ state: "queued" }));
    expect(traceText(queued, at + 3000).split("\n")[0]).toBe("**Turn 77** for <@10>: queued, waited 3.00 s");
    const cleared = buildTrace(turn({ status: "cleared", endedAt: at + 4000 }));
    expect(traceText(cleared, at + 9000).split("\n")[0]).toBe("**Turn 77** for <@10>: cleared, waited 4.00 s");
  });

  it("keeps its beginning and end if it is long, and fits in one message", () => {
    let { events } = turn();
    for (let n = 0; n < MAX_EVENTS * 2; n++)
      events = withEvent(events, { at: at + n, what: "tool", detail: `${n} ${"x".repeat(300)}` });
    const text = traceText(buildTrace(turn({ events })), at);
    expect([...text].length).toBeLessThanOrEqual(2000);
    expect(text).toContain("tool: 0 x");
    expect(text).toContain(`tool: ${MAX_EVENTS * 2 - 1} x`);
    const lines = text.split("\n");
    const gap = lines.findIndex((line) => /^… \d+ more …$/.test(line));
    // If an odd number fits, the beginning keeps one more line. Around the events are two lines on each side.
    expect([gap - 2, lines.length - gap - 3]).toEqual([5, 4]);
  });

  /** The numbers of the lines that remain in a trace whose lines have these lengths. */
  const tracedLines = (lengths: readonly number[]) => {
    const events = lengths.map((length, n) => ({ at, what: "tool", detail: `${n} `.padEnd(length - 17, "x") }));
    const lines = traceText(buildTrace(turn({ events })), at)
      .split("\n")
      .slice(2, -2);
    return lines.map((line) => /tool: (\d+)|… \d+ more …/.exec(line)).map((match) => match?.[1] ?? match?.[0]);
  };
  const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(from + n));

  it("is complete up to 1,600 characters; if it is longer, it has at most 1,580 plus the gap", () => {
    expect(tracedLines(Array(10).fill(159))).toEqual(numbers(10));
    expect(tracedLines([...Array(9).fill(159), 160])).toEqual([...numbers(5), "… 1 more …", ...numbers(4, 6)]);
    expect(tracedLines(Array(11).fill(157))).toEqual([...numbers(5), "… 1 more …", ...numbers(5, 6)]);
  });

  it("takes lines from its beginning and its end in turn, as long as the next one fits", () => {
    const lengths = [...Array(12).fill(19), ...Array(10).fill(159)];
    expect(tracedLines(lengths)).toEqual([...numbers(9), "… 5 more …", ...numbers(8, 14)]);
  });

  it("shows 160 characters of an entry", () => {
    const ended = (length: number) => {
      const events = [{ at, what: "tool", detail: "x".repeat(length - 17) }];
      return traceText(buildTrace(turn({ events })), at).split("\n")[2];
    };
    const whole = `+  0.00 s  tool: ${"x".repeat(143)}`;
    expect([ended(160), ended(161)]).toEqual([whole, `${whole}…`]);
  });

  it("says how many entries are missing from the middle", () => {
    let { events } = turn();
    for (let n = 0; n < MAX_EVENTS * 2; n++) events = withEvent(events, { at: at + n, what: "tool", detail: `${n}` });
    const kept = events.flatMap(({ what, detail }) => (what === "tool" ? [Number(detail)] : []));
    expect([events.length, kept]).toEqual([MAX_EVENTS, [...Array(120).keys()].filter((n) => n < 20 || n > 80)]);
    expect(traceText(buildTrace(turn({ events })), at)).toContain("entries left out: 61\n+  0.08 s  tool: 81");
  });

  it("can't be broken by text from a model or a person", () => {
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

it.each([
  ["Mira", `Mira: ${"tell me ".repeat(8).slice(0, 60)} (stopped by user)`],
  ["M".repeat(32), `${"M".repeat(32)}: ${"tell me ".repeat(6)} (stopped by user)`],
])("a turn of %s is offered in at most a hundred characters, including how it ended", (userName, choice) => {
  const request = { ...testRequest("77", "10"), userName, text: "tell\nme ".repeat(40) };
  expect(traceChoiceText(buildTraceChoice(turn({ status: "stopped_by_user", request })))).toBe(choice);
});
