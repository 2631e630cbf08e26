// Who is where in the local Discord: servers, ranks, permissions in each channel, personal installations, and who owns the application.
import { PrivateApplicationResponseSchema, PrivateChannelResponseSchema } from "discord-api-spec/zod";
import { describe, expect, it } from "vitest";
import { safeParse } from "zod/mini";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../../src/playground/key.ts";
import { AS_BOT, faultsIn, inline, SILENT, type TestWorld, testWorld } from "./world.ts";

const { mira, theo, juno, wren } = PEOPLE;
const { guild, secondGuild, general, thread, staff, lobby, groupDm, dmOfMira, dmOfTheo, dmOfJuno, dmOfWren } = PLACES;
const HELLO = { content: "hello", ...SILENT };
const BUTTON = [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }];
const EVERY_BIT = (1n << 53n) - 1n;

const chat = (as: string, channel: string) => ({ kind: "command", as, channel, name: "chat" }) as const;

/** The error of a client that sends nothing, or what the endpoint received. */
async function attempt(world: TestWorld, as: string, channel: string) {
  const { error } = await world.discord.interact(chat(as, channel));
  return error ?? world.received.at(-1);
}

describe("a person", () => {
  it.each([
    ["Mira", mira, [general, thread, staff, dmOfMira]],
    ["Theo", theo, [general, thread, lobby, dmOfTheo, groupDm]],
    ["Juno", juno, [general, thread, staff, dmOfJuno]],
    ["Wren", wren, [lobby, dmOfWren, groupDm]],
  ])("such as %s sees the open channels of their servers, and their own conversations", (_, id, seen) => {
    expect(
      testWorld()
        .discord.channels(id)
        .map((channel) => channel.id),
    ).toEqual(seen);
  });

  it.each([
    ["a stranger in a server", wren, general, "Wren is not a member of Parley Lounge."],
    ["the owner of the application in another server", juno, lobby, "Juno is not a member of Lighthouse."],
    ["a plain member in a channel for moderators", theo, staff, "Theo does not see #staff."],
    ["anyone in another's direct messages", mira, dmOfTheo, "Mira is not in this conversation."],
    ["a moderator in a group that they are not in", mira, groupDm, "Mira is not in this conversation."],
    [
      "a person without an installation of their own in a group",
      theo,
      groupDm,
      "Here Parley works only for people who installed it for themselves.",
    ],
  ])("can't use a command as %s", async (_, as, channel, sentence) => {
    const world = testWorld();
    const outcome = await world.discord.interact(chat(as, channel));
    expect([outcome.seen, outcome.error, world.received]).toEqual(["impossible", sentence, []]);
  });

  it("does not see messages of a channel that is closed to them", () => {
    const { discord } = testWorld();
    discord.speak({ as: mira, channel: staff, content: "between us" });
    expect([mira, juno, theo, wren].map((as) => discord.messages(staff, as).length)).toEqual([1, 1, 0, 0]);
  });
});

describe("member.permissions", () => {
  const MANAGE_MESSAGES = 1n << 13n;
  const MANAGE_GUILD = 1n << 5n;
  const VIEW_CHANNEL = 1n << 10n;

  it.each([
    ["everything for the owner of the server", juno, staff, EVERY_BIT, EVERY_BIT],
    ["moderation for a moderator", mira, general, MANAGE_MESSAGES | MANAGE_GUILD, MANAGE_MESSAGES | MANAGE_GUILD],
    ["moderation for a moderator in a thread", mira, thread, MANAGE_MESSAGES, MANAGE_MESSAGES],
    ["view again for a moderator, even if everyone loses it", mira, staff, VIEW_CHANNEL, VIEW_CHANNEL],
    ["no moderation for a plain member", theo, general, MANAGE_MESSAGES | MANAGE_GUILD | VIEW_CHANNEL, VIEW_CHANNEL],
    ["no moderation for them in the other server", theo, lobby, MANAGE_MESSAGES | MANAGE_GUILD, 0n],
    ["everything for the owner of the other server", wren, lobby, EVERY_BIT, EVERY_BIT],
  ])("have %s", async (_, as, channel, mask, bits) => {
    const sent = await attempt(testWorld(), as, channel);
    const { member } = sent as unknown as { member: { permissions: string } };
    expect(BigInt(member.permissions) & mask).toBe(bits);
  });

  it("agree with the roles and overwrites that the bot reads", async () => {
    const world = testWorld();
    const read = async (path: string) => (await world.rest("GET", path, undefined, AS_BOT)).body;
    expect(await read(`/guilds/${guild}/members/${mira}`)).toMatchObject({ roles: ["1180000000000000031"] });
    expect(await read(`/guilds/${guild}`)).toMatchObject({
      owner_id: juno,
      roles: [{ id: guild }, { name: "Parley" }, { id: "1180000000000000031", name: "Moderators" }],
    });
    expect((await attempt(world, mira, staff)) as object).toMatchObject({ member: { roles: ["1180000000000000031"] } });
    const { permission_overwrites: overwrites } = await read(`/channels/${staff}`);
    expect(overwrites).toEqual([
      { id: guild, type: 0, allow: "0", deny: String(VIEW_CHANNEL) },
      { id: "1180000000000000031", type: 0, allow: String(VIEW_CHANNEL), deny: "0" },
      { id: "1180000000000000002", type: 1, allow: String(VIEW_CHANNEL), deny: "0" },
    ]);
    expect(await world.rest("GET", `/guilds/${guild}/members/${wren}`, undefined, AS_BOT)).toMatchObject({
      code: 10007,
    });
  });
});

