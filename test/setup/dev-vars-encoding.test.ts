// A .dev.vars in an encoding that our scripts can read and wrangler can't.
import { afterEach, beforeEach, expect, it } from "vitest";
import { devVarsFault, rowNames, unseen, wrong } from "../../src/setup/copy/doctor.ts";
import { runDoctor } from "../../src/setup/run-doctor.ts";
import { createSetupWorld, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const FOR_DEV = { DISCORD_PUBLIC_KEY: "ab", DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "sk-1" };
let world: SetupWorld;

beforeEach(() => {
  // Without a token, nothing is compared with Discord.
  world = createSetupWorld({});
});
afterEach(() => world.close());

const row = async (devVars: Record<string, string>, isUtf16: boolean) => {
  await runDoctor(world.ports, {
    ...{ name: "parley", fix: false, json: false, url: null, channel: null, node: "24.1.0" },
    devVars,
    hasUtf16: isUtf16,
  });
  return world.screen.find((line) => line.includes(`${rowNames[25]}: `));
};

it("is wrong if wrangler is to read it, because every variable would be missing there", async () => {
  expect(await row(FOR_DEV, true)).toBe(`✗ ${rowNames[25]}: ${wrong.devVars([devVarsFault.encoding])}`);
});

it("is good enough if only the commands here read it", async () => {
  expect(await row({ DISCORD_BOT_TOKEN: TOKEN }, true)).toBe(`– ${rowNames[25]}: ${unseen.forCommands}`);
});
