// What the local Gateway sends a session: which events by which intents, with which fields, and how much of a message.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { INTENTS } from "../../../src/playground/gateway/protocol.ts";
import { AS_BOT, inline, SILENT, testWorld } from "../discord/world.ts";
import { login, ORDINARY, resume } from "./client.ts";

const { mira, theo, juno } = PEOPLE;
const { general, thread, staff, dmOfTheo, groupDm, lobby, guild, secondGuild } = PLACES;
const ME = `<@${APPLICATION.id}>`;
const OWN_ROLE = "1180000000000000032";
const MODERATORS = "1180000000000000031";
const say = { as: theo, channel: general };

describe("MESSAGE_CREATE", () => {
  it("in a server has the author, the member without the user, and the mentions with their members", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const id = discord.speak({ as: mira, channel: general, content: `${ME} and <@${theo}>`, nonce: "77" });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({
      id,
      type: 0,
      channel_id: general,
      channel_type: 0,
      guild_id: guild,
      author: { id: mira, username: "mira", global_name: "Mira" },
      member: { roles: [MODERATORS], nick: null },
      content: `${ME} and <@${theo}>`,
      nonce: "77",
      mention_everyone: false,
      mention_roles: [],
      mentions: [
        { id: APPLICATION.id, bot: true, member: { roles: [OWN_ROLE] } },
        { id: theo, member: { roles: [] } },
      ],
    });
    const { member, author } = client.last("MESSAGE_CREATE") as { member: object; author: object };
    expect(member).not.toHaveProperty("user");
    expect(member).not.toHaveProperty("permissions");
    expect(author).not.toHaveProperty("bot");
  });

  it("in a direct message has no server and no member", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ as: theo, channel: dmOfTheo, content: "hello" });
    const event = client.last("MESSAGE_CREATE");
    expect(event).toMatchObject({ channel_id: dmOfTheo, channel_type: 1, content: "hello", author: { id: theo } });
    for (const field of ["guild_id", "member", "referenced_message"]) expect(event).not.toHaveProperty(field);
  });

  it("in a thread names the thread and not its parent", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ as: theo, channel: thread, content: ME });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({ channel_id: thread, channel_type: 11, guild_id: guild });
    expect(client.last("MESSAGE_CREATE")).not.toHaveProperty("parent_id");
  });

  it("of a reply mentions the person it answers, unless the ping is off or the answer was a command's", async () => {
    const world = testWorld();
    const { discord } = world;
    const client = login(discord);
    const path = `/channels/${general}/messages`;
    const { id } = (await world.rest("POST", path, { content: "from me", ...SILENT }, AS_BOT)).body as { id: string };
    const reply = (replyTo: string, ping?: boolean) => {
      discord.speak({ ...say, content: "why?", replyTo, ...(ping !== undefined && { ping }) });
      const { content, mentions, referenced_message, message_reference, type } = client.last("MESSAGE_CREATE");
      expect({ type, message_reference }).toEqual({
        type: 19,
        message_reference: { type: 0, channel_id: general, guild_id: guild, message_id: replyTo },
      });
      expect(referenced_message).toMatchObject({ id: replyTo });
      return [content, (mentions as { id: string }[]).map((one) => one.id)];
    };
    expect(reply(id)).toEqual(["why?", [APPLICATION.id]]);
    expect(reply(id, false)).toEqual(["", []]);
    world.endpoint(() => inline({ type: 4, data: { content: "done", ...SILENT } }));
    const { messageId = "" } = await discord.interact({ kind: "command", ...say, name: "chat" });
    expect(reply(messageId)).toEqual(["", []]);
  });

  it("of a reply to a deleted message says so with null", async () => {
    const world = testWorld();
    const client = login(world.discord);
    const id = world.discord.speak({ ...say, content: "gone soon" });
    const reply = world.discord.speak({ ...say, content: "to that", replyTo: id });
    world.discord.delete(id);
    world.discord.touch({ kind: "edit", as: theo, messageId: reply, content: "to what?" });
    expect(client.last("MESSAGE_UPDATE")).toMatchObject({
      referenced_message: null,
      message_reference: { message_id: id },
    });
  });

  it("of a forward has a snapshot instead of words, without an author", () => {
    const { discord } = testWorld({ messageContentIntent: true });
    const client = login(discord, { intents: ORDINARY | INTENTS.messageContent });
    const id = discord.speak({ ...say, channel: lobby, content: "the news" });
    discord.speak({ ...say, content: "", forward: id });
    const event = client.last("MESSAGE_CREATE");
    expect(event).toMatchObject({
      flags: 1 << 14,
      content: "",
      message_reference: { type: 1, channel_id: lobby, guild_id: secondGuild, message_id: id },
      message_snapshots: [{ message: { content: "the news", type: 0 } }],
    });
    expect(JSON.stringify(event.message_snapshots)).not.toContain("author");
  });

  it("of a voice message has one file with its length, and can't be edited", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const file = { filename: "voice-message.ogg", contentType: "audio/ogg", base64: btoa("OggS") };
    const messageId = discord.speak({ ...say, channel: dmOfTheo, content: "", file, voice: 2.5 });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({
      flags: 1 << 13,
      attachments: [{ content_type: "audio/ogg", size: 4, duration_secs: 2.5, waveform: expect.any(String) }],
    });
    expect(discord.touch({ kind: "edit", as: theo, messageId, content: "words" })).toMatchObject({ ok: false });
    expect(discord.write({ ...say, content: "words", file, voice: 1 })).toMatchObject({ ok: false });
  });

  it("of everyone and of a role is not a mention of the application", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ as: mira, channel: general, content: `@everyone <@&${OWN_ROLE}> <@&${guild}>` });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({
      mention_everyone: true,
      mentions: [],
      mention_roles: [OWN_ROLE],
      content: "",
    });
    discord.speak({ ...say, content: "@everyone" });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({ mention_everyone: false });
  });

  it("comes for the application's own messages, and for its ephemeral ones as if they were direct", async () => {
    const world = testWorld();
    const client = login(world.discord);
    await world.rest("POST", `/channels/${general}/messages`, { content: "mine", ...SILENT }, AS_BOT);
    expect(client.last("MESSAGE_CREATE")).toMatchObject({ content: "mine", guild_id: guild, author: { bot: true } });
    world.endpoint(() => inline({ type: 4, data: { content: "psst", flags: 64, ...SILENT } }));
    await world.discord.interact({ kind: "command", ...say, name: "chat" });
    const event = client.last("MESSAGE_CREATE");
    expect(event).toMatchObject({ content: "psst", flags: 64, channel_id: general });
    for (const field of ["guild_id", "member"]) expect(event).not.toHaveProperty(field);
  });

  it("does not come for a line that a client shows by itself", async () => {
    const world = testWorld();
    world.endpoint(() => new Response(null, { status: 500 }));
    const client = login(world.discord);
    await world.discord.interact({ kind: "command", ...say, name: "chat" });
    expect(client.names()).not.toContain("MESSAGE_CREATE");
  });
});

