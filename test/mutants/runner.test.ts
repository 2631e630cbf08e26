// The runner that replaces vitest's: it runs the same hooks in the same order, as often as it is asked.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.ts";
import * as runner from "./runner.ts";

const ran: string[] = [];
const note = (what: string) => () => {
  ran.push(what);
};

const tests = await runner.collect("a.test.ts", async () => {
  runner.beforeAll(note("file begins"));
  runner.afterAll(note("file ends"));
  runner.beforeEach(() => note("ends what the hook began"));
  runner.describe("a suite", () => {
    runner.beforeAll(note("suite begins"));
    runner.afterEach(note("after"));
    runner.afterAll(note("suite ends"));
    const rows = [
      [1, "one"],
      [2, "two"],
    ];
    runner.it.each(rows)("has %i as %s", (number: number, word: string) => note(`${number} ${word}`)());
    runner.it.for(rows.slice(1))("keeps %i and %s", ([number, word]: unknown[]) => note(`${number} and ${word}`)());
  });
  runner.describe.each([{ name: "x" }])("a suite of $name", ({ name }: { name: string }) => {
    runner.it("has its row", { timeout: 1 }, () => {
      runner.onTestFinished(note("ends what the test began"));
      note(name)();
    });
  });
  runner.it("fails", () => Promise.reject(new Error("no")));
});

it("names tests as vitest does", () => {
  expect(tests.map(({ name }) => name)).toEqual([
    "a suite > has 1 as one",
    "a suite > has 2 as two",
    "a suite > keeps 2 and two",
    "a suite of x > has its row",
    "fails",
  ]);
});

it("opens a suite for its first test, and ends it before a test of another", async () => {
  const run = runner.startRun();
  for (const test of tests.slice(0, 4)) await run.run(test);
  await run.end();
  expect(ran.splice(0)).toEqual([
    "file begins",
    "suite begins",
    "1 one",
    "after",
    "ends what the hook began",
    "2 two",
    "after",
    "ends what the hook began",
    "2 and two",
    "after",
    "ends what the hook began",
    "suite ends",
    "x",
    "ends what the hook began",
    "ends what the test began",
    "file ends",
  ]);
});

it("reports a failure, and ends what the test had begun", async () => {
  const run = runner.startRun();
  const [failing] = tests.slice(-1);
  if (!failing) throw new Error("no test");
  await expect(run.run(failing)).rejects.toThrow("no");
  await run.end();
  expect(ran.splice(0)).toEqual(["file begins", "ends what the hook began", "file ends"]);
});

const sources = globSync("test/**/*.ts", { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), "utf8"));

it("also checks expectations outside vitest's tests: by polling, and softly", async () => {
  let asked = 0;
  const expectHere = runner.expect as typeof expect;
  await expectHere.poll(() => ++asked, { interval: 1 }).not.toBeLessThan(3);
  expect(asked).toBe(3);
  await expect(expectHere.poll(() => 1, { timeout: 5, interval: 1 }).toBe(2)).rejects.toThrow("expected 1 to be 2");
  expect(() => expectHere.soft(1, "one").toBe(2)).toThrow("one: expected 1 to be 2");
});

it("has whatever the tests take from vitest", () => {
  const taken = sources.flatMap((source) => {
    const [, names = ""] = /^import \{([^}]*)\} from "vitest";$/m.exec(source) ?? [];
    return names.split(",").map((name) => name.trim());
  });
  const values = new Set(taken.filter((name) => name !== "" && !name.startsWith("type ")));
  expect(values.has("it")).toBe(true);
  expect([...values].filter((name) => !(name in runner))).toEqual([]);
});

it("declares tests in each way that the tests do", () => {
  const ways = new Set(
    sources.flatMap((source) => [...source.matchAll(/^\s*(?:it|describe)\.(\w+)\(/gm)].map(([, way]) => way)),
  );
  expect(ways).toContain("each");
  expect([...ways].filter((way) => !Object.hasOwn(runner.it, way ?? ""))).toEqual([]);
});
