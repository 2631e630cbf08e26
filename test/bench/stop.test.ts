// How fast a stop is, on this machine over loopback: from the signed request to the model's closed socket, and to the next
// turn's model request while a tool ignores its signal. Prints figures (`npm run bench:stop`) and asserts none, because timings
// are not tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { createE2eWorld, type E2eWorld, MIRA, newChannel, THEO, until } from "../support/e2e-harness.ts";
import { type Product, ROOT, startProduct, WITH_TEST_TOOLS } from "../support/product.ts";

const RUNS = 20;
let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startProduct({
    config: WITH_TEST_TOOLS,
    devVars: `${world.devVars}\nTOOL_SERVER_URL=${world.url}\n`,
  });
  world.connect(product.url);
});
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

/** Milliseconds until the condition is true, checked in every turn of the event loop. */
async function elapsed(since: number, condition: () => boolean): Promise<number> {
  for (const until = since + 10_000; performance.now() < until; ) {
    if (condition()) return performance.now() - since;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error("not within 10 s");
}

function report(what: string, figures: number[]): void {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms over ${sorted.length} runs`);
}

it("measures a stop until the model's socket closes", async () => {
  const figures: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const channel = newChannel(world);
    world.model.script([{ chunks: [{ text: "Once upon a time" }, { hang: true }] }]);
    await channel.say(THEO, "a story");
    await until("the text", () => channel.answers()[0]?.startsWith("Once") ?? false);
    const entry = world.model.log.at(-1);
    const since = performance.now();
    void channel.use(THEO, "stop");
    figures.push(await elapsed(since, () => entry?.aborted ?? false));
    await channel.settled(1);
  }
  report("stop → model socket closed", figures);
});

it("measures a stop of a turn whose tool ignores its signal, until the next turn's model request", async () => {
  const figures: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const channel = newChannel(world);
    const held = world.hold({ side: "before", matches: ({ path }) => path === "/tool/hold" });
    world.model.script([{ chunks: [{ call: { name: "deaf", arguments: {} } }] }, { chunks: [{ text: "Next." }] }]);
    await channel.say(THEO, "use it");
    await until("the tool", () => channel.answers()[0]?.includes("Using") ?? false);
    await channel.say(MIRA, "and me?");
    const requests = world.model.log.length;
    const since = performance.now();
    void channel.use(THEO, "stop");
    figures.push(await elapsed(since, () => world.model.log.length > requests));
    held.release();
    await channel.settled(2);
  }
  report("stop of a deaf tool → the next turn's model request", figures);
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/wrangler/package.json"), "utf8")) as {
    version: string;
  };
  console.log(`wrangler ${version}, Node ${process.version}`);
});
