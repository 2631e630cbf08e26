// Every failure during the setup: the sentence says what to do, nothing is left half done that the next run would not finish, and no
// secret is seen.
import { afterEach, describe, expect, it } from "vitest";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { answerFault, failure, question, warning } from "../../src/setup/copy/setup.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, SECRETS, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const FLAGS = { yes: false, name: "parley", newKey: false };
let world: SetupWorld;
afterEach(() => {
  for (const secret of SECRETS) expect(world.screen.filter((line) => line.includes(secret))).toEqual([]);
  expect(world.leftovers()).toEqual([]);
  world.close();
});

function person(variables: Record<string, string> = {}): SetupWorld {
  world = createSetupWorld(variables);
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  return world;
}
const run = (flags: Partial<typeof FLAGS> = {}) => runSetup(world.ports, { ...FLAGS, ...flags });
const faults = () => world.screen.filter((line) => line.startsWith("✗ ")).map((line) => line.slice(2));
/** The run fails with this sentence; once the cause is gone, the next run ends well. */
async function failsWith(sentence: string, mend: () => void): Promise<void> {
  expect([await run(), faults()]).toEqual([1, [sentence]]);
  expect(world.screen.at(-1)).toBe(failure.again);
  mend();
  world.screen.length = 0;
  expect([await run(), faults()]).toEqual([0, []]);
  expect(world.cloud.workers.size).toBe(1);
}
const UNVERIFIED = {
  code: 50035,
  message: "Invalid Form Body",
  errors: {
    interactions_endpoint_url: {
      _errors: [{ code: "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID", message: "could not be verified." }],
    },
  },
};
const LIST_REFUSED = "\u2718 [ERROR] A request to the Cloudflare API (/accounts) failed.\n\n  Authentication error\n";
const isPatch = ({ method }: { method: string }) => method === "PATCH";
const FOREVER = 1000;

describe("Discord", () => {
  it("refuses a pasted token: another one is requested", async () => {
    person();
    world.answers.unshift([question.token, "MTE4.wrong.token"]);
    const asked = () => world.screen.filter((line) => line.includes(question.token)).length;
    // The second time, the person has the right one.
    const ask = world.ports.terminal.askSecret;
    world.ports.terminal.askSecret = (text, fault) => {
      if (text === question.token && asked() === 1) world.answers.shift();
      return ask(text, fault);
    };
    expect([await run(), faults(), asked()]).toEqual([0, [failure.tokenRefused], 2]);
  });

  it("refuses the environment's token: the run ends and says where to get a new one", async () => {
    person({ DISCORD_BOT_TOKEN: "MTE4.old.token" });
    await failsWith(failure.tokenVariable(failure.tokenRefused), () => {
      world.variables.DISCORD_BOT_TOKEN = TOKEN;
    });
  });

  it.each([
    ["403 with its code", () => Response.json({ code: 40333, message: "internal network error" }, { status: 403 })],
    ["a page instead of 429", () => new Response("<html>error 1015</html>", { status: 429 })],
  ])("blocks this machine by %s, which the run reports", async (_, answer) => {
    person();
    world.discord.failNext(1, answer());
    await failsWith(failure.blocked, () => {});
  });

  it("can't be reached: the person reads this, with the reason", async () => {
    person();
    world.hosts.set("127.0.0.1:1", () => Promise.reject(new Error("connect ECONNREFUSED")));
    await failsWith(failure.discordUnreachable("connect ECONNREFUSED"), () => world.hosts.clear());
  });

  it("asks to wait: the run waits", async () => {
    person();
    world.discord.failNext(2, Response.json({ message: "slow down", retry_after: 7 }, { status: 429 }));
    const begun = world.clock.now;
    expect(await run()).toBe(0);
    expect(world.clock.now - begun).toBeGreaterThanOrEqual(14_000);
  });

  it("can't verify a new address yet: it is asked again, for at most three minutes", async () => {
    person();
    world.discord.failNext(6, Response.json(UNVERIFIED, { status: 400 }), (entry) =>
      `${JSON.stringify(entry.body)}`.includes("interactions_endpoint_url"),
    );
    expect([await run(), faults()]).toEqual([0, []]);
  });

  it("never verifies it: the run ends with what can be seen from here", async () => {
    person();
    const stop = world.discord.addWeather((entry) =>
      `${JSON.stringify(entry.body)}`.includes("interactions_endpoint_url")
        ? Response.json(UNVERIFIED, { status: 400 })
        : null,
    );
    const begun = world.clock.now;
    await failsWith(failure.endpoint(failure.endpointWell), stop);
    expect(world.clock.now - begun).toBeGreaterThanOrEqual(180_000);
  });

  it.each([
    ["take the install settings", "integration_types_config", warning.installRefused],
    ["switch the intent on", "flags", warning.intentRefused],
  ])("does not %s, which is a warning", async (_, field, sentence) => {
    person();
    world.discord.failNext(
      FOREVER,
      Response.json({ code: 50035, message: "Invalid Form Body" }, { status: 400 }),
      (entry) => isPatch(entry) && `${JSON.stringify(entry.body)}`.includes(field),
    );
    expect([await run(), faults()]).toEqual([0, []]);
    expect(world.screen).toContain(`! ${sentence}`);
  });

  it("has an application that requires a code grant: a warning says that its invite can't work", async () => {
    person();
    const stop = world.discord.addWeather((entry) =>
      entry.path === "/applications/@me" && entry.method === "GET"
        ? Response.json({
            id: "1",
            name: "Bot",
            verify_key: "ab",
            bot_require_code_grant: true,
            owner: { id: PEOPLE.juno },
          })
        : null,
    );
    await run();
    stop();
    expect(world.screen).toContain(`! ${warning.codeGrant}`);
  });
});

