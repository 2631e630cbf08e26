// What a tired person pastes or types at the wrong question: it is noticed there, and sent to no one.
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

/** A person who copied the bot's token still has it in the clipboard. */
const PASTED = ` "${TOKEN}"`;

it("doesn't send the bot's token to a model's provider", async () => {
  world = createSetupWorld();
  await run([question.modelKey, PASTED]);
  expect(world.screen).toContain(`  ${answerFault.tokenAsKey}`);
  expect(world.sent.filter((request) => request.includes("openai"))).toEqual([]);
});

it("doesn't send a bot's token to Cloudflare", async () => {
  world = createSetupWorld();
  world.cloud.accounts = null;
  const { terminal } = world.ports;
  const { askSecret } = terminal;
  terminal.askSecret = (text, fault) => {
    // A person who is asked a second time how to log in gives up.
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
