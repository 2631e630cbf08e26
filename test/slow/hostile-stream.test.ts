// An answer of 200,000 one-character pieces through everything between the model and the reply. How often the engine copies a growing
// text can't be counted, so the test bounds the computing time, which quadratic work exceeds many times over.
import { expect, it } from "vitest";
import type { ModelEvent, ReplyView } from "../../src/turn/ports.ts";
import { createSaid } from "../../src/turn/said.ts";
import { streamOnce } from "../../src/turn/stream-once.ts";
import { createTestClock } from "../support/clock.ts";
import { costOf } from "../support/cpu-time.ts";

const PIECES = 200_000;
const MOST_MS = 6000;

it.each([
  ["letters", "x"],
  ["blanks", " "],
  ["line ends after a word", "\n", "x"],
  ["less-than signs", "<"],
  ["braces", "{"],
  ["ticks", "`"],
])("an answer of 200,000 pieces that are %s is streamed in seconds", async (_what, piece, first = "") => {
  const clock = createTestClock(0);
  async function* stream(): AsyncGenerator<ModelEvent> {
    if (first) yield { kind: "text", text: first };
    for (let sent = 0; sent < PIECES; sent++) yield { kind: "text", text: piece };
    yield { kind: "end", finishReason: "stop", calls: [], usage: null };
  }
  let last: ReplyView | null = null;
  const said = createSaid([], {
    show(view) {
      last = view;
    },
  });
  const params = {
    model: { name: "m", toolMode: "fallback" as const, stream },
    timers: clock.timers,
    clock: clock.now,
    limits: { firstTokenTimeoutMs: 60_000, streamTimeoutMs: 60_000 },
    signal: new AbortController().signal,
    stopFlag: () => null,
    ownName: "Parley",
    toolNames: ["roll_dice"],
    onText: said.stream,
  };
  const { result, ms } = await costOf(() => streamOnce(params, { system: "", messages: [], tools: [] }));
  const text = first + piece.repeat(PIECES);
  expect(result.accumulatedText).toBe(text);
  expect(last).toEqual({ text: text.trim() && text, line: null });
  expect(ms).toBeLessThan(MOST_MS);
});
