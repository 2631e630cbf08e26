// What a restart of the playground keeps: the local Discord as records, the records in the storage of its object, and the
// variables with which it starts.
import { expect, it } from "vitest";
import { VARIABLES } from "../../src/config/variables.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { isSecret, productVars, shellModel } from "../../src/playground/variables.ts";
import { openWorldStore } from "../../src/playground/world-store.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { AS_BOT, deferred, SILENT, testWorld } from "./discord/world.ts";

const { general, dmOfMira, staff } = PLACES;
const { mira, theo, juno } = PEOPLE;

/** Another Discord that continues what this one recorded. */
function continued(world: ReturnType<typeof testWorld>) {
  const next = testWorld();
  next.clock.now = world.clock.now + 1000;
  expect(next.discord.restore(world.discord.record())).toBe(true);
  return next;
}

it("a local Discord continues another's messages, replies, files, reactions, threads, commands and roles", async () => {
  const world = testWorld();
  const { discord } = world;
  const bytes = Uint8Array.from({ length: 800_000 }, (_, n) => n % 256);
  const first = discord.speak({ as: mira, channel: general, content: "hi", file: { filename: "a.bin", bytes } });
  discord.speak({ as: theo, channel: general, content: "to you", replyTo: first });
  discord.speak({ as: theo, channel: general, content: "", forward: first });
  discord.touch({ kind: "react", as: theo, messageId: first, emoji: "👍" });
  await world.rest("POST", `/channels/${general}/messages/${first}/threads`, { name: "more" }, AS_BOT);
  await world.rest("PUT", `/applications/1180000000000000002/commands`, [{ name: "chat", description: "c" }], AS_BOT);
  discord.speak({ as: mira, channel: dmOfMira, content: "only us" });
  discord.configure({ messageContentIntent: true });
  const next = continued(world);
  for (const [channel, as] of [
    [general, theo],
    [dmOfMira, mira],
  ] as const)
    expect(next.discord.messages(channel, as)).toEqual(discord.messages(channel, as));
  for (const as of [mira, theo, juno]) expect(next.discord.channels(as)).toEqual(discord.channels(as));
  expect(next.discord.channels(theo).some(({ id }) => id === staff)).toBe(false);
  expect(next.discord.commands()).toEqual(discord.commands());
  expect(next.discord.people()).toEqual(discord.people());
  const url = new URL(next.discord.messages(general, theo)[0]?.attachments[0]?.url ?? "");
  const file = await next.discord.fetch(new Request(url));
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  expect([...next.discord.record()].length).toBe([...discord.record()].length);
});

it("an answer that was under way when the playground ended can still be edited with its token", async () => {
  const world = testWorld();
  const { webhook } = await deferred(world, { as: mira, channel: general });
  const next = continued(world);
  const edited = await next.rest("PATCH", `${webhook}/messages/@original`, { content: "here", ...SILENT });
  expect([edited.status, next.discord.messages(general, mira).at(-1)?.content]).toEqual([200, "here"]);
});

it("a local Discord starts over if nothing was recorded, or in another format", () => {
  const { discord } = testWorld();
  discord.speak({ as: mira, channel: general, content: "hi" });
  expect([discord.restore(new Map()), discord.restore(new Map([["format", "0"]]))]).toEqual([false, false]);
  expect(discord.messages(general, mira)).toHaveLength(1);
});

it("the storage keeps the order of records, forgets what is gone, and writes only what has changed", () => {
  const storage = nodeSqlite();
  const written: string[] = [];
  const counting = {
    ...storage,
    sql: {
      exec: (query: string, ...values: string[]) => {
        if (/^(INSERT|DELETE)/.test(query)) written.push(`${values[0]}`);
        return storage.sql.exec(query, ...values);
      },
    },
  };
  const store = openWorldStore(counting);
  store.write(new Map(Object.entries({ b: "1", a: "1", c: "1" })));
  store.write(new Map(Object.entries({ b: "2", a: "1", d: "1" })));
  expect(written).toEqual(["b", "a", "c", "c", "b", "d"]);
  expect([...openWorldStore(storage).read()]).toEqual(Object.entries({ b: "2", a: "1", d: "1" }));
});

