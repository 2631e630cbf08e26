// What a tired person pastes or types at the wrong question: it is noticed there, and goes to no one.
import { afterEach, expect, it } from "vitest";
import { answerFault, question } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

let world: SetupWorld;
afterEach(() => world.close());

const run = (...answers: SetupWorld["answers"]) => {
  world.answers.push([question.token, TOKEN], ...answers);
  return runSetup(world.ports, { yes: false, name: "parley", newKey: false });
};

/** Whoever copied the bot's token has it in the clipboard still. */
const PASTED = ` "${TOKEN}"`;

it("asks no model's provider with the bot's token", async () => {
  world = createSetupWorld();
  await run([question.modelKey, PASTED]);
  expect(world.screen).toContain(`  ${answerFault.tokenAsKey}`);
  expect(world.sent.filter((request) => request.includes("openai"))).toEqual([]);
});

it("gives Cloudflare no bot's token", async () => {
  world = createSetupWorld();
  world.cloud.accounts = null;
  const { terminal } = world.ports;
  const { askSecret } = terminal;
  terminal.askSecret = (text, fault) => {
    // Whoever is asked a second time how to log in gives up.
    if (text === question.apiToken) world.answers.unshift([question.login, null]);
    return askSecret(text, fault);
  };
  await run([question.login, "token"], [question.apiToken, PASTED]);
  expect(world.screen).toContain(`  ${answerFault.tokenAsLogin}`);
  expect(world.ran.map(([command]) => command)).toEqual(["whoami"]);
});

it.each([" juno-2 ", "Juno-2", "juno-2.workers.dev"])("reads %j as the account's name", async (typed) => {
  world = createSetupWorld();
  world.cloud.subdomain = null;
  expect(await run([question.subdomain, typed])).toBe(0);
  expect(world.cloud.subdomain).toBe("juno-2");
});
