// The doctor: one planted fault per row, the sentence that names it and what to run, and --fix if it can fix it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { inviteLink } from "../../src/discord/invite-link.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import {
  devVarsFault,
  rowNames,
  summaryText,
  tokenQuestion,
  unseen,
  well,
  wrong,
} from "../../src/setup/copy/doctor.ts";
import { failure, tokenFaultText } from "../../src/setup/copy/setup.ts";
import { type RunDoctor, runDoctor } from "../../src/setup/run-doctor.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { COMMAND_COUNT } from "../../src/setup/wanted.ts";
import {
  APPLICATION_ID,
  createSetupWorld,
  MODEL_KEY,
  SECRETS,
  type SetupWorld,
  TOKEN,
} from "../support/setup-harness.ts";

const URL = "https://parley.juno.workers.dev";
const LINK = inviteLink(APPLICATION_ID);
const INSPECT = "secret-of-the-inspector";
let world: SetupWorld;

/** A bot that was set up with everything that the doctor can check. */
beforeEach(async () => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
  expect(await runSetup(world.ports, { yes: false, name: "parley", newKey: false })).toBe(0);
  Object.assign(stored().secrets, { INSPECT_TOKEN: INSPECT });
  world.variables.INSPECT_TOKEN = INSPECT;
  world.screen.length = 0;
});
afterEach(() => {
  const secrets = [...SECRETS, INSPECT];
  expect(world.screen.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  world.close();
});

function stored() {
  const worker = world.cloud.workers.get("parley");
  if (!worker) throw new Error("nothing is deployed");
  return worker;
}
const DEV_VARS = { DISCORD_PUBLIC_KEY: "", DISCORD_APPLICATION_ID: APPLICATION_ID, OPENAI_API_KEY: "k" };
async function examine(flags: Partial<RunDoctor> = {}) {
  world.screen.length = 0;
  const run = {
    fix: false,
    json: false,
    name: "parley",
    url: null,
    channel: null,
    node: "24.1.0",
    devVars: null,
    ...flags,
  };
  const code = await runDoctor(world.ports, run);
  const faults = world.screen.filter((line) => line.startsWith("✗ "));
  return { code, faults, lines: world.screen };
}
/** Exactly this is wrong. `mends`: whether --fix fixes it. */
async function finds(row: keyof typeof rowNames, sentence: string, flags: Partial<RunDoctor> = {}, mends = false) {
  const { code, faults } = await examine(flags);
  expect(code).toBe(1);
  expect(faults.filter((line) => line.startsWith(`✗ ${rowNames[row]}: ${sentence}`))).toHaveLength(1);
  const fixed = await examine({ ...flags, fix: true });
  expect(fixed.faults.some((line) => line.startsWith(`✗ ${rowNames[row]}: `))).toBe(!mends);
  return faults;
}
const application = (over: object) =>
  world.discord.addWeather((entry) => {
    if (entry.method !== "GET" || entry.path !== "/applications/@me") return null;
    return Response.json({
      ...{ id: APPLICATION_ID, name: "Parley", verify_key: stored().secrets.DISCORD_PUBLIC_KEY, flags: 1 << 19 },
      ...{ interactions_endpoint_url: `${URL}/interactions`, owner: { id: PEOPLE.juno, username: "juno" } },
      ...over,
    });
  });
const model = (status: number, body: object | string) =>
  world.hosts.set("api.openai.com", () =>
    typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status }),
  );

it("finds nothing wrong with a bot that was just set up, and says so with one line per row", async () => {
  const { code, lines } = await examine();
  expect([code, lines.filter((line) => line.startsWith("✗ ")), lines.at(-1)]).toEqual([0, [], summaryText(0)]);
  expect(lines.filter((line) => /^[✓–] /.test(line))).toHaveLength(Object.keys(rowNames).length);
  expect(lines).toContain(`✓ ${rowNames[7]}: ${well.commands(COMMAND_COUNT)}`);
});

