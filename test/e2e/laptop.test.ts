// `npm start` with a bot's token, in another process, against the local Discord in this one: what it refuses, how it answers, how it ends,
// and what the next start finds.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { freePort } from "../../src/playground/port.ts";
import { channelAt, createE2eWorld, type E2eWorld, until } from "../support/e2e-harness.ts";
import { runCommand } from "../support/process.ts";
import { ROOT } from "../support/product.ts";

/** The application of `.dev.vars.example`, which no other test starts like this. */
let folder: string;
let world: E2eWorld;
let port: number;
let running: Start | null = null;

/** One start. */
interface Start {
  child: ChildProcess;
  /** What it has printed so far. */
  out(): string;
  /** Waits for this text. */
  prints(text: string | RegExp): Promise<void>;
  /** Signals it, and waits for its end. Returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const shell = () => ({
  DISCORD_BOT_TOKEN: APPLICATION.botToken,
  DISCORD_API_BASE_URL: `${world.url}/api/v10`,
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  MODELS: "",
});

async function start(): Promise<Start> {
  const script = join(ROOT, "src/start.ts");
  const child = spawn(process.execPath, [script, "--port", String(port)], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...shell() },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const started: Start = {
    child,
    out: () => out,
    prints: (text) =>
      until(`"${text}" in the output`, () => (typeof text === "string" ? out.includes(text) : text.test(out))),
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
  running = started;
  await started.prints(/Connected to Discord\.|not started/);
  return started;
}

const closes = () =>
  world.discord.gateway.log.flatMap((frame) => (frame.kind === "close" ? [`${frame.code} by ${frame.by}`] : []));
const identifies = () => world.discord.gateway.log.filter((frame) => frame.kind === "in" && frame.op === 2).length;

beforeAll(async () => {
  world = await createE2eWorld();
  port = await freePort(0);
  folder = join(ROOT, ".wrangler/laptop", world.applicationId);
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await running?.end("SIGTERM");
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(world.discord.violations).toEqual([]));

describe("npm start with a bot's token", () => {
  it("is refused without a terminal while Discord sends slash commands elsewhere", async () => {
    const { code, out, err } = await runCommand("start", [], shell());
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^Discord sends Parley's slash commands and buttons to parley\.example, .+\nThere is no terminal/,
    );
    expect(world.discord.log.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /applications/@me"]);
  });

  it.each([
    [
      "a token that Discord refuses",
      { DISCORD_BOT_TOKEN: "another.bot.token" },
      "Discord doesn't accept DISCORD_BOT_TOKEN",
    ],
    ["what is not a token", { DISCORD_BOT_TOKEN: "x.y z" }, "DISCORD_BOT_TOKEN can't be used"],
    ["no network", { DISCORD_API_BASE_URL: "http://127.0.0.1:1/api/v10" }, "Discord can't be reached at 127.0.0.1:1"],
  ])("and %s ends with one sentence, which does not contain the token", async (_what, more, sentence) => {
    const { code, out, err } = await runCommand("start", [], { ...shell(), ...more });
    expect([code, out, err.trimEnd().split("\n").length]).toEqual([1, "", 1]);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/another\.bot|x\.y z|local\.bot/);
    // The refused token is such a token.
    world.discord.reset();
  });

  it("is refused without a terminal while another program has its commands there, and leaves them alone", async () => {
    world.discord.configure({ interactionsEndpoint: false });
    const put = (commands: object[]) =>
      fetch(`${world.url}/api/v10/applications/${world.applicationId}/commands`, {
        method: "PUT",
        headers: {
          Authorization: `Bot ${APPLICATION.botToken}`,
          "Content-Type": "application/json",
          "User-Agent": "DiscordBot (x, 1)",
        },
        body: JSON.stringify(commands),
      });
    await put([{ name: "play", description: "Plays a song", type: 1 }]);
    const { code, out, err } = await runCommand("start", [], shell());
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Another program has registered commands for Parley: play\..+\nThere is no terminal/);
    expect(world.discord.commands("global").map(({ name }) => name)).toEqual(["play"]);
    const clears = world.discord.addWeather(({ method, path }) =>
      method === "GET" && path.endsWith("/commands") ? Response.json({ message: "no" }, { status: 500 }) : null,
    );
    const unread = await runCommand("start", [], shell());
    clears();
    expect([unread.code, unread.err]).toEqual([1, expect.stringContaining("answered 500")]);
    expect(world.discord.commands("global").map(({ name }) => name)).toEqual(["play"]);
    await put([]);
  });

  it("connects, registers its commands, and says how to invite it and whose it is", async () => {
    world.discord.configure({ interactionsEndpoint: false });
    const { out } = await start();
    expect(out()).toContain(
      `client_id=${world.applicationId}&scope=bot%20applications.commands&permissions=2815059541740608&`,
    );
    expect(out()).toContain("Owner:           Juno");
    expect(out()).toContain("Message Content is off");
    expect(out()).toContain(`Commands:        ${world.discord.commands("global").length} registered`);
    expect(out()).not.toContain(APPLICATION.botToken);
    expect(identifies()).toBe(1);
  });

  it("answers its owner's slash command, which comes over the gateway, with one line in the log, and refuses a stranger's", async () => {
    const stranger = channelAt(world, PLACES.lobby, PEOPLE.theo);
    expect(await stranger.say(PEOPLE.theo, "hello")).toMatchObject({ ok: true, seen: "message", status: null });
    const channel = channelAt(world, PLACES.general, PEOPLE.juno);
    expect(await channel.say(PEOPLE.juno, "what time is it in Tokyo?")).toMatchObject({
      seen: "thinking",
      status: null,
    });
    expect(await channel.settled(1)).toEqual([expect.stringContaining("Tokyo")]);
    await running?.prints(`answered after`);
    expect(running?.out().match(/answered after/g)).toHaveLength(1);
    const events = await fetch(`http://127.0.0.1:${port}/events`);
    const { value } = (await events.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("the live log");
  });

  it("answers a mention with a reply", async () => {
    const channel = channelAt(world, PLACES.general, PEOPLE.juno);
    const before = channel.messages().length;
    const content = `<@${world.applicationId}> what time is it in Tokyo?`;
    const id = world.discord.speak({ as: PEOPLE.juno, channel: PLACES.general, content });
    expect((await channel.settled(before + 1)).at(-1)).toContain("Tokyo");
    expect(channel.messages().at(-1)).toMatchObject({ repliesTo: { id } });
  });

  it("does not run twice on one computer", async () => {
    const { code, err } = await runCommand("start", ["--port", String(await freePort(0))], shell());
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`already running on this computer: see http://127.0.0.1:${port}`),
    ]);
  });

  it("ends with Ctrl-C: the connection is closed with 1000, and the exit code is 0", async () => {
    expect(await running?.end("SIGINT")).toBe(0);
    // The end of a socket and the end of a process are noticed in any order.
    await expect.poll(closes).toEqual(["1000 by application"]);
    expect(running?.out()).toContain("The bot is offline.");
    // What contained the token is gone.
    expect(existsSync(join(folder, "worker"))).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it("remembers the conversation when it is started again", async () => {
    await start();
    const channel = channelAt(world, PLACES.general, PEOPLE.juno);
    await channel.say(PEOPLE.juno, "hello");
    await channel.settled(3);
    const shown = await world.discord.interact({
      kind: "command",
      as: PEOPLE.juno,
      channel: PLACES.general,
      name: "privacy",
      subcommand: "show",
    });
    const { content } =
      world.discord.messages(PLACES.general, PEOPLE.juno).find(({ id }) => id === shown.messageId) ?? {};
    expect(content).toContain("- Here: 3 questions of yours with my answers");
  });

  it("ends the runtime of a start that was killed, before it connects", async () => {
    const before = identifies();
    await running?.end("SIGKILL");
    await start();
    expect(closes().slice(1)).toEqual(["1000 by application"]);
    expect(identifies()).toBe(before + 1);
    expect(world.discord.gateway.status().connections.length).toBe(1);
  });

  it("ends with a sentence if Discord refuses the connection, and tries again at the next start", async () => {
    const closed = once(running?.child ?? process, "close");
    world.discord.gateway.act({ act: "close", code: 4014, reason: "Disallowed intent(s)." });
    expect((await closed)[0]).toBe(1);
    expect(running?.out()).toContain("Open its Bot page in Discord's Developer Portal and switch Message Content on.");
    await start();
    expect(running?.out()).toContain("Connected to Discord.");
  });

  it("says so if its runtime ends by itself, and leaves no token behind", async () => {
    const closed = once(running?.child ?? process, "close");
    const { pid } = JSON.parse(readFileSync(join(folder, "start.json"), "utf8")) as { pid: number };
    process.kill(-pid, "SIGKILL");
    expect((await closed)[0]).toBe(1);
    expect(running?.out()).toContain("The local runtime stopped unexpectedly.");
    expect(existsSync(join(folder, "worker"))).toBe(false);
  });

  it("ends as with Ctrl-C if its terminal is closed, which can't be written to", async () => {
    const { child, end } = await start();
    const before = closes().length;
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect(await end("SIGHUP")).toBe(0);
    await expect.poll(() => closes().slice(before)).toEqual(["1000 by application"]);
    expect(existsSync(join(folder, "worker"))).toBe(false);
  });
});