describe("the content of messages", () => {
  const file = { filename: "a.txt", text: "secret" };

  it("is empty without the intent, and there with it", () => {
    for (const intent of [0, INTENTS.messageContent]) {
      const { discord } = testWorld({ messageContentIntent: true });
      const client = login(discord, { intents: ORDINARY | intent });
      discord.speak({ ...say, content: "words", file });
      const { content, attachments } = client.last("MESSAGE_CREATE") as { content: string; attachments: unknown[] };
      expect([content, attachments.length]).toEqual(intent ? ["words", 1] : ["", 0]);
    }
  });

  it.each([
    ["a mention", { content: `${ME} hi`, file }, `${ME} hi`],
    ["an old mention", { content: `<@!${APPLICATION.id}> hi` }, `<@!${APPLICATION.id}> hi`],
    ["a direct message", { content: "hi", channel: dmOfTheo }, "hi"],
    ["a mention of somebody else", { content: `<@${mira}> hi` }, ""],
    ["a mention of the application's role", { content: `<@&${OWN_ROLE}> hi` }, ""],
  ])("is visible without the intent: %s", (_what, words, content) => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ ...say, ...words });
    expect(client.last("MESSAGE_CREATE").content).toBe(content);
  });

  it("is visible for a role mention if Discord is configured to show it", () => {
    const { discord } = testWorld({ roleMentionShowsContent: true });
    const client = login(discord);
    discord.speak({ ...say, content: `<@&${OWN_ROLE}> hi` });
    expect(client.last("MESSAGE_CREATE").content).toBe(`<@&${OWN_ROLE}> hi`);
  });

  it("stays empty for the message that a mention replies to, unless Discord is configured otherwise", () => {
    for (const replyShowsReferenced of [false, true]) {
      const { discord } = testWorld({ replyShowsReferenced });
      const client = login(discord);
      const replyTo = discord.speak({ as: mira, channel: general, content: "the question" });
      discord.speak({ ...say, content: ME, replyTo });
      const { content, referenced_message } = client.last("MESSAGE_CREATE");
      expect(content).toBe(ME);
      expect((referenced_message as { content: string }).content).toBe(replyShowsReferenced ? "the question" : "");
    }
  });

  it("follows an edit: adding a mention shows it, and removing the mention hides it", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const messageId = discord.speak({ ...say, content: "hi" });
    const edit = (content: string) => {
      discord.touch({ kind: "edit", as: theo, messageId, content });
      return client.last("MESSAGE_UPDATE");
    };
    expect(edit(`${ME} hi`)).toMatchObject({
      content: `${ME} hi`,
      edited_timestamp: expect.stringContaining("2026-11"),
    });
    expect(edit("bye").content).toBe("");
  });
});