it("prints JSON and nothing else with --json", async () => {
  world.discord.configure({ messageContentIntent: false });
  const { code, lines } = await examine({ json: true });
  expect(lines).toHaveLength(1);
  const findings = JSON.parse(lines[0] ?? "") as { row: number; ok: boolean | null }[];
  expect(code).toBe(1);
  expect(findings.filter(({ ok }) => ok === false)).toEqual([
    { row: 12, name: rowNames[12], ok: false, sentence: wrong.intent, run: "npm run doctor -- --fix" },
  ]);
});

describe("Discord", () => {
  it("row 1: a token that is missing, of the wrong shape, or refused", async () => {
    world.variables.DISCORD_BOT_TOKEN = undefined;
    await finds(1, wrong.noToken);
    expect(world.screen).toContain(`? ${tokenQuestion}`);
    world.answers.unshift([tokenQuestion, TOKEN]);
    expect((await examine()).code).toBe(0);
    world.variables.DISCORD_BOT_TOKEN = "5".repeat(64);
    await finds(1, tokenFaultText.public_key);
    world.variables.DISCORD_BOT_TOKEN = "MTE4.old.token";
    await finds(1, wrong.tokenRefused);
  });

  it("row 1: Discord can't be reached at all, which says nothing about the token", async () => {
    world.hosts.set("127.0.0.1:1", () => Promise.reject(new Error("connect ECONNREFUSED")));
    await finds(1, failure.discordUnreachable("connect ECONNREFUSED"));
    world.hosts.set("127.0.0.1:1", () => new Response("<html>", { status: 503 }));
    await finds(1, failure.discordDown("503"));
  });

  it("row 2: the Worker has an old token, which it reveals only to the owner", async () => {
    stored().secrets.DISCORD_BOT_TOKEN = "MTE4.old.token";
    expect(await finds(2, wrong.workerToken)).toHaveLength(1);
    world.variables.INSPECT_TOKEN = undefined;
    const { code, lines } = await examine();
    expect([code, lines]).toEqual([0, expect.arrayContaining([`– ${rowNames[2]}: ${unseen.needsInspectToken}`])]);
  });

  it("row 3: the Worker trusts another application's key", async () => {
    stored().secrets.DISCORD_PUBLIC_KEY = "ab".repeat(32);
    await finds(3, wrong.key);
  });

  it("row 4: no endpoint URL", async () => {
    world.discord.configure({ interactionsEndpoint: false });
    await finds(4, wrong.noEndpoint, {}, true);
  });

  it("row 5: the endpoint URL of an old Worker", async () => {
    const old = "https://old.example/interactions";
    const stop = application({ interactions_endpoint_url: old });
    const { faults } = await examine();
    expect(faults).toEqual([expect.stringContaining(wrong.otherEndpoint(old, `${URL}/interactions`))]);
    stop();
    world.discord.configure({ interactionsEndpoint: false });
    expect((await examine({ fix: true })).code).toBe(0);
  });

  it("row 6: an endpoint that can't answer: not configured, not there, not reachable, or another program's", async () => {
    const { secrets } = stored();
    const key = secrets.DISCORD_PUBLIC_KEY ?? "";
    secrets.DISCORD_PUBLIC_KEY = "";
    await finds(6, wrong.workerProblems(["DISCORD_PUBLIC_KEY is missing"]));
    secrets.DISCORD_PUBLIC_KEY = key;
    world.cloud.unreachable = 1000;
    await finds(6, wrong.workerSilent(URL));
    world.cloud.unreachable = 0;
    world.hosts.set("elsewhere.example", () => new Response("nothing", { status: 404 }));
    await finds(6, wrong.endpointMissing("https://elsewhere.example"), { url: "https://elsewhere.example" });
    world.hosts.set("elsewhere.example", () => new Response("hello"));
    await finds(6, wrong.endpointStatus(200), { url: "https://elsewhere.example" });
  });

  it("row 7: commands that are missing or not those of this program", async () => {
    const put = (commands: object[]) =>
      world.discord.fetch(
        new Request(`http://x/api/v10/applications/${APPLICATION_ID}/commands`, {
          method: "PUT",
          headers: {
            authorization: `Bot ${TOKEN}`,
            "user-agent": "DiscordBot (x, 1)",
            "content-type": "application/json",
          },
          body: JSON.stringify(commands),
        }),
      );
    await put([]);
    await finds(7, wrong.commands(0, COMMAND_COUNT), {}, true);
    await put([...registration().slice(1), { name: "old", description: "Gone." }]);
    await finds(7, wrong.commands(COMMAND_COUNT - 1, COMMAND_COUNT), {}, true);
  });

  it("row 8: says what to do for a person who doesn't see the commands that are there", async () => {
    expect((await examine()).lines).toContain(`✓ ${rowNames[8]}: ${well.screen}`);
  });

  it("row 9: the bot is in no server", async () => {
    world.discord.configure({ botIsMember: false });
    application({ approximate_guild_count: 0 });
    await finds(9, wrong.noServer(LINK));
    expect((await examine()).lines).toContain(`– ${rowNames[8]}: ${wrong.noServer(LINK)}`);
  });

  it("row 10: the bot was added without its own account", async () => {
    world.discord.configure({ botIsMember: false });
    application({ approximate_guild_count: 1 });
    expect(await finds(10, wrong.commandsOnly(LINK))).toHaveLength(1);
    // It is in a server, where its commands are: no line says otherwise.
    const { lines } = await examine();
    expect(lines).toContain(`✓ ${rowNames[8]}: ${well.screen}`);
    expect(lines.filter((line) => line.includes(wrong.noServer(LINK)))).toEqual([]);
  });

  it("row 11: permissions that are missing in a server, and a channel that the bot does not see", async () => {
    const stop = world.discord.addWeather(({ path }) =>
      path === "/users/@me/guilds" ? Response.json([{ id: "1", name: "Quiet", permissions: `${1 << 10}` }]) : null,
    );
    await finds(11, wrong.permissions("Quiet", ["Send Messages", "Read Message History", "Send Messages in Threads"]));
    stop();
    await finds(11, wrong.channel("404"), { channel: "404" });
    expect((await examine({ channel: PLACES.general })).code).toBe(0);
  });

  it("row 12: the Message Content intent is off", async () => {
    world.discord.configure({ messageContentIntent: false });
    await finds(12, wrong.intent, {}, true);
  });

  it("row 13: a code grant that breaks the invite, and a private bot that only its owner can invite", async () => {
    const stop = application({ bot_require_code_grant: true });
    await finds(13, wrong.codeGrant);
    stop();
    application({ bot_public: false });
    expect((await examine()).lines).toContain(`✓ ${rowNames[13]}: ${well.inviteByOwner("juno")}`);
  });

  it("row 14: a Worker that needs longer than Discord waits", async () => {
    world.hosts.set("parley.juno.workers.dev", (request) => {
      if (request.method === "POST") world.clock.now += 3500;
      return new Response("", { status: 401 });
    });
    await finds(14, wrong.slow(3500));
  });
});

