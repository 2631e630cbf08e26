// Estimated tokens: one for four letters, and one for each character of a wide script.
import { expect, it } from "vitest";
import { estimateTokens } from "../../../src/core/transcript/tokens.ts";

it.each([
  ["", 0],
  ["abcd", 1],
  ["abcde", 2],
  ["日本ab", 3],
  ["\u2e7f".repeat(4), 1],
  ["\u2e80".repeat(4), 4],
])("%j has %i", (text, tokens) => expect(estimateTokens(text)).toBe(tokens));
