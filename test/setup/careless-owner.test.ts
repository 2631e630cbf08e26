// An owner who runs the setup again, somewhere else or in another way: what the bot has stays, and so does what the setup was given.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { failure, question, warning } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import {
  APPLICATION_ID,
  BASE,
  createSetupWorld,
  MODEL_KEY,
  SECRETS,
  type SetupWorld,
  TOKEN,
} from "../support/setup-harness.ts";

const FLAGS = { yes: false, name: "parley", newKey: false };
const URL = "https://parley.juno.workers.dev";
let world: SetupWorld;
afterEach(() => {
  for (const secret of SECRETS) expect(world.screen.filter((line) => line.includes(secret))).toEqual([]);
  expect(world.leftovers()).toEqual([]);
  world.close();
});

/** A person with a token and a model key, who has set the bot up. */
async function owner(flags: Partial<typeof FLAGS> = {}): Promise<void> {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  expect(await run(flags)).toBe(0);
  world.screen.length = 0;
}
const run = (flags: Partial<typeof FLAGS> = {}) => runSetup(world.ports, { ...FLAGS, ...flags });
const faults = () => world.screen.filter((line) => line.startsWith("✗ ")).map((line) => line.slice(2));

it("creates no second Worker for a bot that runs in another account", async () => {
  await owner();
  const health = await world.ports.send(`${URL}/health`);
  const body = (await health.json()) as object;
  world.hosts.set("parley.juno.workers.dev", () => Response.json(body));
  world.cloud.workers.clear();
  world.cloud.subdomain = "other";
  expect([await run(), faults()]).toEqual([1, [failure.runsElsewhere(URL)]]);
  expect(world.cloud.workers.size).toBe(0);
  // The old Worker is gone, or belongs to another bot by now.
  world.hosts.set("parley.juno.workers.dev", () => Response.json({ ...body, applicationId: "999" }));
  expect(await run()).toBe(0);
});

it("creates no second Worker for a bot that runs under another name, and one where its owner wants it", async () => {
  await owner({ name: "second" });
  world.cloud.unreachable = 2;
  expect([await run(), faults()]).toEqual([1, [failure.runsElsewhere("https://second.juno.workers.dev")]]);
  expect([...world.cloud.workers.keys()]).toEqual(["second"]);
  world.discord.configure({ interactionsEndpoint: false });
  expect(await run()).toBe(0);
});

/** Someone has the token of an application whose commands another program answers. */
function withAnotherProgram(variables: Record<string, string> = {}): void {
  world = createSetupWorld(variables);
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  world.discord.configure({ interactionsEndpoint: true });
  world.hosts.set("parley.example", () => new Response("invalid request signature", { status: 401 }));
}
const OTHER = "https://parley.example/interactions";

it("replaces no other program unless somebody agrees, and changes nothing until then", async () => {
  withAnotherProgram();
  expect([await run(), faults()]).toEqual([1, [failure.notTakenOver]]);
  expect(world.screen).toContain(`? ${question.takeOver(OTHER)}`);
  expect([world.cloud.workers.size, world.discord.commands().length]).toEqual([0, 0]);
  expect(world.sent.filter((line) => /^(?:PATCH|PUT)/.test(line))).toEqual([]);
  world.answers.unshift([question.takeOver(OTHER), true]);
  expect(await run()).toBe(0);
  expect(world.cloud.workers.size).toBe(1);
});

it("names the program that it replaces if nothing can be asked", async () => {
  withAnotherProgram({ DISCORD_BOT_TOKEN: TOKEN });
  expect(await run({ yes: true })).toBe(0);
  expect(world.screen).toContain(`! ${warning.takesOver(OTHER)}`);
});

/** Someone has the token of a bot that gets its commands over Discord's Gateway. */
async function withGatewayBot(variables: Record<string, string> = {}): Promise<void> {
  world = createSetupWorld(variables);
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  await world.ports.send(`${BASE}/applications/${APPLICATION_ID}/commands`, {
    method: "PUT",
    headers: { Authorization: `Bot ${TOKEN}`, "Content-Type": "application/json", "User-Agent": "DiscordBot (x, 1)" },
    body: JSON.stringify(["play", "chat"].map((name) => ({ name, description: "Does something", type: 1 }))),
  });
  world.sent.length = 0;
}

it("removes no commands of a program whose address Discord doesn't have, unless somebody agrees", async () => {
  await withGatewayBot();
  expect([await run(), faults()]).toEqual([1, [failure.notTakenOver]]);
  expect(world.screen).toContain(`? ${question.takeCommands(["play"])}`);
  expect([world.cloud.workers.size, world.discord.commands().length]).toEqual([0, 2]);
  expect(world.sent.filter((line) => /^(?:PATCH|PUT)/.test(line))).toEqual([]);
  world.answers.unshift([question.takeCommands(["play"]), true]);
  expect(await run()).toBe(0);
  world.discord.configure({ interactionsEndpoint: false });
  expect(await run()).toBe(0);
});