describe("Cloudflare", () => {
  it("row 15: no login, a refused one, several accounts, no Worker", async () => {
    const { cloud } = world;
    const { accounts } = cloud;
    cloud.accounts = null;
    await finds(15, wrong.loggedOut);
    expect(world.screen).toContain(`– ${rowNames[21]}: ${unseen.needsLogin}`);
    cloud.accounts = accounts;
    cloud.instead.whoami = { code: 1, stdout: "", stderr: "Invalid token" };
    await finds(15, wrong.loginFailed("Invalid token"));
    cloud.instead = {};
    world.variables.CLOUDFLARE_ACCOUNT_ID = "acc9";
    await finds(15, wrong.loginFailed(wrong.noSuchAccount));
    world.variables.CLOUDFLARE_ACCOUNT_ID = undefined;
    const worker = stored();
    cloud.workers.clear();
    await finds(15, wrong.noWorker("parley"));
    expect(world.screen).toContain(`– ${rowNames[21]}: ${wrong.noWorker("parley")}`);
    cloud.accounts = [...(accounts ?? []), { id: "acc2", name: "Work" }];
    await finds(15, wrong.severalAccounts(["Juno's account (acc1)", "Work (acc2)"]));
    cloud.workers.set("parley", worker);
  });

  it("row 16: no workers.dev name, or its address switched off", async () => {
    world.cloud.subdomain = null;
    world.cloud.workers.clear();
    await finds(16, wrong.noSubdomain, {}, true);
    expect(world.cloud.subdomain).toBe("parley");
    world.cloud.workers.set("parley", { secrets: {}, hasAi: false, deploys: 1, isParley: true });
    world.cloud.isOnWorkersDev = false;
    await finds(16, wrong.offWorkersDev);
    const { lines } = await examine({ url: "https://bot.example" });
    expect(lines).toContain(`– ${rowNames[16]}: ${unseen.ownAddress}`);
  });

  it("row 21: Workers AI without quota, without the plan, or without an answer", async () => {
    const { secrets } = stored();
    delete secrets.OPENAI_API_KEY;
    stored().hasAi = true;
    const answer = (code: number, message: string) => () =>
      Response.json({ success: false, errors: [{ code, message }] }, { status: 429 });
    world.cloud.ai = answer(4006, "you have used up your daily free allocation of 10,000 neurons");
    const midnight = new Date(Date.UTC(2030, 0, 2)).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    await finds(21, wrong.quota(midnight));
    world.cloud.ai = answer(5035, "paid only");
    await finds(21, wrong.paidModel);
    world.cloud.ai = answer(3040, "Capacity temporarily exceeded");
    await finds(21, wrong.workersAi("Capacity temporarily exceeded"));
    world.cloud.ai = answer(10000, "Authentication error");
    const { code, lines } = await examine();
    const login = unseen.workersAiLogin("Authentication error");
    expect([code, lines]).toEqual([0, expect.arrayContaining([`– ${rowNames[21]}: ${login}`])]);
    world.cloud.ai = () => Response.json({ success: true, result: {} });
    expect((await examine()).lines).toContain(`✓ ${rowNames[21]}: ${well.workersAi}`);
  });

  it.each([
    ["error code: 1027", "error code: 1027"],
    [
      "Exceeded allowed duration in Durable Objects free tier.",
      "Exceeded allowed duration in Durable Objects free tier",
    ],
    ["Too many subrequests by single Worker invocation.", "Too many subrequests"],
  ])("row 22: the free plan ends with %j", async (text, which) => {
    world.hosts.set("parley.juno.workers.dev", ({ method }) =>
      method === "POST" ? new Response("", { status: 401 }) : new Response(text, { status: 500 }),
    );
    expect(await finds(22, failure.freePlan(which))).toHaveLength(1);
  });
});

