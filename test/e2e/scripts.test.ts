// What start and register do as people run them: what they print, and the exit code that a shell sees. Tests that need a playground are in
// playground.test.ts.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { createE2eWorld, type E2eWorld } from "../support/e2e-harness.ts";
import { runCommand } from "../support/process.ts";

describe("npm start", () => {
  it("refuses --fresh with a bot's token, before it asks Discord anything", async () => {
    const env = { DISCORD_BOT_TOKEN: "a.b.c", DISCORD_API_BASE_URL: "http://127.0.0.1:1" };
    const { code, out, err } = await runCommand("start", ["--fresh"], env);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^--fresh empties the local Discord, .+ the real one\. Leave one of them out\.\nUsage: /);
  });

  it("on a busy port fails with one sentence that names the flag", async () => {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const ran = await runCommand("start", ["--port", String(port)]);
    server.close();
    expect(ran).toEqual({ code: 1, out: "", err: `Port ${port} is busy. Choose another with --port.\n` });
  });
});

describe("npm run register", () => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await createE2eWorld();
  });
  afterAll(() => world?.close());

  const register = (args: string[], token: string) =>
    runCommand("register", args, {
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
    // Pasted into an environment, it may have a line break at its end.
    expect((await register([], `${APPLICATION.botToken}\n`)).code).toBe(0);
    // The Worker accepts an address with a slash at its end, and both use the same .dev.vars.
    const env = { DISCORD_APPLICATION_ID: world.applicationId, DISCORD_BOT_TOKEN: APPLICATION.botToken };
    const slashed = { ...env, DISCORD_API_BASE_URL: `${world.url}/api/v10/` };
    expect((await runCommand("register", ["--guild", PLACES.guild], slashed)).code).toBe(0);
    const names = registration().map(({ name }) => name);
    const registered = (scope: string) => world.discord.commands(scope).map(({ name }) => name);
    expect([registered("global"), registered(PLACES.guild)]).toEqual([names, names]);
    expect(world.discord.violations).toEqual([]);
  });

  it("fails with Discord's own words if the token is refused", async () => {
    const { code, out, err } = await register([], "another");
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(/401[\s\S]+\nThe token is not valid\. .+\n$/)]);
    expect(err).not.toContain("another");
  });

  it.each([
    [[], /\nDISCORD_APPLICATION_ID is not the application of this token\. .+\n$/],
    [["--guild", "5"], /\nThe bot has to be in the server 5, and DISCORD_APPLICATION_ID .+\n$/],
  ])("with %j says what causes Discord's refusal of access", async (args, advice) => {
    const env = { DISCORD_APPLICATION_ID: "999", DISCORD_BOT_TOKEN: APPLICATION.botToken };
    const ran = await runCommand("register", args, { ...env, DISCORD_API_BASE_URL: `${world.url}/api/v10` });
    expect([ran.code, ran.out, ran.err]).toEqual([1, "", expect.stringMatching(advice)]);
  });

  it.each(["token-in\ntwo-lines", "token-in\u2026dots", '"token-in.some.quotes"'])(
    "refuses what can't be a token, and does not print %j",
    async (token) => {
      const { code, out, err } = await register([], token);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^DISCORD_BOT_TOKEN has a character that no token has\./);
      expect(err).not.toContain("token-in");
    },
  );

  it("says what to check if Discord can't be reached", async () => {
    const env = { DISCORD_APPLICATION_ID: "1", DISCORD_BOT_TOKEN: "t", DISCORD_API_BASE_URL: "http://127.0.0.1:1" };
    const { code, out, err } = await runCommand("register", [], env);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^Discord can't be reached at http:\/\/127\.0\.0\.1:1: .+\nCheck your network, and run this again\.\n$/,
    );
  });
});
