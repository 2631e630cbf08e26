// Names of remote tools: valid for every model, unique, and the same whatever order a server lists them in.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesFor } from "../../src/mcp/tool-names.ts";

const NONE: ReadonlySet<string> = new Set();
const named = (tools: string[], taken = NONE) => Object.fromEntries(namesFor("it", tools, taken));

describe("a remote tool's name", () => {
  it("begins with its server's name and has no character that models refuse", () => {
    expect(named(["look", "read/file", "a.b:c d", "\u00fcber-all"])).toEqual({
      look: "it_look",
      "read/file": "it_read_file",
      "a.b:c d": "it_a_b_c_d",
      "\u00fcber-all": "it__ber-all",
    });
  });

  it("gets a number if another remote tool or one of the product's own already has it", () => {
    expect(named(["a.b", "a/b", "a_b"])).toEqual({ "a.b": "it_a_b", "a/b": "it_a_b_2", a_b: "it_a_b_3" });
    expect(named(["look"], new Set(["it_look", "it_look_2"]))).toEqual({ look: "it_look_3" });
  });

  it("is cut to the length that models accept, and stays unique", () => {
    const [a, b] = [`${"x".repeat(100)}a`, `${"x".repeat(100)}b`];
    expect(named([a, b])).toEqual({ [a]: `it_${"x".repeat(61)}`, [b]: `it_${"x".repeat(59)}_2` });
  });

  it("is valid, unique and the same in any order, for any names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 128 }), { maxLength: 20 }), (tools) => {
        const names = namesFor("it", tools, NONE);
        expect(namesFor("it", tools.toReversed(), NONE)).toEqual(names);
        expect([...names.values()].filter((name) => !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toEqual([]);
        expect([names.size, new Set(names.values()).size]).toEqual([tools.length, tools.length]);
      }),
    );
  });
});
