// A run of the doctor as a whole: what it says about what it can't see, what --fix and --json do together, and the Worker's name in advice.
import { afterEach, beforeEach, expect, it } from "vitest";
import { gatewayRefusals } from "../../src/core/copy/gateway.ts";
import { healthWarnings } from "../../src/core/copy/health.ts";
import { inviteLink } from "../../src/discord/invite-link.ts";
import { mended, rowNames, tokenQuestion, unseen, well, wrong } from "../../src/setup/copy/doctor.ts";
import { failure, question, warning } from "../../src/setup/copy/setup.ts";
import { type RunDoctor, runDoctor } from "../../src/setup/run-doctor.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { APPLICATION_ID, BASE, createSetupWorld, MODEL_KEY, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const LINK = inviteLink(APPLICATION_ID);
let world: SetupWorld;

/** A bot that was set up. */
beforeEach(async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
  expect(await runSetup(world.ports, { yes: false, name: "parley", newKey: false })).toBe(0);
});
afterEach(() => world.close());

async function examine(flags: Partial<RunDoctor> = {}) {
  world.screen.length = 0;
  const nothing = { fix: false, json: false, url: null, channel: null, devVars: null };
  await runDoctor(world.ports, { ...nothing, name: "parley", node: "24.1.0", ...flags });
  return { lines: [...world.screen], faults: world.screen.filter((line) => line.startsWith("✗ ")) };
}

it("names what it could not look at, and why", async () => {
  const unseenIn = async () => (await examine()).lines.filter((line) => line.startsWith("– "));
  world.cloud.unreachable = 1000;
  const silent = ([2, 3, 14, 22] as const).map((row) => `– ${rowNames[row]}: ${unseen.workerSilent}`);
  expect(await unseenIn()).toEqual(expect.arrayContaining(silent));
  world.cloud.unreachable = 0;
  world.discord.configure({ interactionsEndpoint: false, botIsMember: false });
  const [address, permissions] = [wrong.noEndpoint, wrong.commandsOnly(LINK)];
  expect(await unseenIn()).toEqual(
    expect.arrayContaining([`– ${rowNames[5]}: ${address}`, `– ${rowNames[11]}: ${permissions}`]),
  );
});

it("doesn't look for the key of a Worker that has none, logged in or not, but for one that MODELS may have", async () => {
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  const { OPENAI_API_KEY: key, ...others } = secrets;
  const rowsOf = async (why: string) => {
    const { lines } = await examine({ url: "https://parley.juno.workers.dev" });
    return lines.filter((line) => line === `– ${rowNames[17]}: ${why}` || line === `– ${rowNames[20]}: ${why}`).length;
  };
  world.variables.OPENAI_API_KEY = undefined;
  expect(await rowsOf(unseen.needsKey)).toBe(2);
  Object.assign(world.cloud.workers.get("parley") ?? {}, { secrets: others, hasAi: true });
  expect(await rowsOf(unseen.keyless)).toBe(2);
  world.cloud.accounts = null;
  expect(await rowsOf(unseen.keyless)).toBe(2);
  Object.assign(others, { MODELS: JSON.stringify([{ id: "a", model: "gpt-5", apiKeyVar: "KEY_A" }]), KEY_A: key });
  expect(await rowsOf(unseen.needsKey)).toBe(2);
});

it("doesn't call a Worker without a key and without Workers AI one that has the other", async () => {
  const { OPENAI_API_KEY: _, ...others } = world.cloud.workers.get("parley")?.secrets ?? {};
  Object.assign(world.cloud.workers.get("parley") ?? {}, { secrets: others, hasAi: false });
  const rest = ([18, 19, 20, 21] as const).map((row) => `– ${rowNames[row]}: ${unseen.comesAfter(rowNames[17])}`);
  // A key on this computer may work, but it is not the Worker's.
  for (const local of [MODEL_KEY, undefined]) {
    world.variables.OPENAI_API_KEY = local;
    const { lines } = await examine();
    expect(lines).toContain(`✗ ${rowNames[17]}: ${wrong.noModelAtAll} → npm run setup`);
    expect(lines).toEqual(expect.arrayContaining(rest));
  }
});

