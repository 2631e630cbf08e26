// What one iteration of the loop costs compared with a hand-written floor (`loop-object.ts`), both in workerd, with a fresh
// object for each turn. The time of an iteration is the time between two requests as the model gets them, because workerd's own
// clock stops between its I/O. Prints (`npm run bench:loop`) and asserts nothing, because a shared machine's times prove
// nothing.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { acceptNoFlags } from "./no-flags.ts";

const WAYS = ["floor by hand", "floor over the model client", "engine"];
const CALLS = 199;
const TURNS = 15;
const WARM_UPS = 3;
/** Iterations whose times are compared. The transcript has its full length from the 30th on. */
const STRETCHES = { "at 10": [5, 15], "at 50": [40, 60], "at 190": [180, 195] } as const;

/** A model in a separate thread, which for each path calls the tool this many times and then is done. */
function serveModel(): void {
  const askedAt = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const [, turn = "", what] = (request.url ?? "").split("/");
    if (what === "times") return void response.end(JSON.stringify(askedAt.get(turn)));
    request.on("data", () => {});
    request.on("end", () => {
      const times = askedAt.get(turn) ?? [];
      askedAt.set(turn, times);
      times.push(performance.now());
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer(times.length));
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

function answer(asked: number): string {
  const isDone = asked > CALLS;
  const called = { name: "look_up", arguments: `{"page":"${asked}"}` };
  const delta = isDone
    ? { content: "Done." }
    : { tool_calls: [{ index: 0, id: `c${asked}`, type: "function", function: called }] };
  const piece = (choices: unknown, more = {}) => `data: ${JSON.stringify({ id: "x", choices, ...more })}\n\n`;
  return [
    piece([{ index: 0, delta, finish_reason: null }]),
    piece([{ index: 0, delta: {}, finish_reason: isDone ? "stop" : "tool_calls" }]),
    piece([], { usage: { prompt_tokens: 9, completion_tokens: 3 } }),
    "data: [DONE]\n\n",
  ].join("");
}

/** Milliseconds between the requests of one turn. */
async function turn(product: string, model: string, way: string, name: string): Promise<number[]> {
  const query = new URLSearchParams({ way, model: `${model}/${name}` });
  const said = await (await fetch(`${product}/?${query}`)).text();
  if (said !== "Done.") throw new Error(`${way}: ${said.slice(0, 200)}`);
  const times = (await (await fetch(`${model}/${name}/times`)).json()) as number[];
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

async function measure(): Promise<void> {
  // Loaded only now, because neither the usage nor the model needs it.
  const { ROOT, startProduct } = await import("../support/product.ts");
  const server = new Worker(new URL(import.meta.url));
  const port = await new Promise<number>((resolve) => server.once("message", resolve));
  const product = await startProduct({ config: "test/bench/loop.toml", devVars: "" });
  const taken = new Map(WAYS.map((way) => [way, [] as number[][]]));
  try {
    for (let round = -WARM_UPS; round < TURNS; round++)
      for (const [index, way] of WAYS.entries()) {
        const gaps = await turn(product.url, `http://127.0.0.1:${port}`, way, `${round}-${index}`);
        if (round >= 0) taken.get(way)?.push(gaps);
      }
  } finally {
    await product.stop();
    await server.terminate();
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/workerd/package.json"), "utf8"));
  console.log(
    `workerd ${version}, Node ${process.version}; 2 KB results, ${TURNS} turns of ${CALLS} calls each; medians`,
  );
  report(taken);
}

/** The ways are compared round by round, so that a machine which is slow for a while is slow for all of them. */
function report(taken: Map<string, number[][]>): void {
  for (const [stretch, [from, to]] of Object.entries(STRETCHES)) {
    const byRound = (way: string) => (taken.get(way) ?? []).map((gaps) => median(gaps.slice(from, to)));
    const engine = byRound("engine");
    for (const way of WAYS) {
      const figures = byRound(way);
      const ratio = median(figures.map((figure, round) => (engine[round] ?? Number.NaN) / figure));
      const beside = way === "engine" ? "" : `; the engine is ${ratio.toFixed(2)} × that`;
      console.log(`${stretch.padEnd(8)}${way.padEnd(30)} ${median(figures).toFixed(2)} ms per iteration${beside}`);
    }
  }
}

if (isMainThread) {
  acceptNoFlags("bench:loop", "Prints what one iteration of the tool loop costs beside a floor written by hand.");
  await measure();
} else serveModel();