describe("Cloudflare's login", () => {
  it("happens in a browser", async () => {
    person();
    world.cloud.accounts = null;
    expect([await run(), faults()]).toEqual([0, []]);
    expect(world.ran).toContainEqual(["login"]);
  });

  it("can use a code, or an API token that is stored nowhere", async () => {
    person();
    world.cloud.accounts = null;
    world.answers.push([question.login, "device"]);
    expect(await run()).toBe(0);
    expect(world.ran).toContainEqual(["login", "--device"]);
    world.close();
    person();
    world.cloud.accounts = null;
    world.answers.push([question.login, "token"], [question.apiToken, "secret-of-cloudflare"]);
    const whoami = world.ports.runWrangler;
    world.ports.runWrangler = (args, options) => {
      if (options?.env?.CLOUDFLARE_API_TOKEN) world.cloud.accounts = [{ id: "acc1", name: "By token" }];
      return whoami(args, options);
    };
    expect([await run(), faults()]).toEqual([0, []]);
  });

  it("ends a run with --yes if it is missing, with both ways to get one", async () => {
    person({ DISCORD_BOT_TOKEN: TOKEN });
    world.cloud.accounts = null;
    expect([await run({ yes: true }), faults()]).toEqual([1, [failure.notLoggedIn]]);
  });

  it("says what to try instead if it fails", async () => {
    person();
    world.cloud.accounts = null;
    world.cloud.instead.login = { code: 1, stdout: "", stderr: "localhost refused to connect" };
    await failsWith(failure.loginFailed, () => {
      world.cloud.instead = {};
    });
  });

  it("shows Cloudflare's own words if it is refused", async () => {
    person();
    world.cloud.instead.whoami = { code: 1, stdout: "", stderr: "Invalid access token [code: 9109]" };
    await failsWith(failure.wranglerFailed("Invalid access token [code: 9109]"), () => {
      world.cloud.instead = {};
    });
  });

  it("shows them without what wrangler puts around the reason", async () => {
    person();
    const bold = (text: string) => `\u001b[1m${text}\u001b[0m`;
    const stderr = `\u2718 ${bold("[ERROR]")} ${bold("A request to the Cloudflare API (/user) failed.")}\n\n  Invalid access token [code: 9109]\n  \n  If you think this is a bug, please open an issue at: https://x.example\n\n\n\u{1FAB5}  Logs were written to "/tmp/x.log"\n`;
    world.cloud.instead.whoami = { code: 1, stdout: "", stderr };
    const words = "A request to the Cloudflare API (/user) failed. Invalid access token [code: 9109]";
    await failsWith(failure.wranglerFailed(words), () => {
      world.cloud.instead = {};
    });
  });

  it.each([
    ["an empty list", { code: 0, stdout: '{"loggedIn":true,"accounts":[]}', stderr: "" }],
    ["a refusal of the list", { code: 1, stdout: "", stderr: LIST_REFUSED }],
    ["no list", { code: 1, stdout: "", stderr: "\u2718 [ERROR] Failed to automatically retrieve account IDs." }],
  ])("that may not list its accounts and has %s works with CLOUDFLARE_ACCOUNT_ID", async (_, whoami) => {
    person({ CLOUDFLARE_ACCOUNT_ID: "acc1", CLOUDFLARE_API_TOKEN: "secret-of-cloudflare" });
    world.cloud.instead.whoami = whoami;
    expect([await run(), faults()]).toEqual([0, []]);
  });

  const TWO = [
    { id: "acc1", name: "Home" },
    { id: "acc2", name: "Work" },
  ];
  it("with several accounts asks, or requires the variable", async () => {
    person({ DISCORD_BOT_TOKEN: TOKEN });
    world.cloud.accounts = TWO;
    const several = failure.severalAccounts(["Home (acc1)", "Work (acc2)"]);
    expect([await run({ yes: true }), faults()]).toEqual([1, [several]]);
    expect(await run()).toBe(0);
    expect(world.screen).toContain(`? ${question.account}`);
  });

  it("without the account of CLOUDFLARE_ACCOUNT_ID is for a different account", async () => {
    person({ CLOUDFLARE_ACCOUNT_ID: "acc9" });
    await failsWith(failure.unknownAccount, () => {
      world.variables.CLOUDFLARE_ACCOUNT_ID = "acc1";
    });
  });

  it("without any account says where to sign up", async () => {
    person();
    world.cloud.accounts = [];
    await failsWith(failure.noAccount, () => {
      world.cloud.accounts = TWO.slice(0, 1);
    });
  });
});

