// The gateway's object in `wrangler dev` under load (`npm run bench:gateway`): 1,000 messages a second for a minute, of which every
// hundredth is a question; then, in the whole product, the time from the model's first token to its text on Discord. Prints figures.
import { setTimeout as sleep } from "node:timers/promises";
import type { GatewayFigures } from "./gateway-figures.ts";
import { acceptNoFlags } from "./no-flags.ts";

acceptNoFlags(
  "bench:gateway",
  "Prints how the gateway's object bears 1,000 messages a second, and the time from the model's first token to its text\non Discord. Takes four minutes.",
);

// Loaded only now, because the usage needs none of it.
const { APPLICATION, createLocalDiscord } = await import("../../src/playground/discord/local-discord.ts");
const { PEOPLE, PLACES } = await import("../../src/playground/discord/world.ts");
const { createLocalModel } = await import("../../src/playground/model/model.ts");
const { serve } = await import("../../src/playground/serve.ts");
const { exampleVars } = await import("../support/e2e-harness.ts");
const { serveGateway } = await import("../support/gateway-socket.ts");
const { PRODUCTION, startProduct } = await import("../support/product.ts");

const EVENTS_PER_S = 1000;
const LOAD_MS = 60_000;
const ONE_QUESTION_IN = 100;
const CHANNELS = 20;
/** Shorter than Discord's 41 s, so that there are some in a minute. */
const HEARTBEAT_MS = 10_000;
const BURST_MS = 10;
const REPLIES = 30;
const WARM_UP = 5;
/** By then the reply's first message exists before the first token, so the token's text is an edit. */
const LATE_TOKEN_MS = 3000;
const TARGET_MS = 200;
const PATIENCE_MS = 60_000;

const channelIds = Array.from({ length: CHANNELS }, (_, index) =>
  String(BigInt(PLACES.general) + BigInt(1000 + index)),
);
const applicationId = /^DISCORD_APPLICATION_ID=(\d+)$/m.exec(exampleVars(""))?.[1] ?? "";

/** Waits until the condition is true. Returns false if it never was. */
async function comes(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(BURST_MS)) if (await isSo()) return true;
  return false;
}

/** A product that is connected to its own Discord and model. */
async function begin(config: string) {
  const model = createLocalModel({
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  });
  /** When the first token of the last answer left, and when Discord first showed it. */
  const times = { tokenAt: Number.NaN, shownAt: Number.NaN };
  const handler = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/v1/")) return noteFirstToken(await model.fetch(request), times);
    const isText = pathname.includes("/messages") && (await request.clone().text()).includes("Hello");
    const response = await discord.fetch(request);
    if (isText && response.ok && Number.isNaN(times.shownAt)) times.shownAt = performance.now();
    return response;
  };
  const [served, gateway] = await Promise.all([serve(handler), serveGateway()]);
  const discord = createLocalDiscord({
    now: Date.now,
    applicationId,
    cdnUrl: served.url,
    gatewayUrl: gateway.url,
    dispatch: async () => new Response(null, { status: 404 }),
  });
  discord.gateway.set({ heartbeatIntervalMs: HEARTBEAT_MS });
  gateway.connect(discord.gateway);
  const token = exampleVars(served.url).replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  const product = await startProduct({ config, devVars: `${token}\nDISCORD_GATEWAY=on\n` });
  await fetch(`${product.url}/cdn-cgi/handler/scheduled`);
  const isConnected = () => discord.gateway.status().connections.some(({ session }) => session !== null);
  if (!(await comes(isConnected))) throw new Error(`The gateway did not connect.\n${product.logs()}`);
  return {
    ...{ discord, model, times },
    read: async <Read>(path: string) => (await (await fetch(`${product.url}${path}`)).json()) as Read,
    async close() {
      await product.stop();
      await Promise.all([served.close(), gateway.close()]);
    },
  };
}

type World = Awaited<ReturnType<typeof begin>>;

function noteFirstToken(response: Response, times: { tokenAt: number }): Response {
  const note = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      if (Number.isNaN(times.tokenAt) && new TextDecoder().decode(piece).includes("Hello"))
        times.tokenAt = performance.now();
      out.enqueue(piece);
    },
  });
  return new Response(response.body?.pipeThrough(note) ?? null, response);
}

