// `npm run bench:peers`: the same work by other agents, in the same runtime, against the same model, with the same programs. Each is used
// as its documentation recommends. Writes their figures, or why one can't be measured, into results.json and the first page.
import { fork } from "node:child_process";
import { readFlags } from "../../../src/scripts/arguments.ts";
import { inTurns, median, rounded, share } from "../figures.ts";
import { type Peer, type PeerFigure, readResults, writeResults } from "../results.ts";
import type { Runtime } from "../world/processes.ts";
import type { Surroundings } from "../world/subjects.ts";
import { orReason, PACKAGES, PEERS, type PeerPlan } from "./list.ts";

const USAGE = `Usage: npm run bench:peers [-- --quick]

Installs other agents into .bench/peers and measures them with the programs of npm run bench. Takes about 15 minutes.

  --quick     the smallest sizes, to see that it works; writes nothing
  -h, --help  print this`;

const RUNS = 7;
const CALLS = { "iteration-10": 10, "iteration-200": 199 } as const;
const KB = 1000;
/** Each of the peers' runs takes half a minute. */
const DEATHS = 3;
const TOOL_BEGAN_MS = 500;
const MORE_MS = 2000;
const REPLIES = 30;
const QUICK_REPLIES = 4;
const FIRST_CHANNEL = 1_180_000_000_000_200_000n;
const LIMIT_MS = 60_000;

const { quick: isQuick = false } = readFlags(USAGE, { quick: { type: "boolean" } });
const runs = isQuick ? 1 : RUNS;

// Loaded only now, because the usage needs none of it.
const { iterationMs, MIB, turnByHand } = await import("../parts/iteration.ts");
const { recoveryS } = await import("../parts/recovery.ts");
const { SIZES, streamCpuMs, turnAt } = await import("../parts/stream.ts");
const { startRuntime } = await import("../world/processes.ts");
const { startSurroundings } = await import("../world/subjects.ts");
const { buildPeer, buildScript, installPeers } = await import("./install.ts");

/** Everything about a peer that has a Worker. */
async function measureWorker(worker: string, keeps: boolean): Promise<Record<string, PeerFigure>> {
  const figures: Record<string, PeerFigure> = {};
  const around = await startSurroundings();
  let runtime: Runtime | null = null;
  const start = async (state: string | null) => {
    const { folder, gzipBytes } = await buildPeer(worker);
    figures.bundle = { ok: true, value: gzipBytes / KB };
    const bindings = { OPENAI_BASE_URL: `${around.model.url}/v1` };
    return startRuntime({ folder, objects: { TURNS: "TurnObject" }, bindings, flags: ["nodejs_compat"], state });
  };
  const started = await orReason(async () => {
    runtime = await start(null);
    return 0;
  });
  try {
    for (const [id, calls] of Object.entries(CALLS))
      if (calls === 10 || !isQuick)
        figures[id] = await oneOf(started, runtime, (own) =>
          middle(() => iterationMs(around, turnByHand(own, "calls"), calls)),
        );
    figures["memory-turns"] = await oneOf(started, runtime, async (own) => own.memory() / MIB);
    for (const pieces of isQuick ? [100] : SIZES)
      figures[`stream-${pieces}`] = await oneOf(started, runtime, (own) =>
        middle(() => streamCpuMs(around, own, pieces, () => turnAt(`${own.url}/turn?way=stream`))),
      );
    figures.recovery = keeps
      ? await orReason(() => survival(around, start))
      : { ok: false, reason: "it keeps nothing, so that a death ends its turn" };
  } finally {
    await (runtime as Runtime | null)?.killNine();
    around.close();
  }
  return figures;
}

/** Seconds until a turn that was killed in a tool calls the model again. */
async function survival(around: Surroundings, start: (state: string) => Promise<Runtime>): Promise<number> {
  const taken: number[] = [];
  // The request ends with the runtime.
  const begin = async ({ url }: Runtime) => void fetch(`${url}/turn`).catch(() => {});
  for (let run = 0; run < (isQuick ? 1 : DEATHS); run++)
    taken.push(await recoveryS(around, { start, begin }, TOOL_BEGAN_MS + run * MORE_MS));
  return median(taken);
}

const middle = async (measure: () => Promise<number>) => median((await inTurns(runs, { it: measure })).it);

/** A figure of a Worker that has started; otherwise why it hasn't. */
async function oneOf(
  started: PeerFigure,
  runtime: Runtime | null,
  measure: (runtime: Runtime) => Promise<number>,
): Promise<PeerFigure> {
  if (!started.ok) return started;
  return orReason(() => (runtime ? measure(runtime) : Promise.reject(new Error("it did not start"))));
}

/** Milliseconds from the model's first token to its text on Discord, with the Chat SDK. */
async function deliveryMs({ model, discord }: Surroundings): Promise<number[]> {
  const child = fork(await buildScript("chat-delivery.mjs"), [model.url, discord.url], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let wrong = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    wrong += chunk.toString();
  });
  const said = () =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no answer in time")), LIMIT_MS);
      child.once("message", (word) => {
        clearTimeout(timer);
        resolve(String(word));
      });
      child.once("exit", () => reject(new Error(`it ended: ${wrong.slice(-300)}`)));
    });
  const taken: number[] = [];
  try {
    await said();
    for (let n = -1; n < (isQuick ? QUICK_REPLIES : REPLIES); n++) {
      await model.plan({ kind: "pieces", pieces: 100, everyMs: 20 });
      await discord.forget();
      child.send(String(FIRST_CHANNEL + BigInt(n + 1)));
      const word = await said();
      if (word !== "posted") throw new Error(word);
      const [asked] = await model.asked();
      const shown = (await discord.heard()).find(({ text }) => text.includes("word"));
      if (n >= 0) taken.push((shown?.at ?? Number.NaN) - (asked?.saidAt ?? Number.NaN));
    }
    return taken;
  } finally {
    if (child.connected) child.disconnect();
  }
}

async function measureDelivery(): Promise<Record<string, PeerFigure>> {
  const around = await startSurroundings();
  try {
    const taken: number[] = [];
    const first = await orReason(async () => {
      taken.push(...(await deliveryMs(around)));
      return median(taken);
    });
    const late: PeerFigure = first.ok ? { ok: true, value: share(taken, 0.95) } : first;
    return { "first-text-p50": first, "first-text-p95": late };
  } finally {
    around.close();
  }
}

async function measure({ name, worker, packages, keeps = false }: PeerPlan): Promise<Peer> {
  const figures = worker === null ? await measureDelivery() : await measureWorker(worker, keeps);
  const versions = Object.fromEntries(packages.map((one) => [one, PACKAGES[one] ?? "?"]));
  console.log(
    `\n${Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")}`,
  );
  for (const [id, figure] of Object.entries(figures))
    console.log(`  ${id}: ${figure.ok ? rounded(figure.value) : `not measured: ${figure.reason}`}`);
  return { name, versions, figures };
}

installPeers();
const list: Peer[] = [];
for (const peer of PEERS) list.push(await measure(peer));
if (!isQuick) {
  writeResults({ ...readResults(), peers: { at: new Date().toISOString().slice(0, 10), list } });
  console.log("\nWritten: test/bench/results.json and README.md.");
}
