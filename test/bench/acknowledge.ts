// The time from a signed interaction to Discord's answer (`npm run bench:acknowledge`): /chat in 50 channels, through the production Worker
// in its own `wrangler dev`. If the folder of another checkout is given, both get the same load by turns. Prints figures.
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { leave, mistake, readArguments } from "../../src/scripts/arguments.ts";

const USAGE =
  "Usage: npm run bench:acknowledge [-- the folder of another checkout]\n\n" +
  "Prints the time from a signed interaction to its answer; with another checkout, of both in turns.\n\n  -h, --help  print this";

const read = readArguments(process.argv.slice(2), USAGE, {}, { words: true });
if ("instead" in read) leave(read.instead);
const { positionals: others } = read;
if (others.length > 1) leave(mistake("Name one other checkout at most.", USAGE));

// Loaded only now, because the usage needs none of it.
const { createLocalDiscord } = await import("../../src/playground/discord/local-discord.ts");
const { PEOPLE, PLACES } = await import("../../src/playground/discord/world.ts");
const { createLocalModel } = await import("../../src/playground/model/model.ts");
const { serve } = await import("../../src/playground/serve.ts");
const { exampleVars } = await import("../support/e2e-harness.ts");
const { PRODUCTION, ROOT, startProduct } = await import("../support/product.ts");

const CHANNELS = 50;
const AT_A_TIME = 20;
/** Fewer than one person may ask per minute in one channel. */
const PASSES = ["cold channels, one by one", "warm channels, one by one", `warm channels, ${AT_A_TIME} at a time`];
const PATIENCE_MS = 60_000;
const POLL_MS = 10;

/** One running checkout, with its own Discord and model. */
interface Side {
  root: string;
  /** Asks in one channel. Resolves to the milliseconds until the endpoint has answered. */
  ask(channel: number): Promise<number>;
  /** Resolves when every answer is there, so that this pass doesn't slow down the next one. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

async function begin(root: string): Promise<Side> {
  let url = "";
  let took = new Map<string, number>();
  const model = createLocalModel({
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  });
  const applicationId = /^DISCORD_APPLICATION_ID=(\d+)$/m.exec(exampleVars(""))?.[1] ?? "";
  const discord: LocalDiscord = createLocalDiscord({
    now: Date.now,
    applicationId,
    async dispatch(request) {
      const { headers } = request;
      const body = await request.text();
      const sentAt = performance.now();
      const response = await fetch(`${url}/interactions`, { method: "POST", headers, body });
      const text = await response.text();
      took.set((JSON.parse(body) as { id: string }).id, performance.now() - sentAt);
      return new Response(text, response);
    },
  });
  const served = await serve((request) =>
    new URL(request.url).pathname.startsWith("/v1/") ? model.fetch(request) : discord.fetch(request),
  );
  const access = [`OWNER_IDS=${PEOPLE.mira}`, "SERVERS=listed", `ALLOWED_SERVERS=${PLACES.guild}`, "VISITORS=owners"];
  const devVars = [exampleVars(served.url), ...access, ""].join("\n");
  const product = await startProduct({ config: PRODUCTION, devVars, root });
  url = product.url;
  const idOf = (channel: number) => String(BigInt(PLACES.general) + BigInt(1000 + channel));
  const used = new Set<string>();
  const isAtRest = (id: string) =>
    discord.messages(id, PEOPLE.theo).every(({ loading, components }) => !loading && components.length === 0);
  return {
    root,
    async ask(channel) {
      const id = idOf(channel);
      used.add(id);
      const asked = { kind: "command", name: "chat", options: { message: "hi" } } as const;
      const { interactionId, seen } = await discord.interact({ ...asked, as: PEOPLE.theo, channel: id });
      if (seen !== "thinking") throw new Error(`${root} answered: ${seen}`);
      return took.get(interactionId) ?? Number.NaN;
    },
    async rest() {
      const until = Date.now() + PATIENCE_MS;
      while (![...used].every(isAtRest) && Date.now() < until) await sleep(POLL_MS);
      took = new Map();
    },
    async close() {
      await product.stop();
      await served.close();
    },
  };
}

/**
 * One pass over all channels, in batches that go to each side by turns, in alternating order: other work on the machine, and what the
 * batch before still does, slow both alike.
 */
async function pass(sides: readonly Side[], atATime: number): Promise<Map<Side, number[]>> {
  const times = new Map<Side, number[]>(sides.map((side) => [side, []]));
  for (let first = 0; first < CHANNELS; first += atATime)
    for (const side of (first / atATime) % 2 === 0 ? sides : sides.toReversed()) {
      const count = Math.min(atATime, CHANNELS - first);
      const batch = Array.from({ length: count }, (_, index) => side.ask(first + index));
      times.get(side)?.push(...(await Promise.all(batch)));
    }
  for (const side of sides) await side.rest();
  return times;
}

const sides = await Promise.all([...others, ROOT].map(begin));
try {
  // The first request starts the isolate.
  for (const side of sides) await side.ask(CHANNELS).then(() => side.rest());
  for (const [index, name] of PASSES.entries()) {
    console.log(`${name}:`);
    for (const [{ root }, times] of await pass(sides, index === PASSES.length - 1 ? AT_A_TIME : 1)) {
      times.sort((a, b) => a - b);
      const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(1);
      console.log(`  p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms: ${root}`);
    }
  }
} finally {
  for (const side of sides) await side.close();
}