describe("other events", () => {
  it("report edits, deletions, reactions, pins, threads, channels and typing", async () => {
    const world = testWorld();
    const { discord } = world;
    const client = login(discord);
    client.take();
    const messageId = discord.speak({ ...say, content: ME });
    discord.touch({ kind: "react", as: mira, messageId, emoji: "👍" });
    expect(client.last("MESSAGE_REACTION_ADD")).toMatchObject({
      user_id: mira,
      message_id: messageId,
      channel_id: general,
      guild_id: guild,
      emoji: { id: null, name: "👍" },
      member: { user: { id: mira } },
      message_author_id: theo,
    });
    discord.touch({ kind: "unreact", as: mira, messageId, emoji: "👍" });
    await world.rest("PUT", `/channels/${general}/messages/pins/${messageId}`, undefined, AS_BOT);
    await world.rest("POST", `/channels/${general}/messages/${messageId}/threads`, { name: "more" }, AS_BOT);
    expect(client.last("THREAD_CREATE")).toMatchObject({ id: messageId, parent_id: general, newly_created: true });
    discord.type(say);
    expect(client.last("TYPING_START")).toMatchObject({ user_id: theo, channel_id: general, guild_id: guild });
    discord.touch({ kind: "delete", as: theo, messageId });
    expect(client.last("MESSAGE_DELETE")).toEqual({ id: messageId, channel_id: general, guild_id: guild });
    discord.deleteChannel(messageId);
    discord.speak({ ...say, channel: "99", content: "a new channel" });
    discord.deleteChannel("99");
    expect(client.names()).toEqual([
      "MESSAGE_CREATE",
      "MESSAGE_REACTION_ADD",
      "MESSAGE_REACTION_REMOVE",
      "MESSAGE_UPDATE",
      "CHANNEL_PINS_UPDATE",
      "MESSAGE_CREATE",
      "THREAD_CREATE",
      "TYPING_START",
      "MESSAGE_DELETE",
      "THREAD_DELETE",
      "CHANNEL_CREATE",
      "MESSAGE_CREATE",
      "CHANNEL_DELETE",
    ]);
  });

  it.each([
    [INTENTS.guilds, ["GUILD_CREATE", "GUILD_CREATE"]],
    [INTENTS.guildMessages, ["MESSAGE_CREATE"]],
    [INTENTS.guildReactions, ["MESSAGE_REACTION_ADD"]],
    [INTENTS.guildTyping, ["TYPING_START"]],
    [INTENTS.directMessages, ["MESSAGE_CREATE"]],
    [INTENTS.directReactions, ["MESSAGE_REACTION_ADD"]],
    [INTENTS.directTyping, ["TYPING_START"]],
    [0, []],
  ])("come by their intent alone: %i brings %j", (intents, names) => {
    const { discord } = testWorld();
    const client = login(discord, { intents });
    for (const channel of [general, dmOfTheo]) {
      discord.type({ ...say, channel });
      const messageId = discord.speak({ ...say, channel, content: "hi" });
      discord.touch({ kind: "react", as: theo, messageId, emoji: "👍" });
    }
    expect(client.names()).toEqual(["READY", ...names]);
  });

  it("come from channels that the application sees, and never from people's own groups", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak({ as: mira, channel: staff, content: ME });
    expect(client.last("MESSAGE_CREATE")).toMatchObject({ channel_id: staff });
    client.take();
    discord.speak({ ...say, channel: groupDm, content: ME });
    expect(client.frames).toEqual([]);
  });

  it("report that the application was removed from its servers and added again, and are silent in between", () => {
    const { discord } = testWorld();
    const client = login(discord);
    client.take();
    discord.configure({ botIsMember: false });
    expect(client.take().map(({ t, d }) => [t, d])).toEqual([
      ["GUILD_DELETE", { id: guild }],
      ["GUILD_DELETE", { id: secondGuild }],
    ]);
    discord.speak({ ...say, content: ME });
    discord.speak({ ...say, channel: dmOfTheo, content: "hi" });
    expect(client.take().map(({ t }) => t)).toEqual(["MESSAGE_CREATE"]);
    discord.configure({ botIsMember: true });
    expect(client.names()).toEqual(["GUILD_CREATE", "GUILD_CREATE"]);
  });

  it("go to the shard of their server, and those without a server to the first", () => {
    const { discord } = testWorld();
    discord.gateway.set({ maxConcurrency: 2 });
    const shards = [0, 1].map((id) => login(discord, { shard: [id, 2] }));
    const home = Number((BigInt(guild) >> 22n) % 2n);
    for (const client of shards) client.take();
    discord.speak({ ...say, content: ME });
    expect(shards.map((client) => client.take().length)).toEqual(home === 0 ? [1, 0] : [0, 1]);
    discord.speak({ ...say, channel: dmOfTheo, content: "hi" });
    expect(shards.map((client) => client.take().length)).toEqual([1, 0]);
  });

  it("go to every session of the same token", () => {
    const world = testWorld();
    const first = login(world.discord);
    world.clock.now += 5000;
    const second = login(world.discord);
    world.discord.speak({ ...say, content: ME });
    for (const client of [first, second]) expect(client.last("MESSAGE_CREATE").content).toBe(ME);
  });
});

