// The benchmark of the tests breaks what it says it breaks.
import { describe, expect, it } from "vitest";
import { coveringTests } from "./covering.ts";
import { broken, describeSite, findSites } from "./sites.ts";

describe("the operators of a file", () => {
  it("are found in order, outside types, texts and comments", () => {
    const text = [
      'const über: number = a /* < */ < b ? 1 : 2; // a < b, "ü"',
      "type Small<T> = T extends 1 ? true : false;",
      'if (!c && d === (y ?? "&&")) e += f++;',
    ].join("\n");
    const sites = findSites("a.ts", text);
    expect(sites.map(describeSite)).toEqual([
      "a.ts:1 < → <=",
      "a.ts:3 ! → nothing",
      "a.ts:3 && → ||",
      "a.ts:3 === → !==",
      "a.ts:3 ?? → &&",
      "a.ts:3 += → -=",
      "a.ts:3 ++ → --",
    ]);
    expect(sites.map((site) => broken(text, site).split("\n")[site.line - 1])).toEqual([
      'const über: number = a /* < */ <= b ? 1 : 2; // a < b, "ü"',
      'if (c && d === (y ?? "&&")) e += f++;',
      'if (!c || d === (y ?? "&&")) e += f++;',
      'if (!c && d !== (y ?? "&&")) e += f++;',
      'if (!c && d === (y && "&&")) e += f++;',
      'if (!c && d === (y ?? "&&")) e -= f++;',
      'if (!c && d === (y ?? "&&")) e += f--;',
    ]);
  });
});

describe("the tests that cover a file", () => {
  it("are those of the quick lane that reach it: the one with its name first, then its mirror's and the nearest", () => {
    const graph = new Map([
      ["src/b.ts", ["src/room/a.ts"]],
      ["test/far.test.ts", ["src/b.ts"]],
      ["test/near.test.ts", ["src/room/a.ts"]],
      ["test/room/b.test.ts", ["src/b.ts"]],
      ["test/room/a.test.ts", ["src/b.ts"]],
      ["test/other.test.ts", ["src/c.ts"]],
      ["test/slow/slow.test.ts", ["src/room/a.ts"]],
    ]);
    expect(coveringTests(graph, "src/room/a.ts")).toEqual([
      "test/room/a.test.ts",
      "test/room/b.test.ts",
      "test/near.test.ts",
      "test/far.test.ts",
    ]);
  });
});
