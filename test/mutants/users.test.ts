// Which tests are asked about a constant that is computed when its file is loaded: first those that run what uses it.
import { expect, it } from "vitest";
import { toBits } from "./bits.ts";
import { recordedLane } from "./recorded-lane.ts";
import { findSites } from "./sites.ts";
import { findUsers } from "./users.ts";

const TEXTS: Record<string, string> = {
  "hold.ts": [
    "const HOLD_MS = 5 * 60;",
    "const LONGEST = {",
    "  paused: 2 * 60,",
    "};",
    "export const until = (now: number, dueAt: number) =>",
    "  now + Math.min(",
    "    Math.max(now - dueAt, HOLD_MS), LONGEST.paused);",
    "export const isLate = (now: number) => now > 7;",
  ].join("\n"),
  "other.ts": "export const isLong = (ms: number) => ms > HOLD_MS_TOO;",
  "limits.ts": "export const GAP_MS = 2 * 600;",
  "pace.ts": "const next = (at: number, isSoon: boolean) => (isSoon && at < 1 ? wait(GAP_MS) : at + GAP_MS);",
};
const sites = Object.entries(TEXTS).flatMap(([file, text]) => findSites(file, text));
const at = (file: string, operator: string, line: number) =>
  sites.findIndex((site) => site.file === file && site.operator === operator && site.line === line);
const usersOf = findUsers({ sites }, (file) => TEXTS[file] ?? "");

it("an expression that names the constant uses it; after that, anything else in a file with such an expression", () => {
  const [plus, isLate] = [at("hold.ts", "+", 6), at("hold.ts", ">", 8)];
  const [held, minus] = [at("hold.ts", "*", 1), at("hold.ts", "-", 7)];
  const longest = at("hold.ts", "*", 3);
  expect(usersOf(held)).toEqual([[plus], [longest, minus, isLate]]);
  expect(usersOf(longest)).toEqual([[plus], [held, minus, isLate]]);
  expect(usersOf(at("limits.ts", "*", 1))).toEqual([
    [at("pace.ts", "+", 1)],
    [at("pace.ts", "&&", 1), at("pace.ts", "<", 1)],
  ]);
  expect(usersOf(sites.length)).toEqual([[], []]);
});

it("a distant test that runs what uses the constant is asked before those of the nearest files", () => {
  const bits = (...some: number[]) => toBits(Uint8Array.from(sites.keys(), (site) => Number(some.includes(site))));
  const constant = at("hold.ts", "*", 1);
  const record = (file: string, ms: number, once: string, ...differs: number[]) => ({
    file,
    once,
    reached: bits(...differs),
    tests: [{ name: "does", ms, calls: 1, ended: "passed", again: "passed", differs: bits(...differs) } as const],
  });
  const near = Array.from({ length: 12 }, (_, index) => record(`near-${index}.test.ts`, 1, bits()));
  const [expression = -1] = usersOf(constant)[0];
  const lane = recordedLane([
    ...near,
    record("far-in-file.test.ts", 1, bits(), at("hold.ts", ">", 8)),
    record("far-slow.test.ts", 900, bits(), expression),
    record("far-quick.test.ts", 2, bits(constant), expression),
  ]);
  const covering = [...near.map(({ file }) => file), "far-in-file.test.ts", "far-slow.test.ts", "far-quick.test.ts"];
  const files = lane.freshTestsOf(constant, covering, usersOf).map(({ file }) => file);
  expect(files.slice(0, 4)).toEqual(["far-quick.test.ts", "far-slow.test.ts", "far-in-file.test.ts", "near-0.test.ts"]);
  expect(files).toHaveLength(3 + 10);
});
