// An application with an Activity has a command that opens it, and Discord refuses to overwrite the commands without that one.
import { afterEach, expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { registerCommands } from "../../src/discord/rest/register-commands.ts";
import { runDoctor } from "../../src/setup/run-doctor.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { APPLICATION_ID, BASE, createSetupWorld, MODEL_KEY, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const LAUNCH = { name: "Launch", type: 4, handler: 2, description: "" };
const NAMES = [...registration().map(({ name }) => name), "Launch"];
let world: SetupWorld;
afterEach(() => world.close());

/** The client of `npm run register` and `npm start`. */
const rest = () => ({
  fetch: (url: string, init: RequestInit) => world.discord.fetch(new Request(url, init)),
  baseUrl: BASE,
  userAgent: "DiscordBot (x, 1)",
  botToken: TOKEN,
});
const registered = () => world.discord.commands().map(({ name }) => name);

/** Switches Activities on, which makes Discord create the command. */
async function withActivity(): Promise<void> {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
  expect(await registerCommands(rest(), { applicationId: APPLICATION_ID }, [LAUNCH])).toEqual({ ok: true });
}

it("setup leaves it next to our commands, and does not ask whether it may remove it", async () => {
  await withActivity();
  expect(await runSetup(world.ports, { yes: false, name: "parley", newKey: false })).toBe(0);
  expect([registered(), world.discord.violations]).toEqual([NAMES, []]);
  expect(world.screen.filter((line) => line.includes("Launch"))).toEqual([]);
});

it("the doctor finds nothing wrong with it, and fixes our commands next to it", async () => {
  await withActivity();
  await runSetup(world.ports, { yes: false, name: "parley", newKey: false });
  const nothing = { json: false, url: null, channel: null, devVars: null, node: "24.1.0" };
  const mend = () => runDoctor(world.ports, { ...nothing, fix: true, name: "parley" });
  expect(await mend()).toBe(0);
  await registerCommands(rest(), { applicationId: APPLICATION_ID }, [LAUNCH, { name: "old", description: "Gone." }]);
  expect([await mend(), registered(), world.discord.violations]).toEqual([0, NAMES, []]);
});

it("a registration that Discord refuses because of it is repeated with it", async () => {
  await withActivity();
  expect(await registerCommands(rest(), { applicationId: APPLICATION_ID }, registration())).toEqual({ ok: true });
  expect([registered(), world.discord.violations]).toEqual([NAMES, []]);
});
