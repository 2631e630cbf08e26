// The scripts of package.json as people run them: what they print, and the exit code that a shell sees.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";
import { createE2eWorld, type E2eWorld } from "../support/e2e-harness.ts";
import { runScript } from "../support/process.ts";

describe("npm run chat", () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await launchPlayground({ port: 0, quiet: true });
  });
  afterAll(() => playground?.stop());

  const chat = (message: string) => runScript("chat", [message, "--url", playground.url]);

  it("prints an answer that a tool helped with, and succeeds", async () => {
    const { code, out } = await chat("what time is it in Tokyo?");
    expect([code, out]).toEqual([0, expect.stringMatching(/Tokyo[\s\S]*\n$/)]);
    const asked = await (await fetch(`${playground.url}/local/model/log`)).text();
    expect(asked).toContain('"tool_call_id"');
  });

  it("fails when the answer is an error", async () => {
    const { code, out } = await chat("fail");
    expect([code, out]).toEqual([1, expect.stringContaining("⚠️")]);
  });

  it("fails without a playground, and says how to start one", async () => {
    const { code, out, err } = await runScript("chat", ["hello", "--url", "http://127.0.0.1:9"]);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("npm start")]);
  });
});

describe("npm run register", () => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await createE2eWorld();
  });
  afterAll(() => world?.close());

  const register = (args: string[], token: string) =>
    runScript("register", args, {
      DISCORD_APPLICATION_ID: token && world.applicationId,
      DISCORD_BOT_TOKEN: token,
      DISCORD_API_BASE_URL: `${world.url}/api/v10`,
    });

  it("with --dry-run prints the commands as JSON and nothing else, without a token, and sends nothing", async () => {
    const { code, out } = await register(["--dry-run"], "");
    expect([code, JSON.parse(out)]).toEqual([0, registration()]);
    expect(world.discord.log).toEqual([]);
  });

  it("registers commands that a strict Discord accepts, for everyone or for one guild", async () => {
    expect((await register([], APPLICATION.botToken)).code).toBe(0);
    expect((await register(["--guild", PLACES.guild], APPLICATION.botToken)).code).toBe(0);
    const names = registration().map(({ name }) => name);
    const registered = (scope: string) => world.discord.commands(scope).map(({ name }) => name);
    expect([registered("global"), registered(PLACES.guild)]).toEqual([names, names]);
    expect(world.discord.violations).toEqual([]);
  });

  it("fails with Discord's own words when the token is refused", async () => {
    const { code, out, err } = await register([], "another");
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("401")]);
    expect(err).not.toContain("another");
  });
});
