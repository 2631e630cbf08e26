// Setup and deploy with a full disk: a sentence instead of a stack trace, and the next run continues.
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { failure } from "../../src/setup/copy/setup.ts";
import { findUnwritable } from "../../src/setup/deploy-config.ts";
import { runDeploy } from "../../src/setup/run-deploy.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const FLAGS = { yes: true, name: "parley", newKey: false };
let world: SetupWorld;
let config: string;

/** A file that can be opened but has no room: Linux provides one. */
beforeEach(() => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
  config = join(world.ports.root, "wrangler.deploy.toml");
  symlinkSync("/dev/full", config);
});
afterEach(() => world.close());

it("setup says so, leaves no secret behind, and continues once there is room", async () => {
  expect(await runSetup(world.ports, FLAGS)).toBe(1);
  expect(world.screen.slice(-2)).toEqual([`✗ ${failure.noRoom}`, failure.again]);
  expect([world.leftovers(), world.cloud.workers.size]).toEqual([[], 0]);
  rmSync(config);
  expect(await runSetup(world.ports, FLAGS)).toBe(0);
});

it("deploy says so, and lets the next one run", async () => {
  let claims = 0;
  world.ports.claimFiles = () => {
    claims++;
    return () => void claims--;
  };
  expect([await runDeploy(world.ports, "parley", []), world.screen]).toEqual([1, [`✗ ${failure.noRoom}`]]);
  expect([claims, world.ran.filter(([command]) => command === "deploy")]).toEqual([0, []]);
});

it("a full disk says nothing about who owns the folder, even if the file can't be created", () => {
  const open = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  expect(findUnwritable(world.ports.root, open("ENOSPC"))).toBe(null);
  expect(findUnwritable(world.ports.root, open("EACCES"))).toBe(config);
});