describe("an installation", () => {
  it.each([
    ["of the server, for a person without one", theo, lobby, { 0: secondGuild }, 0, secondGuild],
    ["of the server and of the person", wren, lobby, { 0: secondGuild, 1: wren }, 0, secondGuild],
    ["of the bot's own conversation", juno, dmOfJuno, { 0: "0" }, 1, undefined],
    ["of the bot's own conversation with somebody who has one", wren, dmOfWren, { 0: "0", 1: wren }, 1, undefined],
    ["of the person alone in a group", wren, groupDm, { 1: wren }, 2, undefined],
  ])("%s is named in the interaction", async (_, as, channel, owners, context, guildId) => {
    const sent = await attempt(testWorld(), as, channel);
    const { authorizing_integration_owners: named, context: place, guild_id: server } = sent as Record<string, unknown>;
    expect([named, place, server]).toEqual([owners, context, guildId]);
  });

  it("of the asker applies to everyone who clicks on the answer and fills in its form", async () => {
    const world = testWorld();
    world.endpoint(() => inline({ type: 4, data: { ...HELLO, components: BUTTON } }));
    const { messageId = "" } = await world.discord.interact(chat(wren, groupDm));
    const field = { type: 18, label: "Why", component: { type: 4, style: 1, custom_id: "why" } };
    world.endpoint(() => inline({ type: 9, data: { custom_id: "form", title: "Form", components: [field] } }));
    await world.discord.interact({ kind: "click", as: theo, channel: groupDm, messageId, customId: "go" });
    world.endpoint(() => inline({ type: 6 }));
    await world.discord.interact({
      kind: "submit",
      as: theo,
      channel: groupDm,
      customId: "form",
      fields: { why: "so" },
    });
    expect(
      world.received.map(({ type, user, authorizing_integration_owners: owners }) => [type, user, owners]),
    ).toEqual([
      [2, expect.objectContaining({ id: wren }), { 1: wren }],
      [3, expect.objectContaining({ id: theo }), { 1: wren }],
      [5, expect.objectContaining({ id: theo }), { 1: wren }],
    ]);
  });

  it("gives no access to a group by the bot's own token", async () => {
    const world = testWorld();
    for (const path of [`/channels/${groupDm}`, `/channels/${groupDm}/messages`])
      expect(await world.rest("GET", path, undefined, AS_BOT)).toMatchObject({ status: 403, code: 50001 });
    expect(await world.rest("POST", `/channels/${groupDm}/messages`, HELLO, AS_BOT)).toMatchObject({ code: 50001 });
  });

  it("offers a command only in the contexts and for the installations that it was registered for", async () => {
    const world = testWorld();
    const commands = [
      { name: "chat", description: "d", integration_types: [0], contexts: [0, 1, 2] },
      { name: "owner", description: "d", contexts: [1] },
    ];
    await world.rest("PUT", "/applications/1180000000000000002/commands", commands, AS_BOT);
    expect(await attempt(world, wren, lobby)).toMatchObject({ authorizing_integration_owners: { 0: secondGuild } });
    expect(await attempt(world, wren, groupDm)).toMatch(/only for people who installed/);
    const owner = async (channel: string) =>
      (await world.discord.interact({ kind: "command", as: juno, channel, name: "owner" })).error ?? "sent";
    expect([await owner(general), await owner(dmOfJuno)]).toEqual(["/owner does not exist here.", "sent"]);
  });
});