const LOCAL_MODEL = {
  OPENAI_API_KEY: "local",
  OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
  OPENAI_MODEL: "parley-local",
};
it.each([
  [{}, LOCAL_MODEL, null],
  [{ OPENAI_API_KEY: " " }, LOCAL_MODEL, null],
  // OpenAI's address is the product's default.
  [{ OPENAI_API_KEY: "k", OPENAI_MODEL: "m" }, { OPENAI_API_KEY: "k", OPENAI_MODEL: "m" }, "m at OpenAI"],
  [{ OPENAI_API_KEY: "k" }, { OPENAI_API_KEY: "k" }, "the default one at OpenAI"],
  [
    { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "m" },
    { OPENAI_API_KEY: "local", OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "m" },
    "m at 127.0.0.1:11434",
  ],
])("the shell's %j selects its own model, and without one the local model answers", (shell, model, words) => {
  const vars = productVars("http://127.0.0.1:1", shell);
  expect(Object.fromEntries(Object.entries(vars).filter(([name]) => name.startsWith("OPENAI_")))).toEqual(model);
  expect(shellModel(shell)).toBe(words);
});

it("the shell's variables reach the product, except the local Discord's and those for a public address", () => {
  const vars = productVars("http://127.0.0.1:1", Object.fromEntries(VARIABLES.map((name) => [name, "of-the-shell"])));
  const left = ["PUBLIC_KEY", "APPLICATION_ID", "BOT_TOKEN", "API_BASE_URL"].map((name) => `DISCORD_${name}`);
  const notTaken = VARIABLES.filter((name) => !vars[name]?.includes("of-the-shell"));
  expect(notTaken, "Add a new one to FROM_SHELL.").toEqual([...left, "INSPECT_TOKEN", "PUBLIC_URL"]);
});

it("the shell's variables reach the product, including those that MODELS and MCP_SERVERS name", () => {
  const shell = {
    MODELS: '[{"id":"a","model":"a","apiKeyVar":"A_KEY","headersVar":"A_HEADERS"}]',
    MCP_SERVERS: '[{"id":"wiki","url":"https://mcp.example.com","headersVar":"WIKI","clientSecretVar":"WIKI_CLIENT"}]',
    TOKEN_ENCRYPTION_KEY: "e".repeat(32),
    SYSTEM_PROMPT: "Be brief.\nBe kind.",
    SUMMARY_MODEL: "a",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=k",
    A_KEY: "k",
    A_HEADERS: "{}",
    WIKI: '{"authorization":"Bearer t"}',
    WIKI_CLIENT: "c",
    HOME: "/home/me",
  };
  const { HOME: _, ...known } = shell;
  const vars = productVars("http://127.0.0.1:1", shell);
  expect(vars).toMatchObject({ ...known, DISCORD_GATEWAY: "on", OPENAI_API_KEY: "local" });
  expect(vars).not.toHaveProperty("HOME");
  const secrets = Object.keys(vars).filter((name) => isSecret(name, vars));
  const own = ["DISCORD_BOT_TOKEN", "DISCORD_PUBLIC_KEY", "OPENAI_API_KEY"];
  const given = ["OTEL_EXPORTER_OTLP_HEADERS", "TOKEN_ENCRYPTION_KEY", "WIKI", "WIKI_CLIENT"];
  expect(secrets.sort()).toEqual(["A_HEADERS", "A_KEY", "MCP_SERVERS", "MODELS", ...own, ...given].sort());
  expect(productVars("http://127.0.0.1:1", { MODELS: "{", MCP_SERVERS: "[null]" })).toMatchObject({ MODELS: "{" });
});

it.each([
  ["OPENAI_BASE_URL", "https://juno:hunter2@model.example/v1", true],
  ["OPENAI_BASE_URL", "https://model.example/v1?key=hunter2", true],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example?key=hunter2", true],
  ["MODELS", '[{"id":"a","model":"m","baseUrl":"https://model.example/v1?key=hunter2"}]', true],
  ["MODELS", '[{"id":"a","model":"m","headers":{"x-api-key":"hunter2"}}]', true],
  ["MCP_SERVERS", '[{"id":"wiki","url":"https://mcp.example/mcp?key=hunter2"}]', true],
  ["OPENAI_BASE_URL", "https://model.example/v1", false],
  ["SYSTEM_PROMPT", "Is it you? Ask juno@model.example.", false],
])("the log of a start shows nothing of %s with %s: %j", (name, value, isHidden) => {
  expect(isSecret(name, { [name]: value })).toBe(isHidden);
});

it.each([
  ["http://127.0.0.1:80", "127.0.0.1:80"],
  ["http://127.0.0.1:9000", "127.0.0.1:9000"],
])("the page at %s is a host that the product can read, with its port", (url, host) => {
  expect(productVars(url, {}).FETCH_URL_PRIVATE_HOSTS).toBe(host);
});