describe("the model", () => {
  const error = (code: string) => ({ error: { code, message: "…" } });

  it("row 17: a key that is refused, is another provider's, or is refused only in the Worker", async () => {
    model(401, error("invalid_api_key"));
    await finds(17, wrong.modelKey("OPENAI_API_KEY", "api.openai.com"));
    expect(world.screen).toContain(`– ${rowNames[18]}: ${unseen.comesAfter(rowNames[17])}`);
    world.variables.OPENAI_API_KEY = "gsk_another";
    world.hosts.set("api.groq.com", () => Response.json({ choices: [] }));
    expect((await examine()).lines).toContain(`✓ ${rowNames[20]}: ${well.model("openai/gpt-oss-120b")}`);
    world.variables.OPENAI_BASE_URL = "https://api.openai.com/v1";
    await finds(17, wrong.otherProvider("OPENAI_API_KEY", "api.openai.com", "api.groq.com"));
    world.variables.OPENAI_API_KEY = undefined;
    await finds(17, "api.openai.com refuses the model's key.");
  });

  it("row 18: a key without credit, with either answer", async () => {
    model(429, error("insufficient_quota"));
    await finds(18, wrong.noCredit);
    model(402, { error: "Payment required" });
    await finds(18, wrong.noCredit);
  });

  it("row 19: an address where no model is, and the one that was meant", async () => {
    model(404, "<html>nothing</html>");
    await finds(19, wrong.modelAddress("https://api.openai.com/v1", null));
    world.variables.OPENAI_BASE_URL = "https://api.openai.com";
    world.hosts.set("api.openai.com", ({ url }) =>
      url.includes("/v1/") ? Response.json({ data: [] }) : new Response("nothing", { status: 404 }),
    );
    await finds(19, wrong.modelAddress("https://api.openai.com", "https://api.openai.com/v1"));
    world.variables.OPENAI_BASE_URL = "api.openai.com";
    await finds(19, wrong.modelAddress("api.openai.com", null));
  });

  it("row 20: a model that is not there, with those that are, or one that can't call tools", async () => {
    world.hosts.set("api.openai.com", ({ url }) =>
      url.endsWith("/models")
        ? Response.json({ data: [{ id: "gpt-a" }, { id: "gpt-b" }] })
        : Response.json(error("model_not_found"), { status: 404 }),
    );
    await finds(20, wrong.noModel("api.openai.com", "gpt-5.4-mini", ["gpt-a", "gpt-b"]));
    model(400, { error: { message: "this model does not support tools" } });
    await finds(20, wrong.noTools("gpt-5.4-mini"));
  });

  it("is not called wrong while it is busy or silent", async () => {
    model(429, error("rate_limit_exceeded"));
    expect((await examine()).code).toBe(0);
    world.hosts.set("api.openai.com", ({ url }) =>
      url.endsWith("/models") ? Response.json({}) : Promise.reject(new Error("ECONNRESET")),
    );
    expect((await examine()).code).toBe(0);
  });
});

