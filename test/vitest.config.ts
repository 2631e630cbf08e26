// The test lanes. node: pure rooms. workers: object, alarm, store and endpoint inside workerd. e2e: a spawned
// `wrangler dev` over real HTTP. slow: minutes-long e2e proofs, run by .ci/run. A lane never retries a test.
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = `${import.meta.dirname}/..`;
const lane = (name: string, include: string[], timeoutMs: number) => ({
  root,
  test: { name, include, environment: "node", testTimeout: timeoutMs, hookTimeout: 60_000 },
});

export default defineConfig({
  root,
  test: {
    projects: [
      lane("node", ["test/**/*.test.ts", "!test/{workers,e2e,slow}/**"], 10_000),
      lane("e2e", ["test/e2e/**/*.test.ts"], 60_000),
      lane("slow", ["test/slow/**/*.test.ts"], 300_000),
      {
        root,
        plugins: [cloudflareTest({ wrangler: { configPath: `${root}/wrangler.toml` } })],
        test: { name: "workers", include: ["test/workers/**/*.test.ts"], testTimeout: 20_000 },
      },
    ],
  },
});
