// A file with switches does what the original file does, and with one operator broken what the broken file does.
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { broken, findSites } from "./sites.ts";
import { breakOperators, DIFFERS, REACHED, ranAway, record, SWITCHES, stopRecording } from "./switchboard.ts";
import { withSwitches } from "./switches.ts";

const VALUES: readonly unknown[] = [0, 1, 2, -1, "", "a", null, undefined, true, false];

const functionOf = (body: string) => `async (a, b) => { ${body} }`;

/** The result of a function for these values; an error counts as its name. */
async function run(program: string, a: unknown, b: unknown): Promise<unknown> {
  const compiled: (of: typeof SWITCHES) => (a: unknown, b: unknown) => Promise<unknown> = Object(
    new Function("__m", `return ${stripTypeScriptTypes(program)}`),
  );
  try {
    return await compiled(SWITCHES)(a, b);
  } catch (error) {
    return (error as Error).name;
  }
}

describe("a program with switches", () => {
  it.each([
    "return a < b || a >= b;",
    "return [a <= b, a > b, a === b, a !== b, a + b, a - b, a * b, a / b, a % b];",
    "return (a && b) ?? (a || b);",
    "return a ?? (b && !a);",
    "return !!a || !(a && b);",
    "let n = a; n += b; n -= 1; n ??= b; n ||= 3; n &&= [n]; return n;",
    "const list = [1, 2, 3]; let n = 1; list[n + 1]++; --list[n - 1]; return [list, n++, ++n];",
    "let out = ''; for (let i = 3; i > 0 && out.length < 9; i -= 1) { out += i; } return out;",
    "return (await a) && (await b) + (await 1);",
    "const f = (x = a ?? 1, { y = b || 2 } = {}) => x === y; return f();",
    "return [...(function* () { const c = (yield a && b) ?? 5; yield c; })()];",
    "return /* a < b */ a // && c\n && b;",
    "return (typeof a === 'string' ? (a as string) : b!) === b;",
  ])("does the same: %s", async (body) => {
    const program = functionOf(body);
    const sites = findSites("a.ts", program);
    const switched = withSwitches("a.ts", program, 0);
    for (const a of VALUES)
      for (const b of VALUES) {
        breakOperators([]);
        expect(await run(switched, a, b)).toEqual(await run(program, a, b));
        for (const [number, site] of sites.entries()) {
          // A loop that no longer ends is tested separately.
          if (program.includes("for (") && site.operator === "-=") continue;
          breakOperators([number], 1000);
          expect([site, await run(switched, a, b)]).toEqual([site, await run(broken(program, site), a, b)]);
        }
      }
  });

  it("numbers its operators from the first number on, in order", () => {
    expect(withSwitches("a.ts", "x(a < b && !c)", 7)).toBe("x((__m.and(8,__m.lt(7,a , b) )? __m.not(9,c):__m.left))");
  });

  it("ends a loop that calls switches too often", async () => {
    const program = withSwitches("a.ts", functionOf("for (let i = 0; i < 9; i++) {} return 1;"), 0);
    breakOperators([1], 1000);
    expect(await run(program, 0, 0)).toBe("Error");
    expect(ranAway()).toBe(true);
  });

  it("records what ran, and where the counterpart would have given a different result", async () => {
    const program = withSwitches("a.ts", functionOf("return a < b ? a + b : a - b;"), 0);
    breakOperators([]);
    const marksOf = async (a: number, b: number) => {
      record(3);
      await run(program, a, b);
      return [...stopRecording().marks];
    };
    expect(await marksOf(1, 2)).toEqual([REACHED, DIFFERS, 0]);
    expect(await marksOf(2, 2)).toEqual([DIFFERS, 0, DIFFERS]);
    expect(await marksOf(-1, 0)).toEqual([REACHED, REACHED, 0]);
  });
});