describe("this machine", () => {
  it("row 23: Discord's network refuses it", async () => {
    world.discord.failNext(1000, new Response("<html>1015</html>", { status: 429 }));
    expect(await finds(23, wrong.blocked)).toHaveLength(1);
  });

  it("row 24: an old Node, and a clock that is off", async () => {
    await finds(24, wrong.oldNode("20.1.0"), { node: "20.1.0" });
    world.discord.addWeather(({ path }) => {
      if (path !== "/applications/@me") return null;
      const date = new Date(world.clock.now - 7 * 60_000).toUTCString();
      return Response.json({ id: APPLICATION_ID, verify_key: "ab" }, { headers: { date } });
    });
    await finds(24, wrong.clock(7));
  });

  it("row 25: a .dev.vars that is missing something, or is another application's", async () => {
    await finds(25, wrong.devVars([devVarsFault.missing("DISCORD_PUBLIC_KEY")]), { devVars: DEV_VARS });
    const foreign = { ...DEV_VARS, DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "9" };
    await finds(25, wrong.devVars([devVarsFault.key, devVarsFault.id]), { devVars: foreign });
    // Where the doctor says that the token may be.
    const token = { DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: "" };
    expect(await examine({ devVars: token })).toMatchObject({ code: 0, faults: [] });
    await finds(25, wrong.devVars([devVarsFault.id]), { devVars: { ...token, DISCORD_APPLICATION_ID: "9" } });
    const local = { DISCORD_API_BASE_URL: "http://127.0.0.1:8788/api/v10" };
    expect((await examine({ devVars: local })).lines).toContain(`– ${rowNames[25]}: ${unseen.localDiscord}`);
  });
});
