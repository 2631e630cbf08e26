// A login whose refusal by Cloudflare shows only later: what the person reads, and what they need not do again.
import { afterEach, expect, it } from "vitest";
import { failure, question } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, SECRETS, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

let world: SetupWorld;
afterEach(() => {
  for (const secret of SECRETS) expect(world.screen.filter((line) => line.includes(secret))).toEqual([]);
  world.close();
});

function person(): void {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
}
const run = () => runSetup(world.ports, { yes: false, name: "parley", newKey: false });
const faults = () => world.screen.filter((line) => line.startsWith("✗ ")).map((line) => line.slice(2));

it("is requested again if the API token was pasted, perhaps with quotes around it", async () => {
  person();
  world.cloud.accounts = null;
  let pastes = 0;
  const { askSecret } = world.ports.terminal;
  world.ports.terminal.askSecret = async (asked, fault) => {
    if (asked !== question.apiToken) return askSecret(asked, fault);
    pastes++;
    return pastes === 1 ? "secret-of-another" : ' "secret-of-cloudflare" ';
  };
  world.answers.push([question.login, "token"]);
  const scripted = world.ports.runWrangler;
  world.ports.runWrangler = async (args, options) => {
    const token = options?.env?.CLOUDFLARE_API_TOKEN;
    if (token === "secret-of-cloudflare") world.cloud.accounts = [{ id: "acc1", name: "By token" }];
    return args[0] === "whoami" && token === "secret-of-another"
      ? { code: 1, stdout: "", stderr: "Invalid access token [code: 9109]" }
      : scripted(args, options);
  };
  const refused = failure.wranglerFailed("Invalid access token [code: 9109]");
  expect([await run(), faults(), pastes]).toEqual([0, [refused], 2]);
  expect(world.screen.filter((line) => line === `? ${question.token}`)).toHaveLength(1);
});

/** Wrangler's report of a failed deploy. */
const told = (reason: string, before = "") => `${before}\u2718 [ERROR] ${reason}\n`;
it.each([
  [
    "a login that may look but not deploy",
    told("A request to the Cloudflare API failed.\n\n  Authentication error [code: 10000]"),
    failure.wranglerFailed("A request to the Cloudflare API failed. Authentication error [code: 10000]"),
  ],
  [
    "a network that is gone in the meantime",
    told("fetch failed", "\u25b2 [WARNING] A fetch request failed, likely due to a connectivity issue.\n\n"),
    failure.cloudflareLost("fetch failed"),
  ],
  [
    "a limit of the account",
    told("A request to the Cloudflare API failed.\n\n  You have too many Workers [code: 10037]"),
    failure.deploy("A request to the Cloudflare API failed. You have too many Workers [code: 10037]"),
  ],
])("says what helps if a deploy fails because of %s", async (_, stderr, sentence) => {
  person();
  world.cloud.instead.deploy = { code: 1, stdout: "", stderr };
  expect([await run(), faults()]).toEqual([1, [sentence]]);
  world.cloud.instead = {};
  expect(await run()).toBe(0);
});
