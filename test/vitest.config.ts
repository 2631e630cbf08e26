// The test lanes, which README.md describes: node, workers, e2e, slow, bench, crash, faults. No lane retries a test. The test files of node,
// workers and e2e share their modules, which is faster: so no module keeps state that another file could see, and none is ever mocked.
import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { APPLICATION } from "../src/playground/discord/local-discord.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../src/playground/key.ts";
import { writeRuntimeConfig } from "./support/runtime-config.ts";

const root = `${import.meta.dirname}/..`;
const inMemory = `${root}/test/support/in-memory.ts`;
/** A lane that computes and whose files share no outside process: one worker more than there are cores, since some files wait now and then. */
const TOGETHER = {
  isolate: false,
  maxWorkers: availableParallelism() + 1,
  sequence: { groupOrder: 0 },
  globalSetup: [inMemory],
};
/** A lane whose files mostly wait for processes of their own: three workers per core, and never at the same time as other lanes. */
const WAITING = {
  isolate: false,
  maxWorkers: 3 * availableParallelism(),
  sequence: { groupOrder: 1 },
  globalSetup: [inMemory, `${root}/test/support/built-modules.ts`, `${root}/test/support/lives.ts`],
};
/** A lane of long tests that wait or kill, with Chromium or runtimes of their own: one worker per core, and never at the same time as others. */
const LONG = {
  ...WAITING,
  isolate: true,
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 2 },
  globalSetup: [inMemory],
};
/** A lane of measurements, or of proofs that need the whole machine: one file at a time, and never at the same time as other lanes. */
const ALONE = { isolate: true, maxWorkers: 1, sequence: { groupOrder: 3 }, globalSetup: [] as string[] };
/** How long a test waits for something that must happen; a busy machine is slow. */
const PATIENCE = { poll: { timeout: 120_000 } };
/** The longest that a test may take. No test sets a limit of its own, which would suit only the machine that it was written on. */
const LIMIT_MS = 600_000;
/** The longest that one scenario of a sweep may take, with its pairs: up to eight minutes on an idle machine, twenty on a busy one. */
const SWEEP_LIMIT_MS = 3_600_000;
const lane = (name: string, include: string[], timeoutMs: number, how: typeof TOGETHER = ALONE) => ({
  root,
  test: { name, include, ...how, environment: "node", testTimeout: timeoutMs, hookTimeout: LIMIT_MS, expect: PATIENCE },
});

// Nothing is ever sent to these addresses: the fake network of each test answers instead.
const TEST_VARIABLES = {
  DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
  DISCORD_APPLICATION_ID: APPLICATION.id,
  DISCORD_API_BASE_URL: "http://127.0.0.1/api/v10",
  OPENAI_API_KEY: "test",
  OPENAI_BASE_URL: "http://127.0.0.1/v1",
};

/**
 * Moves a turn's dynamic imports to the start. Inside the runtime, the tests' module loader asks this process about each of them: a life
 * that ends during such a request would leave every later life waiting for the same answer. The runtime's own loader asks no one.
 */
const importsAtTheStart = {
  name: "imports-at-the-start",
  enforce: "pre" as const,
  transform(code: string, id: string) {
    if (
      !/\/(?:durable-objects\/(?:channel|media|operations\/|reading\/|reminders\/|replies\/|scope-calls\/|seldom\/|turn\/|upkeep\/)|src\/(?:turn|toolkit)\/)/.test(
        id,
      )
    )
      return null;
    const begun: string[] = [];
    const changed = code.replace(/\bimport\(("[^"]+")\)/g, (_, from: string) => {
      begun.push(`import * as begun${begun.length} from ${from};`);
      return `Promise.resolve(begun${begun.length - 1})`;
    });
    return begun.length === 0 ? null : { code: `${begun.join(" ")}${changed}`, map: null };
  },
};

const runtimeLane = (name: string, include: string[], timeoutMs: number, isolate = false) => ({
  root,
  plugins: [
    importsAtTheStart,
    cloudflareTest({
      main: `${root}/test/support/worker.ts`,
      wrangler: { configPath: writeRuntimeConfig(root) },
      // Without `cf: false`, the runtime would ask the network for it.
      miniflare: { bindings: TEST_VARIABLES, cf: false },
    }),
  ],
  test: { name, include, ...TOGETHER, isolate, testTimeout: timeoutMs, hookTimeout: LIMIT_MS, expect: PATIENCE },
});

export default defineConfig({
  root,
  test: {
    // On a busy machine, removing a run's temporary files takes longer than Vitest's ten seconds.
    teardownTimeout: 120_000,
    projects: [
      lane("node", ["test/**/*.test.ts", "!test/{workers,crash,faults,e2e,slow,bench}/**"], LIMIT_MS, TOGETHER),
      lane("e2e", ["test/e2e/**/*.test.ts"], LIMIT_MS, WAITING),
      // Measurements, not tests: nothing in this lane fails for being slow.
      lane("bench", ["test/bench/**/*.test.ts"], LIMIT_MS),
      lane("slow", ["test/slow/**/*.test.ts"], LIMIT_MS, LONG),
      // Every fault of every call of a port, and pairs of faults: `npm run faults`. A run fills a process's memory, so each file has its own process.
      lane("faults", ["test/faults/**/*.test.ts"], SWEEP_LIMIT_MS, {
        ...TOGETHER,
        isolate: true,
        maxWorkers: availableParallelism(),
      }),
      runtimeLane("workers", ["test/workers/**/*.test.ts"], LIMIT_MS),
      // Every possible death in every scenario, and pairs of deaths: `npm run crash`. A run fills a runtime's memory, so each file has its own.
      runtimeLane("crash", ["test/crash/**/*.test.ts"], SWEEP_LIMIT_MS, true),
    ],
  },
});
