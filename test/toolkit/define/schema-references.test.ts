// The references of a foreign schema: how deep and how large it may become through them.
import { describe, expect, it } from "vitest";
import { referenceFault } from "../../../src/toolkit/define/schema-references.ts";
import type { JsonSchema } from "../../../src/toolkit/define/tool.ts";

/** This many parts, each within the one before. */
const nested = (levels: number, last: JsonSchema = {}): JsonSchema =>
  Array.from({ length: levels }).reduce<JsonSchema>((inner) => ({ not: inner }), last);

describe("a schema", () => {
  it.each([
    [99, null],
    [100, null],
    [101, "it is too deep"],
    // Too deep to be copied.
    [5000, "it is too deep"],
  ])("may have a hundred levels, and with %i: %s", (levels, fault) => {
    expect(referenceFault(nested(levels))).toBe(fault);
  });

  it.each([
    [37, null],
    [38, null],
    [39, "it is too deep"],
  ])("may have as many including those of a part that it refers to, here at level %i: %s", (levels, fault) => {
    // Sixty levels, below the two of what refers to it.
    const part = nested(59);
    const schema = { $defs: { part }, ...nested(levels, { not: { $ref: "#/$defs/part" } }) };
    expect(referenceFault(schema)).toBe(fault);
  });

  it.each([
    [4999, null],
    [5000, null],
    [5001, "its references make it too large"],
  ])("may have five thousand parts, and with %i: %s", (parts, fault) => {
    // The schema itself and its list are two of them.
    expect(referenceFault({ allOf: Array.from({ length: parts - 2 }, () => ({})) })).toBe(fault);
  });
});
