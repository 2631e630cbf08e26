// A model's address without a key: setup then chooses Workers AI, and the person must read that the address has no effect.
import { afterEach, expect, it } from "vitest";
import { question, warning } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

let world: SetupWorld;
afterEach(() => world.close());

it.each([
  ["a script", true, { OPENAI_BASE_URL: "https://model.example/v1", OPENAI_MODEL: "m" }, 1],
  ["a person who presses Enter", false, { OPENAI_BASE_URL: "https://model.example/v1" }, 1],
  ["a person without an address", false, {}, 0],
])("is named as unused: %s", async (_, yes, variables, warnings) => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, ...variables });
  world.answers.push([question.modelKey, ""]);
  expect(await runSetup(world.ports, { yes, name: "parley", newKey: false })).toBe(0);
  expect(world.screen.filter((line) => line === `! ${warning.addressUnused}`)).toHaveLength(warnings);
  expect(world.cloud.workers.get("parley")?.hasAi).toBe(true);
});
