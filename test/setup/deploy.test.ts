// `npm run deploy`: what it passes to wrangler; and what the setup's deploy reads in wrangler's answer.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { takeName } from "../../src/setup/arguments.ts";
import { failure } from "../../src/setup/copy/setup.ts";
import { runDeploy } from "../../src/setup/run-deploy.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { deploy } from "../../src/setup/wrangler.ts";
import { createSetupWorld, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

let world: SetupWorld;
afterEach(() => world?.close());

/** The configuration and the arguments of the deploy to a Worker with these secrets, or to none if null. */
async function deployed(secrets: Record<string, string> | null, hasAi = false) {
  world = createSetupWorld();
  if (secrets) world.cloud.workers.set("parley", { secrets, hasAi, deploys: 1, isParley: true });
  const ran: (readonly string[])[] = [];
  const scripted = world.ports.runWrangler;
  world.ports.runWrangler = async (args, options) => {
    if (args[0] !== "deploy") return scripted(args, options);
    ran.push(args);
    return { code: 3, stdout: "", stderr: "" };
  };
  const code = await runDeploy(world.ports, "parley", ["--dry-run"]);
  const args = ran[0] ?? [];
  return { code, args, hasAi: readFileSync(args[4] ?? "", "utf8").includes("[ai]") };
}

it.each([
  ["that is not there", null, false, true],
  ["without a model", {}, false, true],
  ["with a key", { OPENAI_API_KEY: "k" }, false, false],
  ["with models", { MODELS: "[]" }, false, false],
  ["with a key and also a model of Workers AI", { OPENAI_API_KEY: "k", IMAGE_MODEL: "@cf/x" }, true, true],
  ["with a key and also a model that may be of Workers AI", { OPENAI_API_KEY: "k", IMAGE_MODEL: "x" }, false, true],
  ["with models of Workers AI", { MODELS: "[]" }, true, true],
] as const)("a Worker %s is deployed with the Workers AI binding if it needs it", async (_, secrets, had, has) => {
  const { code, args, hasAi } = await deployed(secrets, had);
  expect([code, hasAi]).toEqual([3, has]);
  expect([args.slice(0, 4), args.slice(5)]).toEqual([["deploy", "--name", "parley", "--config"], ["--dry-run"]]);
});

it("deploys a checkout with Windows line ends", async () => {
  world = createSetupWorld();
  const path = join(world.ports.root, "wrangler.toml");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", "\r\n"));
  world.ports.runWrangler = async () => ({ code: 0, stdout: "", stderr: "" });
  expect(await runDeploy(world.ports, "parley", [])).toBe(0);
  const written = readFileSync(join(world.ports.root, "wrangler.deploy.toml"), "utf8");
  expect(written).toContain('main = ".wrangler/modules/index.js"\nbase_dir = ');
  expect(written).not.toContain("\r");
});

it.each([
  ["wrangler", "can't connect"],
  ["this program", "ENOTFOUND"],
])("says after a failed deploy that %s could not reach Cloudflare, and what to do", async (who, reason) => {
  world = createSetupWorld();
  world.cloud.instead.deploy = { code: 1, stdout: "", stderr: "" };
  const connectivity = `\u25b2 [WARNING] A fetch request failed, likely due to a connectivity issue.\n\n\u2718 [ERROR] ${reason}\n`;
  if (who === "wrangler") world.cloud.instead.whoami = { code: 1, stdout: "", stderr: connectivity };
  else world.hosts.set("api.cloudflare.com", () => Promise.reject(new Error(reason)));
  expect(await runDeploy(world.ports, "parley", [])).toBe(1);
  expect(world.screen).toEqual([`✗ ${failure.cloudflareLost(reason)}`]);
  // A proxy that only wrangler uses is no reason to stop it.
  world.screen.length = 0;
  world.cloud.instead.deploy = { code: 0, stdout: "", stderr: "" };
  expect([await runDeploy(world.ports, "parley", []), world.screen]).toEqual([0, []]);
});

it("deploys nothing over a Worker that belongs to another program", async () => {
  world = createSetupWorld();
  world.cloud.workers.set("parley", { secrets: {}, hasAi: false, deploys: 1, isParley: false });
  expect([await runDeploy(world.ports, "parley", []), world.screen]).toEqual([1, [`✗ ${failure.notParley("parley")}`]]);
  expect(world.ran.filter(([command]) => command === "deploy")).toEqual([]);
});

it("deploys nothing if the configuration can't be written, and says so", async () => {
  world = createSetupWorld();
  const path = join(world.ports.root, "wrangler.deploy.toml");
  mkdirSync(path);
  expect([await runDeploy(world.ports, "parley", []), world.screen]).toEqual([1, [`✗ ${failure.notWritable(path)}`]]);
  expect(world.ran).toEqual([]);
});

it("runs one at a time in a folder, whichever command starts it, and frees the folder afterwards", async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN });
  const flags = { yes: true, name: "parley", newKey: false };
  let isFree = false;
  world.ports.claimFiles = () => {
    if (!isFree) return null;
    isFree = false;
    return () => {
      isFree = true;
    };
  };
  expect([await runDeploy(world.ports, "parley", []), await runSetup(world.ports, flags)]).toEqual([1, 1]);
  expect(world.screen.filter((line) => line === `✗ ${failure.otherDeploy}`)).toHaveLength(2);
  expect(world.ran.filter(([command]) => command === "deploy")).toEqual([]);
  isFree = true;
  expect([await runSetup(world.ports, flags), isFree]).toEqual([0, true]);
  world.cloud.instead.deploy = { code: 1, stdout: "", stderr: "no" };
  expect([await runDeploy(world.ports, "parley", []), isFree]).toEqual([1, true]);
});

it.each([
  [["--name", "second", "--dry-run"], "second", ["--dry-run"]],
  [["--dry-run", "--name=second"], "second", ["--dry-run"]],
  [["--name"], "", []],
  [["--dry-run"], null, ["--dry-run"]],
])("takes the name out of %j", (args, name, more) => {
  expect(takeName(args)).toEqual({ name, more });
});

it.each([
  [["https://parley.juno.workers.dev/", "schedule: */5 * * * *"], "https://parley.juno.workers.dev"],
  [["schedule: */5 * * * *"], null],
  [undefined, null],
])("of the targets %j, uses the address %s", async (targets, url) => {
  world = createSetupWorld();
  world.ports.runWrangler = async (_, { env = {} } = {}) => {
    writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify({ type: "deploy", targets })}\n`);
    return { code: 0, stdout: "", stderr: "" };
  };
  const how = { name: "parley", withAi: false, secrets: {}, env: {} };
  expect(await deploy(world.ports, how)).toEqual({ ok: true, url, hasCron: true });
});
