// The local Gateway over real sockets, in both homes: what the upgrade, the frames and the closes look like from outside. The product isn't
// needed here, so a small Worker replaces it and shows when its cron trigger runs.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { APPLICATION, createLocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { serveGateway } from "../support/gateway-socket.ts";
import { HOMES, type ListeningWorld } from "../support/local-worlds.ts";

const QUERY = "/?v=10&encoding=json";
const IDENTIFY = {
  op: 2,
  d: { token: APPLICATION.botToken, properties: { os: "linux", browser: "test", device: "test" }, intents: 4608 },
};

/** A socket whose frames are kept until they are read. */
class Wire {
  readonly socket: WebSocket;
  /** The code with which it ended. */
  readonly closed: Promise<number>;
  private readonly frames: Record<string, unknown>[] = [];
  private more = Promise.withResolvers<void>();

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)));
      this.more.resolve();
    });
    this.closed = once(this.socket, "close").then(([code]) => code as number);
    // A test that expects a refused upgrade reads it itself.
    this.socket.on("error", () => {});
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  async next(): Promise<Record<string, unknown>> {
    while (this.frames.length === 0) {
      await this.more.promise;
      this.more = Promise.withResolvers();
    }
    return this.frames.shift() ?? {};
  }
}

/** Answers with the cron triggers that have run. */
const NOTES_CRON = `const ran: string[] = [];
  export default {
    fetch: () => Response.json({ ran }),
    scheduled: (event: { cron: string }) => void ran.push(event.cron),
  };\n`;

describe.each(Object.entries(HOMES))("the local Gateway in %s", (home, start) => {
  let folder: string;
  let world: ListeningWorld;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-"));
    const config = join(folder, "wrangler.toml");
    await writeFile(config, 'name = "parley"\nmain = "root.ts"\ncompatibility_date = "2026-10-01"\n');
    await writeFile(join(folder, "root.ts"), NOTES_CRON);
    world = await start(config);
    url = ((await (await fetch(`${world.url}/api/v10/gateway`, { headers: AGENT })).json()) as { url: string }).url;
  });
  afterAll(async () => {
    await world?.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => world.tell("/local/reset", {}));

  if (home === "workerd")
    it("runs the product's cron trigger from the start, so that it need not wait five minutes to listen", async () => {
      const ran = async () => (await fetch(`${world.url}/health`)).json();
      await expect.poll(ran).toEqual({ ran: ["*/5 * * * *"] });
    });

  it("says Hello, answers a heartbeat, and sends a session a person's message", async () => {
    const wire = new Wire(url + QUERY);
    expect(await wire.next()).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
    wire.send({ op: 1, d: null });
    expect(await wire.next()).toEqual({ op: 11 });
    wire.send(IDENTIFY);
    expect(await wire.next()).toMatchObject({ op: 0, t: "READY", s: 1, d: { resume_gateway_url: `${url}/resume` } });
    await world.tell("/local/speak", { as: PEOPLE.theo, channel: PLACES.dmOfTheo, content: "hello" });
    expect(await wire.next()).toMatchObject({ t: "MESSAGE_CREATE", s: 2, d: { content: "hello" } });
    wire.socket.close(1000);
    expect(await wire.closed).toBe(1000);
  });

  it("closes with Discord's code if a frame is wrong, and sees the application's own code", async () => {
    const wrong = new Wire(url + QUERY);
    await wrong.next();
    wrong.socket.send("{");
    expect(await wrong.closed).toBe(4002);
    const leaving = new Wire(url + QUERY);
    await leaving.next();
    leaving.socket.close(4200);
    await leaving.closed;
    const closes = async () =>
      ((await world.tell("/local/gateway/log")) as { kind: string }[]).filter(({ kind }) => kind === "close");
    await expect.poll(closes).toMatchObject([
      { code: 4002, by: "discord" },
      { code: 4200, by: "application" },
    ]);
  });

  it("closes a socket that sends no heartbeat", async () => {
    await world.tell("/local/gateway", { heartbeatIntervalMs: 100 });
    const wire = new Wire(url + QUERY);
    expect(await wire.closed).toBe(4000);
  });

  it("drops a socket in a way that allows a resume", async () => {
    const wire = new Wire(url + QUERY);
    await wire.next();
    await world.tell("/local/gateway/act", { act: "drop" });
    expect([1005, 1006]).toContain(await wire.closed);
  });

  it("refuses an upgrade with a status, and a plain request with 426", async () => {
    await world.tell("/local/gateway", { refuseUpgrade: 429 });
    const { socket } = new Wire(url + QUERY);
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(429);
    expect((await fetch(`${url.replace("ws:", "http:")}/`)).status).toBe(426);
  });

  it("refuses switches and acts that it doesn't know", async () => {
    await expect(world.tell("/local/gateway", { speed: 2 })).rejects.toThrow("speed");
    await expect(world.tell("/local/gateway/act", { act: "explode" })).rejects.toThrow("act");
  });
});

const AGENT = { "user-agent": "DiscordBot (https://example.org, 1.0)" };

describe("the local Gateway in Node", () => {
  it("can freeze a socket, which then neither answers nor closes, and continues later", async () => {
    const gateway = await serveGateway();
    const discord = createLocalDiscord({
      now: Date.now,
      gatewayUrl: gateway.url,
      dispatch: async () => new Response(null, { status: 500 }),
    });
    gateway.connect(discord.gateway);
    const wire = new Wire(gateway.url + QUERY);
    await wire.next();
    gateway.freeze(true);
    wire.send({ op: 1, d: null });
    discord.gateway.act({ act: "heartbeat" });
    gateway.freeze(false);
    // This is the answer to the heartbeat; what was sent while it was frozen is lost.
    expect(await wire.next()).toEqual({ op: 11 });
    await gateway.close();
    expect(await wire.closed).toBe(1006);
  });
});
