// What the Worker says about itself, to anyone and to the owner who knows INSPECT_TOKEN.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { healthWarnings, homeText } from "../src/core/copy/health.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../src/playground/key.ts";
import { scene, VARIABLES } from "./support/endpoint-harness.ts";
import { openScopes } from "./support/scopes.ts";

const SECRETS = { OPENAI_API_KEY: "the-key", DISCORD_BOT_TOKEN: "the.bot.token", INSPECT_TOKEN: "the-long-password" };
const UNREACHED = { line: "a scope can't be reached", scope: "deployment", error: "Error: gone" };
const OWNED = { ...VARIABLES, ...SECRETS, OWNER_IDS: "1" };

async function ask(
  variables: Record<string, string>,
  { bearer, refused = [] }: { bearer?: string; refused?: string[] } = {},
) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response(null, { status: refused.some((one) => url.includes(one)) ? 401 : 200 });
  };
  const request = new Request("https://parley.example/health");
  if (bearer !== undefined) request.headers.set("Authorization", `Bearer ${bearer}`);
  const response = await scene({ variables, fetch }).dispatch(request);
  const text = await response.text();
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  return { asked, body: JSON.parse(text) as { warnings?: string[]; modelHosts?: string[] } };
}

it("shows anyone whose application it is and which variables are set, and nothing else", async () => {
  expect((await ask(VARIABLES)).body).toEqual({
    ok: true,
    version: expect.any(String),
    applicationId: VARIABLES.DISCORD_APPLICATION_ID,
    publicKeyFingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
    configured: ["DISCORD_API_BASE_URL", "OPENAI_API_KEY"],
    gateway: "off",
  });
});

it("shows the first 8 digits of the public key's SHA-256", async () => {
  const { body } = await ask(OWNED);
  const digest = createHash("sha256").update(DEVELOPMENT_PUBLIC_KEY_HEX).digest("hex");
  expect(body).toMatchObject({ publicKeyFingerprint: digest.slice(0, 8) });
});

it.each([["another"], [undefined]])("asks no one and lists no hosts for the bearer %s", async (bearer) => {
  const { asked, body } = await ask(OWNED, bearer === undefined ? {} : { bearer });
  expect([asked, body.modelHosts, body.warnings]).toEqual([[], undefined, undefined]);
});

it.each([
  ["refuses", async () => false, []],
  ["can't be reached, which is logged", () => Promise.reject(new Error("gone")), [UNREACHED, UNREACHED]],
])(
  "shows even the owner nothing more if the counter of wrong tokens %s; it counts by address",
  async (_, mayTry, log) => {
    const tries: [string, boolean][] = [];
    const scope = openScopes({
      mayTry: (...tried) => {
        tries.push(tried);
        return mayTry();
      },
    });
    const world = scene({ variables: OWNED, scope, fetch: () => Promise.reject(new Error("nobody is asked")) });
    for (const bearer of ["another", "the-long-password"]) {
      const headers = { Authorization: `Bearer ${bearer}`, "CF-Connecting-IP": "192.0.2.1" };
      const response = await world.dispatch(new Request("https://parley.example/health", { headers }));
      expect(response.status).toBe(200);
      expect(await response.json()).not.toHaveProperty("warnings");
    }
    await world.dispatch(new Request("https://parley.example/health"));
    expect(world.errors).toEqual(log);
    expect(tries).toEqual([
      ["192.0.2.1", false],
      ["192.0.2.1", true],
    ]);
  },
);

it("accepts no bearer where INSPECT_TOKEN is not set", async () => {
  const { INSPECT_TOKEN: _, ...variables } = OWNED;
  expect((await ask(variables, { bearer: "" })).body.modelHosts).toBeUndefined();
});

it("shows the owner the models' hosts, and warns if Discord or a model refuses its token or key", async () => {
  const well = await ask(OWNED, { bearer: "the-long-password" });
  expect(well.body).toMatchObject({ modelHosts: ["api.openai.com"], warnings: [] });
  const { body } = await ask(OWNED, { bearer: "the-long-password", refused: ["/users/@me", "/models"] });
  expect(body.warnings).toEqual([healthWarnings.tokenRefused, healthWarnings.keyRefused("api.openai.com")]);
});

it("asks Discord with the user agent that Discord's proxy accepts", async () => {
  const asked = new Map<string, string | null>();
  const fetch = async (url: string, init?: RequestInit) => {
    asked.set(url, new Headers(init?.headers).get("user-agent"));
    return Response.json({});
  };
  const headers = { Authorization: "Bearer the-long-password" };
  await scene({ variables: OWNED, fetch }).dispatch(new Request("https://parley.example/health", { headers }));
  expect(asked.get(`${VARIABLES.DISCORD_API_BASE_URL}/users/@me`)).toMatch(/^DiscordBot \(https:\/\/\S+, \S+\)$/);
});