it("names the commands that it replaces if nothing can be asked", async () => {
  await withGatewayBot({ DISCORD_BOT_TOKEN: TOKEN });
  expect(await run({ yes: true })).toBe(0);
  expect(world.screen).toContain(`! ${warning.takesCommands(["play"])}`);
});

it("keeps the binding that another model needs when the key is replaced", async () => {
  await owner();
  const stored = world.cloud.workers.get("parley");
  Object.assign(stored ?? {}, { hasAi: true });
  Object.assign(stored?.secrets ?? {}, { IMAGE_MODEL: "@cf/black-forest-labs/flux-1-schnell" });
  expect([await run({ newKey: true }), faults()]).toEqual([0, []]);
  expect(world.cloud.workers.get("parley")?.hasAi).toBe(true);
});

it("adds the binding for a model of Workers AI that was configured next to the key", async () => {
  await owner();
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { TRANSCRIBE_MODEL: "@cf/openai/whisper" });
  expect([await run(), faults()]).toEqual([0, []]);
  expect(world.screen.at(-1)).toContain("what its provider charges for your key");
});

it("says which variables it leaves alone because the Worker already has an answer, and how to change that", async () => {
  await owner();
  const before = { ...world.cloud.workers.get("parley")?.secrets };
  Object.assign(world.variables, { STRANGERS: "yes", MAX_USD_PER_DAY: "1", DISCORD_GATEWAY: "on" });
  expect(await run()).toBe(0);
  expect(world.cloud.workers.get("parley")?.secrets).toEqual(before);
  expect(world.screen.filter((line) => line.startsWith("! "))).toEqual([
    `! ${warning.notTaken("STRANGERS", ["SERVERS", "VISITORS"])}`,
    `! ${warning.notTaken("MAX_USD_PER_DAY", ["MAX_USD_PER_DAY"])}`,
    `! ${warning.notTaken("DISCORD_GATEWAY", ["DISCORD_GATEWAY"])}`,
  ]);
});

it.each(["PATCH /applications/@me", "/commands", "GET /users/@me/guilds"])(
  "believes no web page that comes instead of Discord at %s",
  async (part) => {
    world = createSetupWorld();
    world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
    const stop = world.discord.addWeather(({ method, path }) =>
      `${method} ${path}`.includes(part) ? new Response("<html>Log in to this network</html>") : null,
    );
    expect([await run(), faults()]).toEqual([1, [failure.discordUnreachable("a web page came instead")]]);
    stop();
    expect(await run()).toBe(0);
  },
);

