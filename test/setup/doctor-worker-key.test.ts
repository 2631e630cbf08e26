// The Worker's model key is not always the local one, and people are answered with the Worker's.
import { afterEach, beforeEach, expect, it } from "vitest";
import { healthWarnings } from "../../src/core/copy/health.ts";
import { rowNames, unseen, well, wrong } from "../../src/setup/copy/doctor.ts";
import { runDoctor } from "../../src/setup/run-doctor.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const HOST = "api.openai.com";
const REFUSED = { error: { code: "invalid_api_key", message: "…" } };
let world: SetupWorld;

/** A bot that was set up, whose provider accepts only this key. */
beforeEach(async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
  expect(await runSetup(world.ports, { yes: false, name: "parley", newKey: false })).toBe(0);
  world.hosts.set(HOST, ({ headers }) =>
    headers.get("Authorization") === `Bearer ${MODEL_KEY}`
      ? Response.json({ choices: [{ message: { content: "Hi" } }] })
      : Response.json(REFUSED, { status: 401 }),
  );
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  Object.assign(secrets, { OPENAI_API_KEY: "sk-ended", INSPECT_TOKEN: "secret-of-the-inspector" });
  world.variables.INSPECT_TOKEN = "secret-of-the-inspector";
});
afterEach(() => world.close());

async function rows(): Promise<string[]> {
  world.screen.length = 0;
  await runDoctor(world.ports, {
    ...{ name: "parley", fix: false, json: false, url: null, channel: null, devVars: null, node: "24.1.0" },
  });
  const wanted = ([17, 18, 19, 20] as const).map((row) => ` ${rowNames[row]}: `);
  return world.screen.filter((line) => wanted.some((name) => line.slice(1).startsWith(name)));
}

const WORKERS = `✗ ${rowNames[17]}: ${healthWarnings.keyRefused(HOST)} → npm run setup -- --new-key`;

it("is wrong if only the Worker's is refused; the local one then tells about the address and the model", async () => {
  expect(await rows()).toEqual([
    WORKERS,
    `– ${rowNames[18]}: ${unseen.comesAfter(rowNames[17])}`,
    `✓ ${rowNames[19]}: ${well.modelAddress}`,
    expect.stringMatching(`^✓ ${rowNames[20]}: `),
  ]);
});

it("is not blamed if the local one is refused too, which is then named", async () => {
  world.variables.OPENAI_API_KEY = "sk-wrong";
  const [first] = await rows();
  expect(first).toBe(`✗ ${rowNames[17]}: ${wrong.modelKey("OPENAI_API_KEY", HOST)} → npm run setup -- --new-key`);
});

it("must be replaced where it is stored, even if MODELS names the variable that contains it", async () => {
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  Object.assign(secrets, {
    MODELS: JSON.stringify([{ id: "a", model: "gpt-5-mini", apiKeyVar: "KEY_A" }]),
    KEY_A: "sk-ended",
  });
  expect((await rows())[0]).toBe(WORKERS);
  world.screen.length = 0;
  expect(await runSetup(world.ports, { yes: false, name: "parley", newKey: true })).toBe(1);
  expect(world.screen.join("\n")).toContain("the variable that an entry names with `apiKeyVar`");
});

it("is also found wrong without a local key", async () => {
  world.variables.OPENAI_API_KEY = undefined;
  expect((await rows())[0]).toBe(WORKERS);
});