describe("workers.dev", () => {
  it("gets a name if the account has none, and another if that one is taken", async () => {
    person();
    world.cloud.subdomain = null;
    world.cloud.taken = ["parley"];
    const askText = world.ports.terminal.askText;
    world.ports.terminal.askText = (text, suggestion, fault) => {
      if (world.screen.includes(`! ${answerFault.subdomainTaken("parley")}`))
        world.answers.unshift([question.subdomain, "parley-2"]);
      return askText(text, suggestion, fault);
    };
    expect([await run(), faults()]).toEqual([0, []]);
    expect(world.cloud.subdomain).toBe("parley-2");
  });

  it("requires the variable with --yes", async () => {
    person({ DISCORD_BOT_TOKEN: TOKEN });
    world.cloud.subdomain = null;
    expect([await run({ yes: true }), faults()]).toEqual([1, [failure.subdomainNeeded]]);
    world.variables.WORKERS_SUBDOMAIN = "mine";
    expect(await run({ yes: true })).toBe(0);
    expect(world.cloud.subdomain).toBe("mine");
  });

  it("may take a while to know a new address: the run waits", async () => {
    person();
    world.cloud.unreachable = 20;
    expect([await run(), faults()]).toEqual([0, []]);
  });

  it("never knows it: the run ends, and the next one continues", async () => {
    person();
    world.cloud.unreachable = FOREVER;
    await failsWith(failure.healthSilent("https://parley.juno.workers.dev"), () => {
      world.cloud.unreachable = 0;
    });
  });
});

