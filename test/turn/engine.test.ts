// The engine under random scripts: what models stream, what tools return, who stops the turn and how time passes. A few rules
// apply to all of them.
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { withClosedFence } from "../../src/core/markdown/fences.ts";
import type { StopFlag } from "../../src/core/state/record.ts";
import type { TurnAbort } from "../../src/turn/ports.ts";
import { createTurnHarness, type TurnWorld } from "../support/turn-harness.ts";
import { EFFECT, end, fails, type Pass, reasoning, type Step, text, tool } from "../support/turn-script.ts";

const RUNS = 400;
const STATUSES = ["completed", "error", "timeout", "empty_response", "stopped_by_user", "follow_up_interrupt"];
const MAX = 8;
const MAX_ERRORS = 5;

const words = constantFrom(
  "Hello",
  " world",
  "\n\n",
  "<think>hm</think>",
  "<det",
  "ails>d</details>",
  "```\n<think>",
  "é😀",
  " ",
);
const toolName = constantFrom("read", "write", "flaky", "slow", "goodbye", "peek", "oracle", "");
const someCalls = array(tuple(toolName, constantFrom({}, { note: "a" }, { note: "b" }, '{"broken')), { maxLength: 6 });
const step: Arbitrary<Step> = oneof(
  { weight: 5, arbitrary: words.map(text) },
  words.map(reasoning),
  constant<Step>({ kind: "call_piece" }),
  integer({ min: 1, max: 130_000 }).map((waitMs): Step => ({ waitMs })),
);
const finish: Arbitrary<Step[]> = oneof(
  { weight: 6, arbitrary: someCalls.map((list): Step[] => [end(list)]) },
  { weight: 2, arbitrary: constant<Step[]>([end()]) },
  someCalls.map((list): Step[] => [end(list, "length")]),
  constantFrom("rate_limited", "network", "auth", "context_too_long", "content_blocked").chain((reason) =>
    option(integer({ min: 0, max: 25_000 })).map((ms) => fails(reason as "auth", ms ?? undefined)),
  ),
  constant<Step[]>([{ hang: true }]),
  constant<Step[]>([]),
);
const pass: Arbitrary<Pass> = tuple(array(step, { maxLength: 5 }), finish).map(([steps, last]) => [...steps, ...last]);

/** Mostly random; sometimes a model that always makes the same call, or a different one each time, or says nothing at all. */
const script: Arbitrary<Pass[]> = oneof(
  { weight: 4, arbitrary: array(pass, { maxLength: 10 }) },
  constant(Array.from({ length: 4 }, (): Pass => [end()])),
  constantFrom("read", "write", "flaky").map((name) => Array.from({ length: 10 }, (): Pass => [end([name])])),
  constantFrom("read", "write").map((name) =>
    Array.from({ length: 10 }, (_, round): Pass => [end([[name, { note: `${round}` }]])]),
  ),
);

/** What happens to the turn, and after how long. */
type Act = "stop" | "kill" | "follow_up" | "deadline" | "gone" | "die" | "accept";
const acts = array(
  record({
    afterMs: integer({ min: 0, max: 200_000 }),
    act: constantFrom<Act[]>("accept", "accept", "die", "die", "stop", "kill", "follow_up", "deadline", "gone"),
  }),
  { maxLength: 4 },
);

function tools(w: () => TurnWorld, runs: string[]) {
  const later = (ms: number) => new Promise<void>((resolve) => void w().clock.timers.after(ms, resolve));
  const ran = (name: string) => {
    runs.push(name);
    return { ok: true as const, data: "done" };
  };
  return [
    tool("read", () => ran("read")),
    tool("write", ({ idempotencyKey }) => ran(`write ${idempotencyKey}`), EFFECT),
    tool("flaky", () => ({ ok: false, error: "no" })),
    tool(
      "slow",
      async ({ idempotencyKey }) => {
        await later(20_000);
        return ran(`slow ${idempotencyKey}`);
      },
      EFFECT,
    ),
    tool("goodbye", ({ idempotencyKey }) => ran(`goodbye ${idempotencyKey}`), { ...EFFECT, category: "terminal" }),
    tool("peek", () => ({ ok: true, data: { type: "context_restart_image", enhanced_context_item: { text: "x" } } })),
  ];
}

function perform(w: TurnWorld, act: Act): void {
  const isOver = w.result() !== null;
  switch (act) {
    case "accept":
      w.accept();
      break;
    case "die":
      if (isOver) break;
      w.die();
      w.begin();
      break;
    case "deadline":
    case "gone":
      w.abort({ kind: act } satisfies TurnAbort);
      break;
    case "stop":
    case "kill":
    case "follow_up":
      if (!isOver) w.stop(act satisfies StopFlag["kind"]);
      break;
  }
}

