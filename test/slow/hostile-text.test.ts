// The worst texts of models and remote servers, through the code that searches them with regular expressions and joins. Nothing
// counts their steps; the test bounds the computing time so that only quadratic work exceeds it.
import { expect, it } from "vitest";
import { isClosingLike } from "../../src/core/markdown/fences.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import { decodeBase64 } from "../../src/core/transcript/base64.ts";
import { cleanName } from "../../src/core/transcript/names.ts";
import { findSummaryFault } from "../../src/core/transcript/new-summary.ts";
import { createReasoningTagParser } from "../../src/core/transcript/reasoning-tags.ts";
import { readOutcome } from "../../src/mcp/call-result.ts";
import { type CallPiece, joinCalls } from "../../src/model/call-pieces.ts";
import { createCheck } from "../../src/toolkit/define/check-value.ts";
import { readParts } from "../../src/toolkit/define/schema-references.ts";
import type { JsonSchema } from "../../src/toolkit/define/tool.ts";
import { costOf } from "../support/cpu-time.ts";

const MOST_MS = 1000;
const CHARS = 60_000;

const run = (piece: string): string => piece.repeat(CHARS);
const piece = (index: number, id: string, name: string, args: string): CallPiece => ({
  index,
  id,
  function: { name, arguments: args },
});
const count = (to: number): number[] => Array.from({ length: to }, (_, at) => at);
const check = (schema: JsonSchema, value: unknown) => createCheck(readParts(schema).pointedBy, false)(schema, value);
const pieces = (count: number, make: (at: number) => CallPiece[]): CallPiece[] =>
  Array.from({ length: count }, (_, at) => make(at)).flat();

it.each<[string, () => unknown, unknown]>([
  [
    "an unseen link with a long row of dots in it",
    () => withoutUnseenLinks(`https://a${run(".")}a`, new Set()).length,
    CHARS + 4,
  ],
  ["code of many lines", () => withoutUnseenLinks(`https://a ${run("\n```")}`, new Set()).length, 4 * CHARS + 3],
  ["much code", () => withoutUnseenLinks(run("`a` "), new Set()).length, 4 * CHARS],
  [
    "backticks without an end",
    () => withoutUnseenLinks(`https://a ${run("````a\n")}`, new Set()).length,
    6 * CHARS + 3,
  ],
  ["a line of code with blanks at its beginning", () => isClosingLike(`${run(" ")}x`), false],
  [
    "an answer of ends of reasoning after words",
    () => createReasoningTagParser().push(run("x</think>")).text.length,
    9 * CHARS,
  ],
  ["a name of signs without a letter", () => cleanName(run("-")), "-".repeat(32)],
  ["data of equals signs that is not Base64", () => decodeBase64(`${run("=")}a`), null],
  [
    "a resource whose address is question marks",
    () =>
      readOutcome({ content: [{ type: "resource", resource: { uri: `a/b${run("?")}\n`, blob: "AAAA" } }] }).files?.[0]
        ?.name,
    "b",
  ],
  ["a summary that begins with line ends", () => findSummaryFault(`${run("\n")}x`, CHARS), null],
  [
    "a call whose server repeats the name with each piece",
    () => joinCalls([piece(0, "a", "f", '{"a":"'), ...pieces(CHARS, () => [piece(0, "", "f", "xx")])]).calls.length,
    1,
  ],
  [
    "a call that continues between others",
    () => joinCalls(pieces(CHARS / 2, (at) => [piece(0, `${at}`, "g", ""), piece(7, "", "", "x")])).calls.length,
    CHARS / 2,
  ],
  [
    "arguments whose index and id are new with each piece",
    () => joinCalls(pieces(CHARS, (at) => [piece(at, `${at}`, "", "{}")])).calls.length,
    CHARS,
  ],
  [
    "calls whose ids leave no number free",
    () => joinCalls(pieces(CHARS / 2, (at) => [piece(0, `a-${at}`, "f", ""), piece(0, "a", "f", "")])).calls.length,
    CHARS,
  ],
  [
    "a list of objects of which none may occur twice",
    () =>
      check(
        { uniqueItems: true },
        count(CHARS).map((a) => ({ a })),
      ).length,
    0,
  ],
  [
    "a list of objects of which each must be one of many",
    () =>
      check(
        { items: { enum: count(CHARS / 10).map((a) => ({ a })) } },
        count(CHARS / 10).map((a) => ({ a })),
      ).length,
    0,
  ],
])("%s is read in seconds", async (_what, read, expected) => {
  const { result, ms } = await costOf(read);
  expect(result).toBe(expected);
  expect(ms).toBeLessThan(MOST_MS);
});