it("prints no character of a server's name that would move the cursor or set the clipboard", async () => {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  world.discord.addWeather(({ path }) =>
    path === "/users/@me/guilds" ? Response.json([{ id: "1", name: "Har\u001b]52;c;eA==\u0007bor\u009b2J" }]) : null,
  );
  expect(await run()).toBe(0);
  expect(world.screen.join("\n")).toContain("The bot is in Har ]52;c;eA== bor 2J");
  expect(world.screen.join("\n").replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

it.each(["pasted", "in the environment"])("sends a key that is %s in quotes to its own provider", async (how) => {
  world = createSetupWorld(how === "pasted" ? {} : { OPENAI_API_KEY: '"gsk_another"' });
  world.answers.push([question.token, TOKEN], [question.modelKey, '"gsk_another"']);
  world.hosts.set("api.groq.com", () => Response.json({ choices: [] }));
  expect(await run()).toBe(0);
  expect(world.cloud.workers.get("parley")?.secrets.OPENAI_API_KEY).toBe("gsk_another");
  expect(world.sent.filter((line) => line.includes("api.openai.com"))).toEqual([]);
});

it("says at an update what a bot that hears mentions costs", async () => {
  await owner();
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_GATEWAY: "on" });
  expect(await run()).toBe(0);
  expect(world.screen.at(-1)).toContain("about 200 one-minute answers a day");
});

it("takes no key away from a Worker whose MODELS may need it", async () => {
  await owner();
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  secrets.MODELS = '[{"id":"a","model":"gpt-5"}]';
  expect([await run({ newKey: true }), faults()]).toEqual([1, [failure.modelsStay]]);
  expect(world.cloud.workers.get("parley")?.secrets.OPENAI_API_KEY).toBe(MODEL_KEY);
});

it.each<Partial<typeof FLAGS>>([{ newKey: true }, { yes: true }])(
  "gives no other address to a Worker's MODELS (%o)",
  async (flags) => {
    await owner();
    const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
    Object.assign(secrets, { MODELS: '[{"id":"a","model":"gpt-5","apiKeyVar":"OTHER"}]', OTHER: "a key of OpenAI" });
    Object.assign(world.variables, { OPENAI_API_KEY: "gsk_another", DISCORD_BOT_TOKEN: TOKEN });
    world.hosts.set("api.groq.com", () => Response.json({ choices: [] }));
    expect([await run(flags), faults()]).toEqual(flags.newKey ? [1, [failure.modelsStay]] : [0, []]);
    expect(world.cloud.workers.get("parley")?.secrets.OPENAI_BASE_URL).toBe("https://api.openai.com/v1");
  },
);

/** As wrangler wraps a reason. */
const said = (reason: string, more = "") =>
  `${more}\u2718 [ERROR] ${reason}\n\n  If you think this is a bug, please open an issue at: https://x.example\n`;
it.each([
  [
    "no network",
    said("fetch failed", "\u25b2 [WARNING] A fetch request failed, likely due to a connectivity issue.\n\n"),
    failure.cloudflareLost("fetch failed"),
  ],
  [
    "a Cloudflare that is down",
    said("Received a malformed response from the API\n\n  <html>\n  GET /user -> 503 Service Unavailable"),
    failure.cloudflare("Received a malformed response from the API <html> GET /user -> 503 Service Unavailable"),
  ],
  [
    "a limit of its rate",
    said("A request to the Cloudflare API (/user) failed.\n\n  rate limited [code: 971]"),
    failure.cloudflare("A request to the Cloudflare API (/user) failed. rate limited [code: 971]"),
  ],
  [
    "its own fault",
    said("A request to the Cloudflare API (/user) failed.\n\n  An unknown error has occurred [code: 10013]"),
    failure.cloudflare("A request to the Cloudflare API (/user) failed. An unknown error has occurred [code: 10013]"),
  ],
  [
    "a token that is wrong",
    said("A request to the Cloudflare API (/user) failed.\n\n  Invalid request headers [code: 6003]"),
    failure.wranglerFailed("A request to the Cloudflare API (/user) failed. Invalid request headers [code: 6003]"),
  ],
])("says what helps against %s", async (_, stderr, sentence) => {
  await owner();
  world.cloud.instead.whoami = { code: 1, stdout: "", stderr };
  expect([await run(), faults()]).toEqual([1, [sentence]]);
});

it("ends if the bot has joined no server for half an hour, and says so", async () => {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  const { openBrowser } = world.ports;
  world.ports.openBrowser = async () => {};
  expect([await run(), faults()]).toEqual([1, [failure.noServer]]);
  world.ports.openBrowser = openBrowser;
  expect(await run()).toBe(0);
});

// No one can create a folder in /proc, not even root.
it.each(["/nowhere/at/all", "/proc"])(
  "says so if temporary files can't be created in %s, before it asks anything",
  async (folder) => {
    await owner();
    world.ports.tempFolder = folder;
    expect([await run(), world.screen]).toEqual([1, [`✗ ${failure.noTempFolder(folder)}`]]);
  },
);

it("says so if the deploy's configuration can't be written, before it asks anything", async () => {
  await owner();
  const path = join(world.ports.root, "wrangler.deploy.toml");
  rmSync(path);
  mkdirSync(path);
  expect([await run(), world.screen]).toEqual([1, [`✗ ${failure.notWritable(path)}`]]);
});

it("says at an update that the free plan is used up, which is not the new address's fault", async () => {
  await owner();
  world.hosts.set("parley.juno.workers.dev", () => new Response("error code: 1027", { status: 429 }));
  expect([await run(), faults()]).toEqual([1, [failure.freePlan("error code: 1027")]]);
});

it("continues to the end if the account has no cron trigger left, and says what that means", async () => {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  world.cloud.takesCrons = false;
  expect([await run(), faults()]).toEqual([0, []]);
  expect(world.screen).toContain(`! ${warning.noCron}`);
  expect(world.discord.commands().length).toBeGreaterThan(0);
});

it("says what another provider's key needs if it looks like one of OpenAI's", async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: "sk-ant-of-another" });
  world.hosts.set("api.openai.com", () => Response.json({ error: { code: "invalid_api_key" } }, { status: 401 }));
  expect(await run({ yes: true })).toBe(1);
  expect(faults()).toEqual([expect.stringMatching(/refuses this key.+OPENAI_BASE_URL and OPENAI_MODEL/)]);
});

it("asks a Worker more than once whose it is before it would overwrite another bot's", async () => {
  await owner();
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  Object.assign(secrets, { DISCORD_APPLICATION_ID: "999" });
  world.cloud.unreachable = 2;
  expect([await run(), faults()]).toEqual([1, [failure.otherApplication("parley", "999")]]);
  expect(world.cloud.workers.get("parley")?.deploys).toBe(1);
});

