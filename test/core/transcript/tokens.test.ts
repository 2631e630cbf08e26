// Estimated tokens: four letters for one, and each character of a wide script for itself.
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