/** A model's iterations come in order, below the limit; one is repeated only after an empty answer or a death. */
function brokenSteps(events: string[]): string[] {
  let next = 0;
  let mayRepeat = false;
  return events.flatMap((event) => {
    if (event.startsWith("attempt")) next = 0;
    if (event === "nothing said" || event.startsWith("life")) mayRepeat = true;
    if (!event.startsWith("pass")) return [];
    const iteration = Number(event.slice("pass ".length));
    const isFine = iteration < MAX && (iteration === next || (mayRepeat && iteration === next - 1));
    next = iteration + 1;
    mayRepeat = false;
    return isFine ? [] : [event];
  });
}

/** Each call of each stored answer has at most one result, and every call has one when the turn ended by itself. */
function unanswered(w: TurnWorld): number {
  const answers = w.channel.messagesInTurn("t1").filter(({ role }) => role === "assistant");
  return answers.flatMap(({ seq, calls }) => {
    const rows = w.channel.ledgerRowsFor(seq).filter(({ result }) => result !== null);
    const positions = rows.map(({ position }) => position);
    expect(new Set(positions).size).toBe(positions.length);
    return calls.filter((call, position) => call !== null && !positions.includes(position));
  }).length;
}

/** The endings that chance produces too rarely: every run of this test reaches each of them once. */
const silent = Array.from({ length: 10 }, (): Pass => [{ hang: true }]);
const refused = Array.from({ length: 10 }, (): Pass => fails("auth"));
const interrupted = (...all: Act[]) => all.map((act) => ({ first: silent, acts: [{ afterMs: 1000, act }] }));
const SELDOM = [
  { first: silent },
  { first: refused, second: refused },
  ...interrupted("stop", "follow_up", "gone", "deadline"),
];
const examples = SELDOM.map((one) => [{ second: silent, acts: [], surface: true, ...one }] satisfies [object]);

const INTERRUPTED = ["stopped", "follow_up", "turn_deadline", "gone", "model_failed"];

describe("a turn with any model script, tool outcomes, stops and passing of time", () => {
  it("ends once, within bounds, with every call answered once, nothing left over and no text lost", async () => {
    const seen = new Set<string>();
    await assert(
      asyncProperty(
        record({ first: script, second: script, acts, surface: boolean() }),
        async ({ first, second, acts, surface }) => {
          const runs: string[] = [];
          const limits = { maxIterations: MAX, maxConsecutiveToolErrors: MAX_ERRORS };
          const filler = Array.from({ length: 60 }, (): Pass => [text("Filler."), end()]);
          const w: TurnWorld = createTurnHarness({
            models: [
              [...first, ...filler],
              [...second, ...filler],
            ],
            tools: tools(() => w, runs),
            limits,
            surface,
          });
          w.begin();
          for (const { afterMs, act } of acts) {
            await w.clock.advance(afterMs);
            perform(w, act);
          }
          // An abandoned tool may still run for a moment.
          for (let rest = 0; rest < 40 && (w.result() === null || w.clock.pending() > 0); rest++)
            await w.clock.advance(300_000);

          const result = w.result();
          if (result?.kind !== "ended") throw new Error(`not ended: ${JSON.stringify(result)}`);
          seen.add(result.ending.kind);
          expect([w.clock.pending(), w.faults, STATUSES.includes(result.status)]).toEqual([0, [], true]);

          expect(brokenSteps(w.events)).toEqual([]);

          // Every call has exactly one result; after a stop the others get the neutral one.
          const open = unanswered(w);
          if (!INTERRUPTED.includes(result.ending.kind)) expect(open).toBe(0);

          // No effect happens twice: its key names the call.
          const effects = runs.filter((run) => run !== "read");
          expect(new Set(effects).size).toBe(effects.length);

          // The delivered text is the last shown text, unless a stop took back text that no one had seen. Stored text has its code closed.
          const shows = w.events.filter((event) => event.startsWith("show"));
          const last = shows.at(-1)?.match(/^show ("(?:[^"\\]|\\.)*")/)?.[1] ?? '""';
          const isCut = ["stopped", "follow_up", "gone", "crashed"].includes(result.ending.kind);
          const wasTakenOver = w.turn().takeovers > 0;
          if (!isCut && !wasTakenOver) expect(withClosedFence(result.text)).toBe(withClosedFence(JSON.parse(last)));
          expect(result.ending.kind).not.toBe("crashed");

          if (!surface) expect(w.events.filter((event) => event.includes("-#"))).toEqual([]);
        },
      ),
      { numRuns: RUNS, examples },
    );
    expect([...seen].sort()).toEqual(
      [
        "call_loop",
        "completed",
        "empty",
        "follow_up",
        "gone",
        "iteration_limit",
        "model_failed",
        "model_silent",
        "stopped",
        "tool_errors",
        "turn_deadline",
      ].sort(),
    );
  });
});