it("treats an unknown host of a model as a wrong address, but not one that is down", async () => {
  const lost = (message: string) => () => Promise.reject(new TypeError("fetch failed", { cause: new Error(message) }));
  const host = "api.opnai.com";
  world.variables.OPENAI_BASE_URL = `https://${host}/v1`;
  world.hosts.set(host, lost(`getaddrinfo ENOTFOUND ${host}`));
  const unknown = await examine();
  expect(unknown.faults).toEqual([`✗ ${rowNames[19]}: ${wrong.modelAddress(`https://${host}/v1`, null)}`]);
  expect(unknown.lines).toContain(`– ${rowNames[17]}: ${unseen.noAnswer(`getaddrinfo ENOTFOUND ${host}`)}`);
  world.hosts.set(host, lost("connect ECONNREFUSED 192.0.2.1:443"));
  const down = await examine();
  expect(down.faults).toEqual([]);
  expect(down.lines).toContain(`– ${rowNames[19]}: ${unseen.noAnswer("connect ECONNREFUSED 192.0.2.1:443")}`);
});

it.each([
  ["down", () => new Response("<html>", { status: 502 }), failure.cloudflare("status 502")],
  ["not reachable", () => Promise.reject(new Error("ENOTFOUND")), failure.cloudflareLost("ENOTFOUND")],
])("does not blame the bot for a Cloudflare that is %s", async (_, answer, sentence) => {
  world.hosts.set("api.cloudflare.com", answer);
  for (const more of [[], [{ id: "acc2", name: "Work" }]]) {
    world.cloud.accounts?.push(...more);
    const { lines, faults } = await examine();
    expect([faults, lines]).toEqual([[], expect.arrayContaining([`– ${rowNames[15]}: ${sentence}`])]);
  }
});

/** Another program has its commands registered with the application, is called over its own connection, and reads no messages. */
async function withAnotherProgram(): Promise<void> {
  await world.ports.send(`${BASE}/applications/${APPLICATION_ID}/commands`, {
    method: "PUT",
    headers: { Authorization: `Bot ${TOKEN}`, "Content-Type": "application/json", "User-Agent": "DiscordBot (x, 1)" },
    body: JSON.stringify([{ name: "play", description: "Plays a song", type: 1 }]),
  });
  world.discord.configure({ messageContentIntent: false, interactionsEndpoint: false });
  world.sent.length = 0;
}

it("fixes nothing in an application that is not the Worker's, because another program may be using it", async () => {
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  Object.assign(secrets, { DISCORD_APPLICATION_ID: "999", DISCORD_PUBLIC_KEY: "ab".repeat(32) });
  await withAnotherProgram();
  const { faults, lines } = await examine({ fix: true });
  expect(faults).toEqual([expect.stringContaining(`${rowNames[3]}: ${wrong.key}`)]);
  expect(lines).toContain(`– ${rowNames[7]}: ${unseen.comesAfter(rowNames[3])}`);
  expect(world.sent.filter((line) => /^(?:PUT|PATCH)/.test(line))).toEqual([]);
  expect(world.discord.commands().map(({ name }) => name)).toEqual(["play"]);
});

it.each([
  ["is not there", () => world.cloud.workers.clear()],
  ["can't be looked for", () => Object.assign(world.cloud, { accounts: null })],
])("fixes nothing in an application if the Worker %s, because it may be another program's", async (_, lose) => {
  await withAnotherProgram();
  lose();
  const { faults } = await examine({ fix: true });
  for (const row of [7, 12] as const)
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^✗ ${rowNames[row]}: .* → npm run setup$`)));
  expect(world.sent.filter((line) => /^(?:PUT|PATCH)/.test(line))).toEqual([]);
  expect(world.discord.commands().map(({ name }) => name)).toEqual(["play"]);
});

it("prints readable JSON with a one-digit key, such as servers without keys are given", async () => {
  world.variables.OPENAI_API_KEY = "1";
  const { lines } = await examine({ json: true });
  expect(JSON.parse(lines[0] ?? "")).toHaveLength(Object.keys(rowNames).length);
});

it("ends at Ctrl-C in its question, and looks at nothing", async () => {
  world.variables.DISCORD_BOT_TOKEN = undefined;
  world.answers.unshift([tokenQuestion, null]);
  world.sent.length = 0;
  expect((await examine()).faults).toEqual([`✗ ${failure.cancelled}`]);
  expect(world.sent).toEqual([]);
});

it("calls the token of a Worker without one neither old nor fine", async () => {
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  for (const name of ["DISCORD_BOT_TOKEN", "OWNER_IDS"]) delete secrets[name];
  secrets.INSPECT_TOKEN = "secret-of-the-inspector";
  world.variables.INSPECT_TOKEN = secrets.INSPECT_TOKEN;
  expect((await examine()).lines).toContain(`– ${rowNames[2]}: ${unseen.noWorkerToken}`);
});

it("creates a workers.dev name with --fix even without a token, asks again if one is taken, and leaves --json alone", async () => {
  const { cloud, variables, screen } = world;
  const begin = () => {
    cloud.subdomain = null;
    cloud.taken = ["parley"];
    variables.DISCORD_BOT_TOKEN = undefined;
  };
  begin();
  const { askText } = world.ports.terminal;
  world.ports.terminal.askText = (text, suggestion, fault) => {
    if (screen.some((line) => line.includes("Choose another"))) world.answers.unshift([question.subdomain, "mine"]);
    return askText(text, suggestion, fault);
  };
  await examine({ fix: true });
  expect(cloud.subdomain).toBe("mine");
  begin();
  variables.WORKERS_SUBDOMAIN = "ours";
  const { lines } = await examine({ fix: true, json: true });
  expect([cloud.subdomain, lines.length]).toEqual(["ours", 1]);
});

it("says what to run for the Worker of --name", async () => {
  world.discord.configure({ interactionsEndpoint: false });
  const { faults } = await examine({ name: "second" });
  const command = expect.stringMatching(/→ npm run setup -- --name second$/);
  expect(faults).toEqual([command, command]);
});

it.each([
  [undefined, "@cf/zai-org/glm-4.7-flash"],
  ["gpt-5-mini", "@cf/zai-org/glm-4.7-flash"],
  ["@cf/meta/llama", "@cf/meta/llama"],
])("with OPENAI_MODEL=%s, tries the Workers AI model that the Worker would use, %s", async (model, tried) => {
  const stored = world.cloud.workers.get("parley");
  Object.assign(stored ?? {}, { hasAi: true });
  delete stored?.secrets.OPENAI_API_KEY;
  world.variables.OPENAI_MODEL = model;
  await examine();
  expect(world.sent.filter((line) => line.includes("/ai/run/"))).toEqual([expect.stringMatching(`/ai/run/${tried}$`)]);
});

/** Makes Discord call the bot at this address. */
const callAt = (worker: string) =>
  world.discord.addWeather(({ path }) =>
    path === "/applications/@me"
      ? Response.json({
          ...{ id: APPLICATION_ID, verify_key: "ab" },
          interactions_endpoint_url: `https://${worker}.workers.dev/interactions`,
        })
      : null,
  );

it.each([
  ["second.juno", wrong.otherName("parley", "second"), "npm run doctor -- --name second"],
  ["parley.juno", wrong.noWorker("parley"), "npm run setup"],
  ["parley.other", wrong.otherAccount("Juno's account"), "npx wrangler login"],
])("row 15: says where the bot lives if the Worker is not there and Discord calls %s", async (at, sentence, run) => {
  world.cloud.workers.clear();
  callAt(at);
  expect((await examine()).faults).toContain(`✗ ${rowNames[15]}: ${sentence} → ${run}`);
});

it.each([
  ["second.juno", "999", wrong.otherBot("second"), "npm run doctor -- --name second"],
  ["second.juno", APPLICATION_ID, wrong.key, "npm run setup"],
  ["parley.juno", "999", wrong.key, "npm run setup"],
  ["second.other", "999", wrong.key, "npm run setup"],
])("row 3: says whose Worker it is if Discord calls %s and it serves %s", async (at, id, sentence, run) => {
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  secrets.DISCORD_APPLICATION_ID = id;
  callAt(at);
  expect((await examine()).faults).toContain(`✗ ${rowNames[3]}: ${sentence} → ${run}`);
});

it("row 26: says what keeps the bot from hearing mentions", async () => {
  const row = (mark: string, sentence: string) => [`${mark} ${rowNames[26]}: ${sentence}`];
  const seen = async () => (await examine()).lines.filter((line) => line.includes(` ${rowNames[26]}: `));
  expect(await seen()).toEqual(row("–", unseen.gatewayOff));
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_GATEWAY: "on" });
  expect(await seen()).toEqual(row("✓", well.gateway));
  world.cloud.gateway = "waiting";
  expect(await seen()).toEqual(row("–", unseen.gatewayWaits));
  world.cloud.gateway = { refused: "disallowed_intents" };
  expect(await seen()).toEqual(row("✗", wrong.gateway(gatewayRefusals.disallowed_intents)));
  world.cloud.unreachable = 1000;
  expect(await seen()).toEqual(row("–", unseen.workerSilent));
});