it("asks each model's server the way a turn does: with a gateway's headers, and with Azure's key in Azure's header", async () => {
  const asked: [string, Headers][] = [];
  const redirects = new Set<string | undefined>();
  const fetch = async (url: string, init?: RequestInit) => {
    asked.push([url, new Headers(init?.headers)]);
    redirects.add(init?.redirect);
    return Response.json({});
  };
  const MODELS = JSON.stringify([
    { id: "a", model: "m", baseUrl: "https://x.openai.azure.com/openai/v1" },
    { id: "b", model: "m", baseUrl: "https://gateway.test/v1", headersVar: "GATEWAY" },
  ]);
  const variables = { ...OWNED, MODELS, GATEWAY: '{"cf-aig-authorization":"Bearer of-the-gateway"}' };
  const headers = { Authorization: "Bearer the-long-password" };
  await scene({ variables, fetch }).dispatch(new Request("https://parley.example/health", { headers }));
  const [, [azure, ofAzure] = [], [gateway, ofGateway] = []] = asked;
  expect([azure, gateway]).toEqual(["https://x.openai.azure.com/openai/v1/models", "https://gateway.test/v1/models"]);
  expect([ofAzure?.get("api-key"), ofAzure?.get("authorization")]).toEqual(["the-key", null]);
  expect([ofGateway?.get("authorization"), ofGateway?.get("cf-aig-authorization")]).toEqual([
    "Bearer the-key",
    "Bearer of-the-gateway",
  ]);
  // Redirects would carry the keys to another server.
  expect([...redirects]).toEqual(["manual"]);
});

it("warns of MODELS entries that share an id, but stays up", async () => {
  const MODELS = JSON.stringify(["a", "b", "a", "c", "a", "c"].map((id) => ({ id, model: "gpt-5-mini" })));
  const { body } = await ask({ ...OWNED, MODELS }, { bearer: "the-long-password" });
  expect(body).toMatchObject({ ok: true, warnings: [healthWarnings.sameIds(["a", "c"])] });
});

it("warns of fields in MODELS and MCP_SERVERS that nothing reads, and only of those", async () => {
  const model = { id: "a", model: "gpt-5-mini", baseUrl: "https://models.example/v1", params: { top_k: 1 } };
  const wiki = { id: "wiki", url: "https://mcp.example/mcp" };
  const warned = async (models: object[], servers: object[]) => {
    const lists = { MODELS: JSON.stringify(models), MCP_SERVERS: JSON.stringify(servers) };
    return (await ask({ ...OWNED, ...lists }, { bearer: "the-long-password" })).body.warnings;
  };
  expect(await warned([model], [wiki])).toEqual([]);
  const misspelt = [model, { ...model, id: "b", apiKey: "pasted", base_url: "https://other.example/v1" }];
  const fields = ["MODELS.1.apiKey", "MODELS.1.base_url", "MCP_SERVERS.0.headers"];
  const warning = healthWarnings.unreadFields(fields);
  // A value that was pasted in place of a field's name is not shown.
  expect(await warned(misspelt, [{ ...wiki, headers: {}, ["x".repeat(50)]: "" }])).toEqual([warning]);
});

it("warns its owner if the application id is not a number, but stays up", async () => {
  const { body } = await ask({ ...OWNED, DISCORD_APPLICATION_ID: '"42"' }, { bearer: "the-long-password" });
  expect(body).toMatchObject({ ok: true, warnings: [healthWarnings.noApplicationId] });
});

it("warns of strangers who can spend without a limit, of unknown prices, and of a bot without an owner", async () => {
  const open = { ...OWNED, SERVERS: "open", VISITORS: "anyone", MAX_USD_PER_DAY: "0" };
  const { body } = await ask(open, { bearer: "the-long-password" });
  expect(body.warnings).toEqual([healthWarnings.openWithoutLimit("SERVERS=open VISITORS=anyone")]);
  const { OWNER_IDS: _, DISCORD_BOT_TOKEN: __, ...ownerless } = OWNED;
  const unpriced = { ...ownerless, OPENAI_MODEL: "mystery", MAX_USD_PER_DAY: "5" };
  expect((await ask(unpriced, { bearer: "the-long-password" })).body.warnings).toEqual([
    healthWarnings.unpricedModels(["mystery"]),
    healthWarnings.noOwner,
  ]);
  const some = {
    ...OWNED,
    MODELS: JSON.stringify([
      { id: "a", model: "mystery" },
      { id: "b", model: "gpt-5-mini" },
    ]),
  };
  expect((await ask(some, { bearer: "the-long-password" })).body.warnings).toEqual([
    healthWarnings.unpricedModels(["mystery"]),
  ]);
});

it.each([
  [{}, true],
  [{ VISITORS: "anyone" }, true],
  [{ VISITORS: "listed" }, false],
])("warns of ALLOWED_USERS if it has no effect: %j", async (variables, isWarned) => {
  const { body } = await ask({ ...OWNED, ALLOWED_USERS: "7", ...variables }, { bearer: "the-long-password" });
  expect(body.warnings).toEqual(isWarned ? [healthWarnings.unusedUsers] : []);
});

it("has a page in plain words that says whether it is set up, and names what is missing", async () => {
  const page = async (variables: Record<string, string>) => {
    const response = await scene({ variables }).dispatch(new Request("https://parley.example/"));
    return [response.status, await response.text()];
  };
  expect(await page(OWNED)).toEqual([200, homeText([])]);
  expect(await page({ ...OWNED, DISCORD_PUBLIC_KEY: "nonsense" })).toEqual([
    200,
    homeText(["DISCORD_PUBLIC_KEY is not 64 hexadecimal digits"]),
  ]);
});
