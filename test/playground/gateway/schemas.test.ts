// The Gateway's payloads, checked against the schemas of Discord's own specification, which has only those for REST.
import {
  GatewayBotResponseSchema,
  GatewayResponseSchema,
  GuildChannelResponseSchema,
  GuildMemberResponseSchema,
  GuildResponseSchema,
  GuildRoleResponseSchema,
  MessageResponseSchema,
  ThreadResponseSchema,
} from "discord-api-spec/zod";
import { describe, expect, it } from "vitest";
import { safeParse } from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, SILENT, testWorld } from "../discord/world.ts";
import { login } from "./client.ts";

const { theo, mira } = PEOPLE;
const { general, dmOfTheo } = PLACES;

/** The paths of the faults. The specification wants times to end in Z, but Discord sends +00:00. */
function faults(schema: $ZodType, value: unknown): string[] {
  const timed: unknown = JSON.parse(JSON.stringify(value).replaceAll("+00:00", "Z"));
  return (safeParse(schema, timed).error?.issues ?? []).map(({ path }) => path.join("."));
}

describe("a message as the Gateway sends it", () => {
  it.each([
    [
      "with mentions and a file",
      { content: `<@${APPLICATION.id}> <@${mira}>`, file: { filename: "a.txt", text: "x" } },
    ],
    ["in private", { channel: dmOfTheo, content: "hi" }],
  ])("%s is a message", (_what, words) => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ as: theo, channel: general, ...words });
    expect(faults(MessageResponseSchema, client.last("MESSAGE_CREATE"))).toEqual([]);
  });

  it("in reply to another is a message, and so are the bot's reply and an edited one", async () => {
    const world = testWorld();
    const client = login(world.discord);
    const message_id = world.discord.speak({ as: theo, channel: general, content: "hi" });
    const messageId = world.discord.speak({ as: theo, channel: general, content: "me again", replyTo: message_id });
    expect(faults(MessageResponseSchema, client.last("MESSAGE_CREATE"))).toEqual([]);
    world.discord.touch({ kind: "edit", as: theo, messageId, content: "and again" });
    expect(faults(MessageResponseSchema, client.last("MESSAGE_UPDATE"))).toEqual([]);
    const body = { content: "yes", message_reference: { message_id }, ...SILENT };
    const answer = await world.rest("POST", `/channels/${general}/messages`, body, AS_BOT);
    expect(faults(MessageResponseSchema, answer.body)).toEqual([]);
  });

  it("that forwards another deviates only in the type of its reference, which the specification doesn't know", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const forward = discord.speak({ as: theo, channel: general, content: "hi" });
    discord.speak({ as: theo, channel: general, content: "", forward });
    expect(faults(MessageResponseSchema, client.last("MESSAGE_CREATE"))).toEqual(["message_reference.type"]);
  });
});

describe("a server as the Gateway sends it", () => {
  it("is a server with channels, threads, roles and a member", () => {
    const client = login(testWorld().discord);
    const server = client.frames.find(({ t }) => t === "GUILD_CREATE")?.d as Record<string, unknown[]>;
    const all = (schema: $ZodType, field: string) => (server[field] ?? []).flatMap((one) => faults(schema, one));
    expect(faults(GuildResponseSchema, server)).toEqual([]);
    expect(all(GuildRoleResponseSchema, "roles")).toEqual([]);
    expect(all(GuildChannelResponseSchema, "channels")).toEqual([]);
    expect(all(ThreadResponseSchema, "threads")).toEqual([]);
    expect(all(GuildMemberResponseSchema, "members")).toEqual([]);
    expect(["roles", "channels", "threads", "members"].map((field) => server[field]?.length)).toEqual([3, 2, 1, 1]);
  });
});

describe("where to connect", () => {
  it("has the two forms of the specification", async () => {
    const { rest } = testWorld();
    expect(faults(GatewayResponseSchema, (await rest("GET", "/gateway")).body)).toEqual([]);
    expect(faults(GatewayBotResponseSchema, (await rest("GET", "/gateway/bot", undefined, AS_BOT)).body)).toEqual([]);
  });
});