it("row 22: notices an allowance of the free plan that only the Worker's objects have used up", async () => {
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_GATEWAY: "on" });
  world.cloud.gateway = new Error("Exceeded allowed duration in Durable Objects free tier.");
  const which = "Exceeded allowed duration in Durable Objects free tier";
  expect((await examine()).faults).toEqual([`✗ ${rowNames[22]}: ${failure.freePlan(which)}`]);
});

it("says what to set if the Worker has this application's key and another one's id, and fixes nothing until then", async () => {
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_APPLICATION_ID: "999" });
  world.discord.configure({ messageContentIntent: false });
  const put = "npx wrangler secret put DISCORD_APPLICATION_ID";
  const { lines, faults } = await examine({ fix: true });
  expect(faults).toEqual([`✗ ${rowNames[3]}: ${wrong.applicationId(APPLICATION_ID)} → ${put}`]);
  expect(lines).toContain(`– ${rowNames[12]}: ${unseen.comesAfter(rowNames[3])}`);
});

it.each([
  ["workers.dev is switched off", "error code: 1042", 404, 16, wrong.offWorkersDev],
  ["the free plan is used up", "error code: 1027", 429, 22, failure.freePlan("error code: 1027")],
  ["the account spends no more", "error code: 1103", 503, 22, failure.freePlan("error code: 1103")],
] as const)("blames only the cause if %s and the endpoint can't answer", async (_, text, status, row, sentence) => {
  world.cloud.isOnWorkersDev = row !== 16;
  world.hosts.set("parley.juno.workers.dev", () => new Response(text, { status }));
  const { lines, faults } = await examine();
  // Setup would end in the same way: it overwrites no Worker that can't say whose it is.
  expect(faults).toEqual([`✗ ${rowNames[row]}: ${sentence}`]);
  expect(lines).toContain(`– ${rowNames[6]}: ${sentence}`);
});

