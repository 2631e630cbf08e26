// The setup command from nothing to the first word in Discord, as a person sees it.
import { afterEach, expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import { inviteLink } from "../../src/discord/invite-link.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { answerFault, done, failure, question, tokenFaultText, waiting } from "../../src/setup/copy/setup.ts";
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
let world: SetupWorld;
afterEach(() => world.close());

/** A person with a token and a model key, who accepts every suggestion. */
function person(variables: Record<string, string> = {}): SetupWorld {
  world = createSetupWorld(variables);
  world.answers.push([question.token, TOKEN], [question.modelKey, MODEL_KEY]);
  return world;
}
const run = (flags: Partial<typeof FLAGS> = {}) => runSetup(world.ports, { ...FLAGS, ...flags });
const lines = (mark: string) => world.screen.filter((line) => line.startsWith(mark));
/** What would be wrong for anyone after any run: a secret that can be seen, or a file that is left. */
function expectClean(): void {
  for (const secret of SECRETS) {
    expect(world.screen.filter((line) => line.includes(secret))).toEqual([]);
    expect(world.ran.filter((args) => args.join(" ").includes(secret))).toEqual([]);
    expect(world.sent.filter((line) => line.includes(secret))).toEqual([]);
  }
  expect(world.leftovers()).toEqual([]);
}

it("needs two pastes and does the rest by itself", async () => {
  person();
  expect(await run()).toBe(0);
  expect(lines("? ")).toEqual([
    `? ${question.token}`,
    `? ${question.modelKey}`,
    `? ${question.strangers}`,
    `? ${question.dollars}`,
    `? ${question.gateway}`,
    `? ${question.openInvite}`,
  ]);
  expect(lines("✗ ")).toEqual([]);
  expect(world.cloud.workers.get("parley")).toEqual({
    secrets: {
      DISCORD_API_BASE_URL: "http://127.0.0.1:1/api/v10",
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      DISCORD_PUBLIC_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
      DISCORD_BOT_TOKEN: TOKEN,
      OWNER_IDS: PEOPLE.juno,
      OPENAI_API_KEY: MODEL_KEY,
      OPENAI_BASE_URL: "https://api.openai.com/v1",
      OPENAI_MODEL: "gpt-5.4-mini",
      SERVERS: "claimed",
      VISITORS: "owners",
      MAX_USD_PER_DAY: "5",
      DISCORD_GATEWAY: "off",
      ALLOWED_SERVERS: PLACES.guild,
    },
    hasAi: false,
    deploys: 1,
    isParley: true,
  });
  expect(world.discord.commands().map(({ name }) => name)).toEqual(registration().map(({ name }) => name));
  expect(world.opened).toEqual([inviteLink(APPLICATION_ID)]);
  expect(world.modes).toEqual([0o600]);
  expect(world.discord.violations).toEqual([]);
  expect(world.screen.at(-1)).toContain("type: /chat message: hello");
  expectClean();
});

it("prints no line into a spinner's line", async () => {
  person();
  world.ports.terminal.wait = (line) => {
    world.screen.push(`… ${line}`);
    return () => void world.screen.push("still");
  };
  expect(await run()).toBe(0);
  const waits = Object.values(waiting).map((line) => `… ${line}`);
  const after = world.screen.flatMap((line, at) => (waits.includes(line) ? [world.screen[at + 1]] : []));
  expect(after).toEqual(waits.map(() => "still"));
});

it("asks for another key if the one in the environment is wrong, and uses Workers AI without one", async () => {
  person({ OPENAI_API_KEY: MODEL_KEY });
  world.answers.unshift([question.modelKey, ""]);
  const body = { error: { code: "insufficient_quota" } };
  world.hosts.set("api.openai.com", () => Response.json(body, { status: 429 }));
  expect([await run(), lines("✗ ")]).toEqual([0, [`✗ ${failure.noCredit("api.openai.com")}`]]);
  expect(world.screen).toContain(`✓ ${done.model("Workers AI")}`);
  expect(world.cloud.workers.get("parley")?.secrets.OPENAI_API_KEY).toBeUndefined();
});

it("uses Workers AI if no key is pasted, and keeps that in the next run", async () => {
  person();
  world.answers.unshift([question.modelKey, ""]);
  expect(await run()).toBe(0);
  const { secrets, hasAi } = world.cloud.workers.get("parley") ?? { secrets: {} };
  expect([hasAi, Object.keys(secrets).filter((name) => name.startsWith("OPENAI"))]).toEqual([true, []]);
  world.screen.length = 0;
  expect(await run()).toBe(0);
  expect(lines("? ")).toEqual([`? ${question.token}`]);
  expect(world.cloud.workers.get("parley")).toMatchObject({ hasAi: true, deploys: 2 });
  expect(world.screen.at(-1)).toContain("Workers AI is free for");
  expectClean();
  // A key that somebody sets later takes precedence.
  Object.assign(world.cloud.workers.get("parley")?.secrets ?? {}, { OPENAI_API_KEY: MODEL_KEY });
  expect(await run()).toBe(0);
  expect(world.screen.at(-1)).toContain("what its provider charges for your key");
});

it.each([
  ["@cf/google/gemma-4-26b-a4b-it", "@cf/google/gemma-4-26b-a4b-it"],
  ["gpt-5-mini", undefined],
])("with OPENAI_MODEL=%s and Workers AI, stores %s", async (model, stored) => {
  person({ OPENAI_MODEL: model });
  world.answers.unshift([question.modelKey, ""]);
  expect(await run()).toBe(0);
  expect(world.cloud.workers.get("parley")?.secrets.OPENAI_MODEL).toBe(stored);
});

it("keeps the variables that a person has set in the dashboard", async () => {
  person();
  await run();
  const stored = world.cloud.workers.get("parley");
  if (stored) stored.vars = ["ALLOWED_USERS", "MAX_USD_PER_MONTH"];
  expect(await run()).toBe(0);
  expect(world.cloud.workers.get("parley")).toMatchObject({ vars: ["ALLOWED_USERS", "MAX_USD_PER_MONTH"], deploys: 2 });
  expectClean();
});

it("replaces only the model with --new-key", async () => {
  person();
  await run();
  const before = { ...world.cloud.workers.get("parley")?.secrets };
  world.answers.unshift([question.modelKey, "gsk_another"]);
  world.hosts.set("api.groq.com", () => Response.json({ choices: [] }));
  expect(await run({ newKey: true })).toBe(0);
  expect(world.cloud.workers.get("parley")?.secrets).toEqual({
    ...before,
    OPENAI_API_KEY: "gsk_another",
    OPENAI_BASE_URL: "https://api.groq.com/openai/v1",
    OPENAI_MODEL: "openai/gpt-oss-120b",
  });
});

it("removes the old key with --new-key and an empty answer, so that Workers AI answers", async () => {
  person();
  await run();
  world.answers.unshift([question.modelKey, ""]);
  expect(await run({ newKey: true })).toBe(0);
  const { secrets, hasAi } = world.cloud.workers.get("parley") ?? { secrets: {} };
  expect([hasAi, "OPENAI_API_KEY" in secrets]).toEqual([true, false]);
});

it("runs with --yes on variables alone, asks nothing and waits for no one", async () => {
  person({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY, MAX_USD_PER_DAY: "2.5", STRANGERS: "yes" });
  world.ports.terminal = { ...world.ports.terminal, canAsk: false };
  expect(await run({ yes: true })).toBe(0);
  expect([lines("? "), world.opened]).toEqual([[], []]);
  expect(world.screen.at(-1)).toContain(inviteLink(APPLICATION_ID));
  expect(world.cloud.workers.get("parley")?.secrets).toMatchObject({
    MAX_USD_PER_DAY: "2.5",
    SERVERS: "open",
    VISITORS: "anyone",
  });
  expectClean();
});

it("says for a second bot how to continue with that bot", async () => {
  person();
  world.answers.unshift([question.token, null]);
  expect(await run({ name: "second" })).toBe(1);
  expect(world.screen.at(-1)).toBe("Run `npm run setup -- --name second` again; it continues from here.");
});

it("adds the Workers AI binding that one of MODELS needs, even if there is no key", async () => {
  person();
  expect(await run()).toBe(0);
  const { secrets = {} } = world.cloud.workers.get("parley") ?? {};
  delete secrets.OPENAI_API_KEY;
  secrets.MODELS = JSON.stringify([{ id: "free", model: "@cf/openai/gpt-oss-20b", provider: "workers-ai" }]);
  expect([await run(), lines("✗ ")]).toEqual([0, []]);
  expect(world.cloud.workers.get("parley")?.hasAi).toBe(true);
});

it("names the variable that --yes needs and doesn't find", async () => {
  person();
  expect(await run({ yes: true })).toBe(1);
  expect(lines("✗ ")).toEqual([`✗ ${failure.needsVariable("DISCORD_BOT_TOKEN")}`]);
});

it.each([
  [{ STRANGERS: "perhaps" }, failure.notOneOf("STRANGERS", "yes or no")],
  [{ DISCORD_GATEWAY: "onn" }, failure.notOneOf("DISCORD_GATEWAY", "on or off")],
  [{ OWNER_IDS: "@juno" }, failure.notIds("OWNER_IDS")],
  [{ MAX_USD_PER_DAY: "5,50" }, `MAX_USD_PER_DAY: ${answerFault.dollars}`],
  [{ DISCORD_BOT_TOKEN: "5".repeat(64) }, failure.tokenVariable(tokenFaultText.public_key)],
  [{ OPENAI_BASE_URL: "api.example/v1" }, failure.wrongAddress("api.example/v1", null)],
])("names the variable of %j, and deploys nothing", async (wrong, sentence) => {
  person({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY, ...wrong });
  expect(await run({ yes: true })).toBe(1);
  expect([lines("✗ "), world.cloud.workers.size]).toEqual([[`✗ ${sentence}`], 0]);
});

it.each(["localhost:11434", "192.168.0.7:1234"])(
  "gives no Worker the model at %s, which only this computer reaches, unless Discord is on this computer too",
  async (host) => {
    const OPENAI_BASE_URL = `http://${host}/v1`;
    for (const DISCORD_API_BASE_URL of ["https://discord.com/api/v10", BASE]) {
      const isReal = DISCORD_API_BASE_URL !== BASE;
      person({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY, OPENAI_BASE_URL, DISCORD_API_BASE_URL });
      world.hosts.set(host, () => Response.json({ choices: [{ message: { content: "Hi" } }] }));
      expect(await run({ yes: true })).toBe(isReal ? 1 : 0);
      expect(lines("✗ ")).toEqual(isReal ? [`✗ ${failure.privateModel(host)}`] : []);
      expect(world.cloud.workers.size).toBe(isReal ? 0 : 1);
    }
  },
);

it.each([
  ["5".repeat(64), "public_key"],
  ["1180000000000000002", "application_id"],
  ["abcdefghijklmnopqrstuvwxyz012345", "client_secret"],
  ["hello", "not_a_token"],
  ["", "empty"],
] as const)("says what %j is instead of a token", async (pasted, fault) => {
  person();
  world.answers.unshift([question.token, pasted]);
  expect(await run()).toBe(1);
  expect(world.screen).toContain(`  ${tokenFaultText[fault]}`);
  expect(world.sent).toEqual([]);
});

it("accepts a token with quotes, blanks and the word Bot around it", async () => {
  person();
  world.answers.unshift([question.token, ` "Bot ${TOKEN}" `]);
  expect(await run()).toBe(0);
  expectClean();
});

it("counts every member of the team that owns the application as an owner", async () => {
  person();
  world.discord.configure({ team: [PEOPLE.mira, PEOPLE.juno] });
  expect(await run()).toBe(0);
  expect(world.cloud.workers.get("parley")?.secrets.OWNER_IDS).toBe(`${PEOPLE.mira},${PEOPLE.juno}`);
});

it("finds a server that the bot is already in, and neither invites nor claims", async () => {
  person();
  world.discord.configure({ botIsMember: true });
  expect(await run()).toBe(0);
  expect(world.opened).toEqual([]);
  expect(world.cloud.workers.get("parley")?.secrets.ALLOWED_SERVERS).toBeUndefined();
});

it("switches the intent on before the Worker exists, because a Gateway session keeps the rights that it began with", async () => {
  person({ DISCORD_GATEWAY: "on" });
  world.discord.configure({ messageContentIntent: false });
  const { runWrangler } = world.ports;
  const flags: unknown[] = [];
  world.ports.runWrangler = (args, options) => {
    if (args[0] === "deploy")
      flags.push(...world.discord.log.flatMap(({ body }) => (body as { flags?: number } | undefined)?.flags ?? []));
    return runWrangler(args, options);
  };
  expect(await run()).toBe(0);
  expect(flags.map((value) => Number(value) & (1 << 19))).toEqual([1 << 19]);
});