describe("a server", () => {
  it("comes with its channels, threads and roles, and only the application among its members", () => {
    const client = login(testWorld().discord);
    const [first] = client.frames.filter(({ t }) => t === "GUILD_CREATE").map(({ d }) => d as Record<string, unknown>);
    expect(first).toMatchObject({
      id: guild,
      owner_id: juno,
      unavailable: false,
      large: false,
      members: [{ user: { id: APPLICATION.id } }],
      channels: [{ id: general }, { id: staff }],
      threads: [{ id: thread, parent_id: general }],
    });
    const roles = first?.roles as { id: string; managed: boolean; tags?: object }[];
    expect(roles.filter(({ managed }) => managed)).toMatchObject([{ id: OWN_ROLE, tags: { bot_id: APPLICATION.id } }]);
  });

  it("names the members that op 8 asks for, by id or by the beginning of a name, but never all", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const ask = (request: object) => {
      client.send(8, { guild_id: guild, ...request });
      const { members, not_found } = client.last("GUILD_MEMBERS_CHUNK") as {
        members: { user: { id: string } }[];
        not_found: string[];
      };
      return [members.map(({ user }) => user.id), not_found];
    };
    expect(ask({ user_ids: [theo, "5"] })).toEqual([[theo], ["5"]]);
    expect(ask({ query: "mi", limit: 5 })).toEqual([[mira], []]);
    expect(ask({ query: "", limit: 0 })).toEqual([[], []]);
  });
});

describe("an interaction of an application without an endpoint URL", () => {
  it("comes over the Gateway, and is answered by the callback", async () => {
    const world = testWorld({ interactionsEndpoint: false });
    const client = login(world.discord);
    const outcome = world.discord.interact({ kind: "command", ...say, name: "chat" });
    const { id, token, type, data } = client.last("INTERACTION_CREATE");
    expect({ type, data }).toMatchObject({ type: 2, data: { name: "chat" } });
    const path = `/interactions/${id}/${token}/callback?with_response=false`;
    expect((await world.rest("POST", path, { type: 4, data: { content: "hi", ...SILENT } })).status).toBe(204);
    expect(await outcome).toMatchObject({ ok: true, seen: "message", status: null });
    expect(world.received).toEqual([]);
    expect((await world.rest("GET", "/applications/@me", undefined, AS_BOT)).body.interactions_endpoint_url).toBeNull();
  });

  it("fails after 3 s without an answer, and is replayed to a session that resumes", async () => {
    const world = testWorld({ interactionsEndpoint: false });
    const client = login(world.discord);
    client.leave(1006);
    const outcome = world.discord.interact({ kind: "command", ...say, name: "chat" });
    expect(resume(world.discord, client.session, 3).names()).toEqual(["INTERACTION_CREATE", "RESUMED"]);
    world.clock.now += 3001;
    world.discord.gateway.sweep();
    expect(await outcome).toMatchObject({ ok: false, seen: "failed", error: "The application did not respond" });
    const other = world.discord.interact({ kind: "command", ...say, name: "chat" });
    world.discord.reset();
    expect([(await other).ok, world.discord.messages(general, theo)]).toEqual([false, []]);
  });
});