it("overwrites no Worker that may be another bot's and has its own address, unless Discord calls this bot somewhere", async () => {
  world = createSetupWorld();
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  world.cloud.workers.set("parley", { secrets: {}, hasAi: false, deploys: 1, isParley: true });
  world.cloud.isOnWorkersDev = false;
  world.hosts.set("parley.juno.workers.dev", () => new Response("error code: 1042", { status: 404 }));
  expect([await run(), faults()]).toEqual([1, [failure.offWorkersDev("parley")]]);
  expect(world.cloud.workers.get("parley")?.deploys).toBe(1);
  world.discord.configure({ interactionsEndpoint: true });
  world.hosts.set("parley.example", () => Response.json({ ok: true, applicationId: APPLICATION_ID }));
  await run();
  expect(world.cloud.workers.get("parley")?.deploys).toBe(2);
});

it("overwrites no Worker that may be another bot's and can't say so today because the free plan is used up", async () => {
  await owner();
  world.hosts.set("parley.juno.workers.dev", () => new Response("error code: 1027", { status: 429 }));
  world.discord.configure({ interactionsEndpoint: false });
  expect([await run(), faults()]).toEqual([1, [failure.freePlan("error code: 1027")]]);
  expect(world.cloud.workers.get("parley")?.deploys).toBe(1);
});

it.each([
  [
    "[custom build] RolldownError: \u001b[33m[UNRESOLVED_IMPORT] \u001b[0mCould not resolve 'zod/mini' in src/a.ts\n[custom build]   at x",
    "Could not resolve 'zod/mini' in src/a.ts",
  ],
  [
    "[custom build] node:internal\n[custom build] Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'rolldown' imported from /x.ts\n",
    "Cannot find package 'rolldown' imported from /x.ts",
  ],
  [
    "[custom build]     triggerUncaughtException(\n[custom build] [Error: EACCES: permission denied, rmdir '/a/.wrangler/modules'] {\n",
    "EACCES: permission denied, rmdir '/a/.wrangler/modules'",
  ],
  ["", "no reason was given"],
])("says what helps if the program can't be built, without wrangler's own trace", async (stdout, why) => {
  await owner();
  const stderr = "Running custom build `node src/setup/modules.ts` failed. There are likely more logs.";
  world.cloud.instead.deploy = { code: 1, stdout, stderr };
  expect([await run(), faults()]).toEqual([1, [failure.build(why)]]);
});

it.each([
  ["sk-of-openai", "api.openai.com", undefined, "The model costs at most $5 a day (MAX_USD_PER_DAY). "],
  [
    "gsk_of-groq",
    "api.groq.com",
    undefined,
    "The limit of $5 a day (MAX_USD_PER_DAY) stops this model only if its provider says",
  ],
  [
    "sk-of-openai",
    "api.openai.com",
    "a-model-of-mine",
    "The limit of $5 a day (MAX_USD_PER_DAY) stops this model only if",
  ],
  ["", "api.openai.com", undefined, "The model costs at most $5 a day"],
  [
    "",
    "api.openai.com",
    "@cf/meta/llama-of-some-kind",
    "The limit of $5 a day (MAX_USD_PER_DAY) stops this model only if",
  ],
])(
  "with the key %j at %s and OPENAI_MODEL=%s, doesn't promise a limit that stops nothing",
  async (key, host, model, sentence) => {
    world = createSetupWorld(model === undefined ? {} : { OPENAI_MODEL: model });
    world.answers.push([question.token, TOKEN], [question.modelKey, key]);
    world.hosts.set(host, () => Response.json({ choices: [] }));
    expect(await run()).toBe(0);
    expect(world.screen.at(-1)).toContain(sentence);
    expect(world.screen.at(-1)).toContain("/owner usage");
  },
);

it("says how to remove the Worker that a secret alone has created, and does not treat it as its own", async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN });
  world.cloud.workers.set("parley", { secrets: { OPENAI_API_KEY: "k" }, hasAi: false, deploys: 0, isParley: false });
  expect([await run(), world.cloud.workers.get("parley")?.deploys]).toEqual([1, 0]);
  expect(faults()).toEqual([expect.stringContaining("`npx wrangler delete --name parley`")]);
});

it("says at an update with a new intent what a connection needs that began without it", async () => {
  await owner();
  world.discord.configure({ messageContentIntent: false });
  expect(await run()).toBe(0);
  expect(world.screen).not.toContain(`! ${warning.gatewayKeeps}`);
  world.discord.configure({ messageContentIntent: false });
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_GATEWAY: "on" });
  expect(await run()).toBe(0);
  expect(world.screen).toContain(`! ${warning.gatewayKeeps}`);
});