async function load(): Promise<void> {
  const { discord, read, close } = await begin("test/bench/gateway.toml");
  try {
    const { connections } = discord.gateway.status();
    const before = await read<GatewayFigures>("/bench/figures");
    const asked = new Set<string>();
    // The log forgets the oldest of many thousand frames, so it is read every second.
    const beats = new Set<number>();
    const listen = () => {
      for (const { kind, op, at } of discord.gateway.log) if (kind === "in" && op === 1) beats.add(at);
    };
    const listening = setInterval(listen, 1000);
    let said = 0;
    const begunAt = performance.now();
    while (performance.now() - begunAt < LOAD_MS) {
      for (const due = ((performance.now() - begunAt) * EVENTS_PER_S) / 1000; said < due; said++) {
        const isQuestion = said % ONE_QUESTION_IN === 0;
        const content = isQuestion
          ? `<@${applicationId}> what is number ${said}?`
          : `Number ${said}, said to everybody here.`;
        const channel = channelIds[(isQuestion ? said / ONE_QUESTION_IN : said) % CHANNELS] ?? "";
        const id = discord.speak({ as: PEOPLE.theo, channel, content });
        if (isQuestion) asked.add(`asked:${id}`);
      }
      await sleep(BURST_MS);
    }
    const tookMs = performance.now() - begunAt;
    const hear = async () =>
      (await Promise.all(channelIds.map((id) => read<string[]>(`/bench/heard?channel=${id}`)))).flat();
    await comes(async () => (await hear()).length >= asked.size);
    const heard = await hear();
    const after = await read<GatewayFigures>("/bench/figures");
    const grown = (key: keyof GatewayFigures) => after[key] - before[key];
    clearInterval(listening);
    listen();
    const beatTimes = [...beats];
    const gaps = beatTimes.slice(1).map((at, index) => at - (beatTimes[index] ?? at));
    const isSame = connections.at(-1)?.id === discord.gateway.status().connections.at(-1)?.id;
    console.log(
      `${said} messages in ${(tookMs / 1000).toFixed(1)} s, ${asked.size} of them questions in ${CHANNELS} channels:`,
    );
    console.log(
      `  forwarded: ${new Set(heard.filter((key) => asked.has(key))).size} of them, ${heard.length - new Set(heard).size} twice, ${heard.filter((key) => !asked.has(key)).length} others`,
    );
    console.log(
      `  heartbeats: ${beats.size}, one each ${HEARTBEAT_MS / 1000} s; at most ${(Math.max(...gaps) / 1000).toFixed(2)} s between two; ${isSame ? "one connection" : "the connection was lost"}`,
    );
    console.log(
      `  rows in ${after.bornAt === before.bornAt ? "one life" : "several lives"}: ${grown("alarms")} alarms, ${grown("sessionRows")} of the session, ${grown("alarmsSet")} to set the alarm, ${grown("questionRows")} for questions`,
    );
  } finally {
    await close();
  }
}

/** Milliseconds from the first token to its text, each in a channel in which nobody has spoken. */
async function firstText(world: World, waitMs: number, replies: number, firstChannel: number): Promise<number[]> {
  const { discord, model, times } = world;
  const took: number[] = [];
  for (let n = 0; n < replies; n++) {
    Object.assign(times, { tokenAt: Number.NaN, shownAt: Number.NaN });
    model.script([{ chunks: [{ waitMs }, { text: "Hello" }, { waitMs: 1000 }, { text: " there." }] }]);
    const channel = String(BigInt(PLACES.general) + BigInt(firstChannel + n));
    discord.speak({ as: PEOPLE.theo, channel, content: `<@${applicationId}> hi` });
    const isWhole = () =>
      discord.messages(channel, PEOPLE.theo).some(({ content }) => content.startsWith("Hello there."));
    if (!(await comes(isWhole))) throw new Error("A question was not answered.");
    took.push(times.shownAt - times.tokenAt);
  }
  return took.sort((a, b) => a - b);
}

async function delivery(): Promise<void> {
  const world = await begin(PRODUCTION);
  try {
    await firstText(world, 0, WARM_UP, 2000);
    for (const [index, waitMs] of [0, LATE_TOKEN_MS].entries()) {
      const took = await firstText(world, waitMs, REPLIES, 3000 + 1000 * index);
      const at = (share: number) => (took[Math.floor((took.length - 1) * share)] ?? Number.NaN).toFixed(1);
      const how = waitMs === 0 ? "as a new message" : `as an edit, after ${waitMs / 1000} s without a word`;
      console.log(
        `first token → text on Discord, ${how}, ${REPLIES} replies: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms; the target is ${TARGET_MS} ms`,
      );
    }
  } finally {
    await world.close();
  }
}

await load();
await delivery();
