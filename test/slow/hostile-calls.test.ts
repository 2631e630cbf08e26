// The arguments and text tool calls that a model may send, at their largest, through the packages that read and repair them. They are
// not ours, so nothing counts their steps; the bound of time is one that only the work of the text's square exceeds.
import { expect, it } from "vitest";
import { readArguments } from "../../src/toolkit/intake/arguments.ts";
import { MAX_ARGUMENT_BYTES } from "../../src/toolkit/read-json.ts";
import { parseFallbackReply } from "../../src/toolkit/text-calls/fallback-parser.ts";

const MOST_MS = 3000;
const PIECES = [
  '{"a":',
  "{a:",
  '"" ',
  '"a" "b"',
  ", ",
  "[ ",
  "{ ",
  "a ",
  "0",
  "-0",
  ".",
  "{}",
  '"a\\',
  "/*",
  "//\n",
  "'",
  "“",
  "`",
  "\\",
];
const REPLY_CHARS = 256 * 1024;

it.each(PIECES)("arguments of %j are read or refused in seconds", (piece) => {
  const startedAt = performance.now();
  for (const [before, after] of [
    ["{", "}"],
    ['{"a":', "x}"],
    ["{a ", ""],
  ]) {
    const room = MAX_ARGUMENT_BYTES - 100;
    const text = before + piece.repeat(Math.floor(room / new TextEncoder().encode(piece).length)) + after;
    readArguments(text, { mayRepair: true, parameters: new Set() });
  }
  expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
});

it.each(["\n{", '\n{"tool":"x"', "<tool_call>", "<tool_call></tool_call>", "```\n", " \n", "`"])(
  "a reply of %j is read in seconds",
  (piece) => {
    const startedAt = performance.now();
    parseFallbackReply(`x${piece.repeat(Math.floor(REPLY_CHARS / piece.length))}`);
    expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
  },
);