it("blames neither the channel, the token nor the server for a Discord that is down in the meantime", async () => {
  const down = () => new Response("", { status: 502 });
  const stop = world.discord.addWeather(({ path }) => (path.startsWith("/channels/") ? down() : null));
  expect((await examine({ channel: "5" })).faults).toEqual([]);
  stop();
  world.discord.addWeather(({ path }) => (path === "/applications/@me" ? null : down()));
  const { lines, faults } = await examine({ channel: "5" });
  const rows = ([7, 8, 9, 10, 11] as const).map((row) => `– ${rowNames[row]}: ${unseen.noReply}`);
  expect([faults, lines]).toEqual([[], expect.arrayContaining(rows)]);
});

it("does not call a clock right that it could not compare with another", async () => {
  const date = new Date(world.clock.now).toUTCString();
  const stop = world.discord.addWeather(() => Response.json({ id: "1", verify_key: "ab" }, { headers: { date } }));
  expect((await examine()).lines).toContain(`✓ ${rowNames[24]}: ${well.computer("24.1.0")}`);
  stop();
  world.discord.addWeather(() => new Response("", { status: 502 }));
  expect((await examine()).lines).toContain(`✓ ${rowNames[24]}: ${well.computerAlone("24.1.0")}`);
});

it("says why Discord did not accept the address that --fix gave it", async () => {
  world.discord.configure({ interactionsEndpoint: false });
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_PUBLIC_KEY: "" });
  const { lines } = await examine({ fix: true });
  const why = failure.endpoint(failure.healthProblems(["DISCORD_PUBLIC_KEY is missing"]));
  expect(lines).toContain(mended.failed(rowNames[4], why));
});

it("row 27: shows what the Worker warns of: strangers without a limit, and a limit that stops nothing", async () => {
  const seen = async () => (await examine()).lines.filter((line) => line.includes(` ${rowNames[27]}: `));
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  expect(await seen()).toEqual([`– ${rowNames[27]}: ${unseen.needsInspectToken}`]);
  world.variables.INSPECT_TOKEN = secrets.INSPECT_TOKEN = "secret-of-the-inspector";
  expect(await seen()).toEqual([`✓ ${rowNames[27]}: ${well.money}`]);
  secrets.OPENAI_MODEL = "a-model-of-mine";
  expect(await seen()).toEqual([`– ${rowNames[27]}: ${healthWarnings.unpricedModels(["a-model-of-mine"])}`]);
  Object.assign(secrets, { VISITORS: "anyone", MAX_USD_PER_DAY: "0" });
  expect(await seen()).toEqual([`✗ ${rowNames[27]}: ${healthWarnings.openWithoutLimit("VISITORS=anyone")}`]);
  Object.assign(secrets, { VISITORS: "owners", MAX_USD_PER_DAY: "5", ALLOWED_USERS: "7" });
  // Of two lines, the one that something can be done about.
  expect(await seen()).toEqual([`✗ ${rowNames[27]}: ${healthWarnings.unusedUsers}`]);
});

it("runs without an INSPECT_TOKEN that no request can carry", async () => {
  world.variables.INSPECT_TOKEN = "in two\nlines";
  const { send } = world.ports;
  // Like the runtime, which refuses such a header.
  world.ports.send = async (url, init) => send(url, init && { ...init, headers: new Headers(init.headers) });
  expect((await examine()).lines).toContain(`– ${rowNames[2]}: ${unseen.needsInspectToken}`);
});

it("says with --fix what a connection needs that began without the intent", async () => {
  world.discord.configure({ messageContentIntent: false });
  expect((await examine({ fix: true })).lines).not.toContain(warning.gatewayKeeps);
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { DISCORD_GATEWAY: "on" });
  world.discord.configure({ messageContentIntent: false });
  expect((await examine({ fix: true })).lines).toContain(warning.gatewayKeeps);
});
