// What an application may change in its own settings with its token alone, according to Discord's documentation.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, faultsIn, inline, testWorld } from "./world.ts";

const MESSAGE_CONTENT = 1 << 19;
const ME = "/applications/@me";
const change = (world: ReturnType<typeof testWorld>, body: object) => world.rest("PATCH", ME, body, AS_BOT);

it("stores an endpoint URL only after a PING with a right signature and one with a wrong one", async () => {
  const asked: [string, unknown][] = [];
  const world = testWorld();
  world.endpoint((interaction) => inline({ type: interaction.type }));
  const url = "https://parley.example.workers.dev/interactions";
  const refused = await change(world, { interactions_endpoint_url: url });
  expect([refused.status, faultsIn(refused)]).toEqual([
    400,
    ["interactions_endpoint_url: APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"],
  ]);
  world.onCall((request) => {
    asked.push([request.url, request.headers.get("x-signature-ed25519")?.startsWith("0000")]);
    return asked.length % 2 === 1 ? inline({ type: 1 }) : new Response(null, { status: 401 });
  });
  expect((await change(world, { interactions_endpoint_url: url })).body).toMatchObject({
    interactions_endpoint_url: url,
  });
  expect(asked).toEqual([
    [url, false],
    [url, true],
  ]);
  expect((await world.rest("GET", ME, undefined, AS_BOT)).body).toMatchObject({ interactions_endpoint_url: url });
});

it("changes the Message Content intent by its flag, and no flag that only Discord grants", async () => {
  const world = testWorld();
  expect((await change(world, { flags: MESSAGE_CONTENT })).body).toMatchObject({ flags: MESSAGE_CONTENT });
  expect(faultsIn(await change(world, { flags: MESSAGE_CONTENT | (1 << 18) }))).toEqual([
    "flags: APPLICATION_FLAGS_INVALID",
  ]);
});

it("stores install settings, whose permissions are a string", async () => {
  const world = testWorld();
  const kinds = { "0": { oauth2_install_params: { scopes: ["bot", "applications.commands"], permissions: "2048" } } };
  expect((await change(world, { integration_types_config: kinds })).body).toMatchObject({
    integration_types_config: kinds,
  });
});

it("reads the bot, its servers and its commands", async () => {
  const world = testWorld();
  expect((await world.rest("GET", "/users/@me", undefined, AS_BOT)).body).toMatchObject({ id: APPLICATION.id });
  const guilds = (await world.rest("GET", "/users/@me/guilds", undefined, AS_BOT)).body as unknown as { id: string }[];
  expect(guilds.map(({ id }) => id)).toEqual([PLACES.guild, PLACES.secondGuild]);
  world.discord.configure({ botIsMember: false });
  expect((await world.rest("GET", "/users/@me/guilds", undefined, AS_BOT)).body).toEqual([]);
  expect((await world.rest("GET", `/applications/${APPLICATION.id}/commands`, undefined, AS_BOT)).body).toEqual([]);
  expect((await world.rest("GET", "/users/@me")).status).toBe(401);
});

it("accepts commands for a server that it knows, and for no other", async () => {
  const world = testWorld();
  const put = (guild: string) =>
    world.rest("PUT", `/applications/${APPLICATION.id}/guilds/${guild}/commands`, [] as unknown as object, AS_BOT);
  expect(await put(PLACES.guild)).toMatchObject({ status: 200 });
  expect(await put("5")).toMatchObject({ status: 403, body: { code: 50001 } });
});

it("refuses to overwrite the commands without the one that opens its Activity, and leaves all as they are", async () => {
  const world = testWorld();
  const put = (...commands: object[]) =>
    world.rest("PUT", `/applications/${APPLICATION.id}/commands`, commands as unknown as object, AS_BOT);
  const launch = { name: "Launch", type: 4, handler: 2, description: "" };
  const other = { name: "other", description: "Another one." };
  expect((await put(launch)).status).toBe(200);
  expect(await put(other)).toMatchObject({ status: 400, code: 50240 });
  expect((await put(other, launch)).status).toBe(200);
  expect(world.discord.commands().map(({ name }) => name)).toEqual(["other", "Launch"]);
});

describe("the options of a registered command", () => {
  const text = { name: "text", description: "Words.", type: 3, max_length: 3, required: true };
  const count = { name: "count", description: "How many.", type: 4, min_value: 1, max_value: 9 };
  const size = { name: "size", description: "How large.", type: 3, choices: [{ name: "Small", value: "s" }] };
  const command = { name: "take", description: "Takes.", options: [text, count, size] };
  const grouped = { name: "many", description: "Of many.", options: [{ ...command, type: 1 }] };

  it.each<[Record<string, string | number>, string | null]>([
    [{ text: "🌊🌊🌊", count: 1, size: "s" }, null],
    [{ text: "a", count: 9 }, null],
    [{}, "text: this option is required."],
    [{ text: "four" }, "text: it may have at most 3 characters."],
    [{ text: "a", count: 0 }, "count: it must be at least 1."],
    [{ text: "a", count: 10 }, "count: it must be at most 9."],
    [{ text: "a", size: "xl" }, "size: it must be one of the choices."],
  ])("%j reach the application only if the client would send them", async (options, error) => {
    const world = testWorld();
    const path = `/applications/${APPLICATION.id}/commands`;
    await world.rest("PUT", path, [command, grouped] as unknown as object, AS_BOT);
    const here = { kind: "command", as: PEOPLE.mira, channel: PLACES.general, options } as const;
    const outcomes = [
      await world.discord.interact({ ...here, name: "take" }),
      await world.discord.interact({ ...here, name: "many", subcommand: "take" }),
    ];
    const seen = error === null ? "thinking" : "impossible";
    expect(outcomes.map((one) => [one.seen, one.error ?? null])).toEqual(Array(2).fill([seen, error]));
    expect(world.received).toHaveLength(error === null ? 2 : 0);
  });
});