describe("the Worker", () => {
  const other = { secrets: {}, hasAi: false, deploys: 1, isParley: false };

  it("of the same name that is another program is left alone", async () => {
    person();
    world.cloud.workers.set("parley", other);
    expect([await run(), faults()]).toEqual([1, [failure.notParley("parley")]]);
    expect(world.cloud.workers.get("parley")).toBe(other);
    expect(await run({ name: "parley-2" })).toBe(0);
  });

  it("of the same name that serves another application is left alone", async () => {
    person();
    expect(await run()).toBe(0);
    const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
    Object.assign(secrets, { DISCORD_APPLICATION_ID: "999" });
    world.screen.length = 0;
    expect([await run(), faults()]).toEqual([1, [failure.otherApplication("parley", "999")]]);
    expect(world.cloud.workers.get("parley")?.deploys).toBe(1);
  });

  it("counts as new if it is not there, by either of Cloudflare's codes for that", async () => {
    person();
    const missing = { success: false, errors: [{ code: 10090, message: "This service does not exist." }] };
    world.hosts.set("api.cloudflare.com", ({ url }) =>
      url.includes("/scripts/")
        ? Response.json(missing, { status: 404 })
        : Response.json({ success: true, result: { subdomain: "juno" } }),
    );
    expect([await run(), faults()]).toEqual([0, []]);
  });

  it("shows wrangler's words if its deploy fails, without a secret that they contain", async () => {
    person();
    world.cloud.instead.deploy = { code: 1, stdout: "", stderr: `A request failed with ${TOKEN}` };
    expect([await run(), faults()]).toEqual([1, [failure.deploy("A request failed with [secret]")]]);
  });

  it("with a wrong variable is reported by /health", async () => {
    person();
    expect(await run()).toBe(0);
    const allow = (ids: string) =>
      Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { ALLOWED_USERS: ids });
    allow("juno");
    const wrong = failure.healthProblems(["ALLOWED_USERS is not a list of Discord ids"]);
    await failsWith(wrong, () => allow(PEOPLE.juno));
  });
});

describe("a model key", () => {
  const answers = (status: number, body: object | string) => () =>
    typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status });
  const error = (code: string) => ({ error: { code, message: "…" } });
  const HOST = "api.openai.com";
  const MODEL = "gpt-5.4-mini";

  it.each([
    ["refused", answers(401, error("invalid_api_key")), failure.keyRefused(HOST)],
    ["without credit", answers(429, error("insufficient_quota")), failure.noCredit(HOST)],
    [
      "without credit in xAI's words",
      answers(403, { code: "permission-denied", error: "Your team doesn't have any credits yet." }),
      failure.noCredit(HOST),
    ],
    [
      "refused in Gemini's words",
      answers(400, [{ error: { code: 400, message: "Bad request", details: [{ reason: "API_KEY_INVALID" }] } }]),
      failure.keyRefused(HOST),
    ],
    [
      "for a model that Gemini does not have",
      answers(404, [{ error: { code: 404, message: "models/foo is not found for API version v1main" } }]),
      failure.noModel(HOST, MODEL, []),
    ],
    ["for a model that is not there", answers(404, error("model_not_found")), failure.noModel(HOST, MODEL, [])],
    [
      "for a model without tools",
      answers(400, { error: { message: "tools are not supported" } }),
      failure.noTools(MODEL),
    ],
    [
      "for an address without a model",
      answers(404, "<html>nothing</html>"),
      failure.wrongAddress("https://api.openai.com/v1", null),
    ],
  ])("that is %s is reported where it is entered", async (_, answer, sentence) => {
    person({ OPENAI_API_KEY: MODEL_KEY, DISCORD_BOT_TOKEN: TOKEN });
    Object.assign(world.ports.terminal, { canAsk: false });
    const well = world.hosts.get(HOST);
    world.hosts.set(HOST, answer);
    await failsWith(sentence, () => {
      if (well) world.hosts.set(HOST, well);
    });
  });

  it.each([
    ["busy", answers(429, error("rate_limit_exceeded")), warning.busy(HOST)],
    ["down", answers(502, "<html>Bad gateway</html>"), warning.keyUnchecked(HOST)],
    ["silent", () => Promise.reject(new Error("ECONNRESET")), warning.keyUnchecked(HOST)],
  ])("whose provider is %s is accepted with a warning", async (_, answer, sentence) => {
    person();
    world.hosts.set(HOST, answer);
    expect([await run(), faults()]).toEqual([0, []]);
    expect(world.screen).toContain(`! ${sentence}`);
  });
});

it("ends at Ctrl-C in any question, and the next run continues", async () => {
  for (const part of [question.token, question.modelKey, question.strangers, question.dollars, question.gateway]) {
    person();
    world.answers.unshift([part, null]);
    expect([await run(), faults()]).toEqual([1, [failure.cancelled]]);
    world.answers.shift();
    world.screen.length = 0;
    expect([await run(), faults()]).toEqual([0, []]);
    world.close();
  }
});
