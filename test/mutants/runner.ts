// Replaces "vitest" for the test files of a mutation run: it keeps their tests as functions, so that one loading serves for
// every mutation, and runs any of them any number of times. Their expectations are checked by vitest's own `expect`.
import { format } from "node:util";
import * as vitest from "vitest";

export const { inject, vi } = vitest;

type Work = (...args: never[]) => unknown;
type Hook = "beforeAll" | "beforeEach" | "afterEach" | "afterAll";

/** A file or a `describe`. */
interface Suite {
  name: string;
  parent: Suite | null;
  hooks: Record<Hook, (() => unknown)[]>;
}

/** One test, with its name as vitest writes it. */
export interface Test {
  file: string;
  name: string;
  suite: Suite;
  run: () => unknown;
}

const makeSuite = (name: string, parent: Suite | null): Suite => ({
  name,
  parent,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
});

let file = "";
let current = makeSuite("", null);
let found: Test[] = [];
let pending: Promise<unknown>[] = [];

/** The tests of a file, which `load` imports. */
export async function collect(path: string, load: () => Promise<unknown>): Promise<Test[]> {
  file = path;
  current = makeSuite(path, null);
  found = [];
  pending = [];
  await load();
  await Promise.all(pending);
  return found;
}

const add = (name: string, run: () => unknown): void => {
  const names = [name];
  for (let suite: Suite | null = current; suite?.parent; suite = suite.parent) names.unshift(suite.name);
  found.push({ file, name: names.join(" > "), suite: current, run });
};

const open = (name: string, work: () => unknown): void => {
  const parent = current;
  current = makeSuite(name, parent);
  const opened = work();
  if (opened instanceof Promise) pending.push(opened);
  current = parent;
};

/** The name of one row of a table. */
function nameOf(name: string, row: readonly unknown[], index: number): string {
  const [first] = row;
  const named = name.replaceAll("%#", String(index)).replace(/\$([\w.]+)/g, (whole, path: string) => {
    let value: unknown = first;
    for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
    return value === undefined ? whole : String(value);
  });
  const places = named.match(/%[sdifjoOc]/g)?.length ?? 0;
  return places === 0 ? named : format(named, ...row.slice(0, places)).replace(/\s+/g, " ");
}

type Declare = (name: string, work: () => unknown) => void;

/** `it` and `describe`: the work may also come third, after options. A table makes one of each row; `for` passes the row on whole. */
const declaring = (declare: Declare) => {
  const one = (name: string, first: unknown, second?: unknown) =>
    declare(name, (typeof first === "function" ? first : second) as () => unknown);
  const table =
    (isSpread: boolean) =>
    (rows: readonly unknown[]) =>
    (name: string, first: unknown, second?: unknown): void => {
      const work = (typeof first === "function" ? first : second) as Work;
      const areLists = rows.every((row) => Array.isArray(row));
      rows.forEach((row, index) => {
        const values = (areLists ? row : [row]) as never[];
        declare(nameOf(name, values, index), () => (isSpread ? work(...values) : work(row as never)));
      });
    };
  return Object.assign(one, { each: table(true), for: table(false) });
};

export const it = declaring(add);
export const test = it;
export const describe = declaring(open);

const hook = (name: Hook) => (work: () => unknown) => {
  current.hooks[name].push(work);
};
export const beforeAll = hook("beforeAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const afterAll = hook("afterAll");

/** What runs after the current test. */
let ending: (() => unknown)[] = [];
export const onTestFinished = (work: () => unknown): void => {
  ending.push(work);
};

/** Applies the rest of the expectation, such as `.not.toBe(1)`, to what `read` gives until it is met. */
const poll = (read: () => unknown, options: { interval?: number; timeout?: number } = {}) => {
  const followed = (path: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, key) => followed([...path, String(key)]),
      apply: (_, __, values: unknown[]) =>
        vi.waitFor(
          async () => {
            const begun: object = vitest.expect(await read());
            const before = path.slice(0, -1).reduce((at, key) => Reflect.get(at, key) as object, begun);
            Reflect.apply(Reflect.get(before, path.at(-1) ?? "") as Work, before, values);
          },
          { timeout: 2000, ...options },
        ),
    });
  return followed([]);
};

/** vitest's `expect`, with replacements for what needs a running vitest test: `poll`, and `soft`, where the first failure ends a test anyway. */
export const expect = new Proxy(vitest.expect, {
  get: (target, key) => (key === "poll" ? poll : key === "soft" ? target : Reflect.get(target, key)),
});

/** The path from the file down to the suite of a test. */
function pathOf(suite: Suite): Suite[] {
  const path: Suite[] = [];
  for (let one: Suite | null = suite; one; one = one.parent) path.unshift(one);
  return path;
}

/** A run of some tests, one after the other: a suite begins with its first test and ends before the first test of another. */
export function startRun() {
  let begun: { suite: Suite; ends: (() => unknown)[] }[] = [];
  const leaveAllBut = async (path: readonly Suite[]): Promise<void> => {
    const left = begun.filter(({ suite }) => !path.includes(suite)).toReversed();
    begun = begun.filter(({ suite }) => path.includes(suite));
    for (const { suite, ends } of left)
      for (const work of [...suite.hooks.afterAll.toReversed(), ...ends]) await work();
  };
  return {
    /** Throws if the test or one of its hooks fails. */
    async run(test: Test): Promise<void> {
      const path = pathOf(test.suite);
      await leaveAllBut(path);
      for (const suite of path) {
        if (begun.some((one) => one.suite === suite)) continue;
        const ends: (() => unknown)[] = [];
        begun.push({ suite, ends });
        for (const work of suite.hooks.beforeAll) collectEnd(await work(), ends);
      }
      const ends: (() => unknown)[] = [];
      ending = ends;
      try {
        for (const suite of path) for (const work of suite.hooks.beforeEach) collectEnd(await work(), ends);
        await test.run();
      } finally {
        for (const suite of path.toReversed()) for (const work of suite.hooks.afterEach.toReversed()) await work();
        for (const work of ends) await work();
      }
    },
    /** Ends the suites that are still open. */
    end: () => leaveAllBut([]),
  };
}

/** A hook may return a function that ends what it began. */
function collectEnd(given: unknown, ends: (() => unknown)[]): void {
  if (typeof given === "function") ends.push(given as () => unknown);
}