describe("whose application it is", () => {
  const read = (world: TestWorld, headers: Record<string, string> = AS_BOT) =>
    world.rest("GET", "/applications/@me", undefined, headers);

  it("can be read with the bot's token only", async () => {
    const world = testWorld();
    expect(await read(world, {})).toMatchObject({ status: 401, code: 0 });
    expect(await read(world, { authorization: "Bot another" })).toMatchObject({ status: 401 });
    expect(await read(world)).toMatchObject({
      status: 200,
      body: {
        id: "1180000000000000002",
        verify_key: DEVELOPMENT_PUBLIC_KEY_HEX,
        owner: { id: juno, username: "juno" },
        team: null,
      },
    });
  });

  it("can be a team's, whose user is none of its people", async () => {
    const { owner, team } = (await read(testWorld({ team: [mira, juno] }))).body as Record<
      string,
      Record<string, unknown>
    >;
    expect([owner, team]).toMatchObject([
      { id: team?.id, username: `team${team?.id}` },
      { owner_user_id: mira, members: [{ user: { id: mira }, membership_state: 2 }, { user: { id: juno } }] },
    ]);
  });

  it.each([null, [mira]])("has the form of Discord's own specification, with the team %j", async (team) => {
    const { body } = await read(testWorld({ team }));
    expect(safeParse(PrivateApplicationResponseSchema, body).error?.issues).toBeUndefined();
  });
});

describe("a direct message", () => {
  const open = (world: TestWorld, body: object, headers: Record<string, string> = AS_BOT) =>
    world.rest("POST", "/users/@me/channels", body, headers);

  it("is opened once for each person, in the form of Discord's specification, and reaches only them", async () => {
    const world = testWorld();
    const { status, body } = await open(world, { recipient_id: juno });
    expect([status, body.id, safeParse(PrivateChannelResponseSchema, body).error?.issues]).toEqual([
      200,
      dmOfJuno,
      undefined,
    ]);
    expect(body).toMatchObject({ type: 1, recipients: [{ id: juno }] });
    expect(await world.rest("POST", `/channels/${dmOfJuno}/messages`, HELLO, AS_BOT)).toMatchObject({ status: 200 });
    expect(world.discord.messages(dmOfJuno, juno)).toMatchObject([{ content: "hello", author: { bot: true } }]);
    expect(world.discord.messages(dmOfJuno, mira)).toEqual([]);
  });

  it("is opened with somebody who had none, and then is on their screen", async () => {
    const world = testWorld();
    await world.discord.interact(chat("1180000000000000099", general));
    const first = await open(world, { recipient_id: "1180000000000000099" });
    const second = await open(world, { recipient_id: "1180000000000000099" });
    expect(second.body.id).toBe(first.body.id);
    expect(world.discord.channels("1180000000000000099").map(({ id }) => id)).toEqual([general, thread, first.body.id]);
  });

  it("is refused without a token, without a recipient, to an unknown person, to the bot itself and with unknown fields", async () => {
    const world = testWorld();
    expect(await open(world, { recipient_id: juno }, {})).toMatchObject({ status: 401, code: 0 });
    expect(faultsIn(await open(world, {}))).toEqual(["recipient_id: BASE_TYPE_REQUIRED"]);
    expect(faultsIn(await open(world, { recipient: juno }))).toEqual(["recipient: LOCAL_UNKNOWN_FIELD"]);
    expect(faultsIn(await open(world, { access_tokens: ["a"] }))).toEqual(["access_tokens: LOCAL_NO_GROUPS"]);
    for (const id of ["1180000000000000404", "1180000000000000002"])
      expect(await open(world, { recipient_id: id })).toMatchObject({ status: 400, code: 50033 });
  });

  it("can be refused by the person when it is sent, but not when it is opened", async () => {
    const world = testWorld({ directMessagesOpen: false });
    expect(await open(world, { recipient_id: juno })).toMatchObject({ status: 200 });
    const send = (channel: string) => world.rest("POST", `/channels/${channel}/messages`, HELLO, AS_BOT);
    expect([(await send(dmOfJuno)).code, (await send(general)).code]).toEqual([50007, null]);
  });
});
