// People who write without commands, and the bot that answers them with its own token.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, inline, SILENT, testWorld } from "./world.ts";

const { mira, theo, wren } = PEOPLE;
const { general, staff, thread, dmOfMira } = PLACES;
const say = { as: theo, channel: general, content: "hi" };
const messages = `/channels/${general}/messages`;
const no = (error: string) => ({ ok: false, error });

describe("a person", () => {
  it("writes, replies and forwards, and the page shows it", () => {
    const { discord } = testWorld();
    const first = discord.write({ ...say, file: { filename: "a.txt", text: "abc" } });
    expect(first).toMatchObject({ ok: true });
    const replyTo = "messageId" in first ? first.messageId : "";
    discord.write({ as: mira, channel: general, content: "to you", replyTo });
    discord.write({ as: mira, channel: thread, content: "", forward: replyTo });
    expect(discord.messages(general, mira)).toMatchObject([
      { content: "hi", attachments: [{ filename: "a.txt" }] },
      { content: "to you", repliesTo: { id: replyTo, author: "Theo", content: "hi" } },
    ]);
    expect(discord.messages(thread, mira)).toMatchObject([{ content: "", forwarded: "hi" }]);
  });

  it("sees whom a reply pings, that they are mentioned, and which reactions are theirs", () => {
    const { discord } = testWorld();
    const first = discord.speak(say);
    discord.speak({ as: mira, channel: general, content: "quietly", replyTo: first, ping: false });
    discord.speak({ as: mira, channel: general, content: "aloud", replyTo: first });
    discord.touch({ kind: "react", as: mira, messageId: first, emoji: "👍" });
    const seenBy = (as: string) => discord.messages(general, as);
    expect(seenBy(theo).map(({ repliesTo, mentionsYou }) => [repliesTo?.pings, mentionsYou])).toEqual([
      [undefined, undefined],
      [false, undefined],
      [true, true],
    ]);
    expect(seenBy(mira).some(({ mentionsYou }) => mentionsYou)).toBe(false);
    const reaction = { emoji: "👍", count: 1 };
    expect([seenBy(mira)[0]?.reactions, seenBy(theo)[0]?.reactions]).toEqual([
      [{ ...reaction, mine: true }],
      [reaction],
    ]);
    expect(discord.bot()).toEqual({ id: APPLICATION.id, name: "Parley", listens: false });
  });

  it.each([
    ["nothing", { content: " " }, "The message is empty."],
    ["too much", { content: "x".repeat(2001) }, "A message has at most 2000 characters."],
    ["in a channel that is closed to them", { channel: staff }, "They don't see this channel."],
    ["in another person's messages", { channel: dmOfMira }, "They don't see this channel."],
    ["in a server where they are not a member", { as: wren }, "They don't see this channel."],
    ["in reply to nothing", { replyTo: "1" }, "There is no such message to reply to."],
    ["and forwards nothing", { content: "", forward: "1" }, "There is no such message to forward."],
  ])("can't write %s", (_what, words, error) => {
    expect(testWorld().discord.write({ ...say, ...words })).toEqual(no(error));
  });

  it("can't reply to one of Discord's lines or from another channel, or add words to a forward", async () => {
    const { discord, rest } = testWorld();
    const messageId = discord.speak(say);
    await rest("PUT", `${messages}/pins/${messageId}`, undefined, AS_BOT);
    const line = discord.messages(general, theo).at(-1)?.id ?? "";
    expect(discord.write({ ...say, replyTo: line })).toEqual(no("This message can't be replied to."));
    expect(discord.write({ ...say, channel: thread, replyTo: messageId })).toEqual(
      no("There is no such message to reply to."),
    );
    expect(discord.write({ ...say, forward: messageId })).toEqual(
      no("A forwarded message can't have text or files of its own."),
    );
  });

  it("edits only their own messages, and deletes those of others only as a moderator", () => {
    const { discord } = testWorld();
    const messageId = discord.speak({ as: mira, channel: general, content: "mine" });
    expect(discord.touch({ kind: "edit", as: theo, messageId, content: "yours" })).toEqual(
      no("Only its author can edit a message."),
    );
    expect(discord.touch({ kind: "edit", as: mira, messageId, content: "changed" })).toMatchObject({ ok: true });
    expect(discord.messages(general, theo)).toMatchObject([{ content: "changed", edits: 1 }]);
    expect(discord.touch({ kind: "delete", as: theo, messageId })).toEqual(
      no("Only a moderator can delete this message."),
    );
    const other = discord.speak(say);
    expect(discord.touch({ kind: "delete", as: mira, messageId: other })).toMatchObject({ ok: true });
    expect(discord.touch({ kind: "react", as: mira, messageId: other, emoji: "👍" })).toEqual(
      no("There is no such message."),
    );
  });

  it("types for 10 s, or until they have written", () => {
    const world = testWorld();
    const { discord } = world;
    discord.type(say);
    expect(discord.typing(general)).toEqual([theo]);
    discord.speak(say);
    expect(discord.typing(general)).toEqual([]);
    discord.type(say);
    world.clock.now += 10_000;
    expect(discord.typing(general)).toEqual([]);
  });
});

describe("the bot's token", () => {
  it("replies to a message of the channel, with the ping only if it is allowed", async () => {
    const world = testWorld({ requireSilentMentions: false });
    const message_id = world.discord.speak(say);
    const reply = async (body: object) =>
      (await world.rest("POST", messages, { content: "yes", message_reference: { message_id }, ...body }, AS_BOT)).body;
    const silent = await reply({ allowed_mentions: { parse: [], replied_user: false } });
    expect(silent).toMatchObject({
      type: 19,
      mentions: [],
      referenced_message: { id: message_id, content: "" },
      message_reference: { type: 0, message_id, channel_id: general, guild_id: PLACES.guild },
    });
    world.discord.configure({ messageContentIntent: true });
    expect(await reply({})).toMatchObject({ referenced_message: { content: "hi" } });
    expect(await reply({})).toMatchObject({ mentions: [{ id: theo }] });
    expect(await reply({ allowed_mentions: { parse: ["users"] } })).toMatchObject({ mentions: [] });
  });

  it.each([
    ["that is gone", { message_id: "1" }, 50_035],
    ["in another channel", { message_id: "other" }, 50_035],
    ["under a wrong channel", { message_id: "here", channel_id: thread }, 50_035],
    ["that is a line of Discord's", { message_id: "line" }, 50_035],
    ["that only one person sees", { message_id: "private" }, 50_035],
    ["that is gone, if that doesn't matter", { message_id: "1", fail_if_not_exists: false }, null],
    ["to be forwarded", { message_id: "here", type: 1, channel_id: general }, 50_035],
  ])("replies to a message %s with code %s → %s", async (_what, reference, code) => {
    const world = testWorld();
    const here = world.discord.speak(say);
    await world.rest("PUT", `${messages}/pins/${here}`, undefined, AS_BOT);
    const line = world.discord.messages(general, theo).at(-1)?.id ?? "";
    world.endpoint(() => inline({ type: 4, data: { content: "psst", flags: 64, ...SILENT } }));
    const { messageId = "" } = await world.discord.interact({ kind: "command", ...say, name: "chat" });
    const ids: Record<string, string> = {
      ...{ here, line, private: messageId },
      other: world.discord.speak({ ...say, channel: thread }),
    };
    const message_reference = { ...reference, message_id: ids[reference.message_id] ?? reference.message_id };
    const answer = await world.rest("POST", messages, { content: "yes", message_reference, ...SILENT }, AS_BOT);
    expect(answer.code).toBe(code);
    if (code === null) expect(answer.body).toMatchObject({ type: 0 });
    if (code === null) expect(answer.body).not.toHaveProperty("message_reference");
  });

  it("needs the permissions to send, and to read what it replies to", async () => {
    const world = testWorld({ botReadsHistory: false });
    const message_id = world.discord.speak(say);
    const body = { content: "yes", message_reference: { message_id }, ...SILENT };
    expect(await world.rest("POST", messages, body, AS_BOT)).toMatchObject({ status: 400, code: 160_002 });
    expect(await world.rest("GET", messages, undefined, AS_BOT)).toMatchObject({ status: 200, body: [] });
    world.discord.configure({ botSends: false });
    for (const path of [messages, `/channels/${general}/typing`])
      expect(await world.rest("POST", path, { content: "yes", ...SILENT }, AS_BOT)).toMatchObject({ code: 50_013 });
  });

  it("repeats a nonce of its own messages only, however often people use it", async () => {
    const world = testWorld();
    world.discord.speak({ ...say, nonce: "turn-1" });
    const body = { content: "yes", nonce: "turn-1", enforce_nonce: true, ...SILENT };
    const first = await world.rest("POST", messages, body, AS_BOT);
    const second = await world.rest("POST", messages, body, AS_BOT);
    expect(first.body.author).toMatchObject({ id: APPLICATION.id });
    expect(second.body.id).toBe(first.body.id);
  });

  it("refuses mentions that are both allowed as a kind and listed, and a nonce of 26 characters", async () => {
    const world = testWorld({ requireSilentMentions: false });
    const allowed_mentions = { parse: ["users"], users: [theo] };
    expect(await world.rest("POST", messages, { content: "hi", allowed_mentions }, AS_BOT)).toMatchObject({
      code: 50_035,
    });
    const nonce = "x".repeat(26);
    expect(await world.rest("POST", messages, { content: "hi", nonce }, AS_BOT)).toMatchObject({ code: 50_035 });
  });

  it("types, and takes its reactions back", async () => {
    const world = testWorld();
    const messageId = world.discord.speak(say);
    expect((await world.rest("POST", `/channels/${general}/typing`, undefined, AS_BOT)).status).toBe(204);
    expect(world.discord.typing(general)).toEqual([APPLICATION.id]);
    const hourglass = `${messages}/${messageId}/reactions/%E2%8F%B3`;
    world.discord.touch({ kind: "react", as: theo, messageId, emoji: "⏳" });
    expect((await world.rest("PUT", `${hourglass}/@me`, undefined, AS_BOT)).status).toBe(204);
    expect((await world.rest("GET", hourglass, undefined, AS_BOT)).body).toMatchObject([
      { id: theo },
      { id: APPLICATION.id },
    ]);
    expect((await world.rest("DELETE", `${hourglass}/@me`, undefined, AS_BOT)).status).toBe(204);
    expect((await world.rest("DELETE", `${hourglass}/@me`, undefined, AS_BOT)).status).toBe(204);
    expect(world.discord.messages(general, theo)[0]?.reactions).toEqual([{ emoji: "⏳", count: 1, mine: true }]);
  });

  it("reads the roles of a server", async () => {
    const world = testWorld();
    const { body } = await world.rest("GET", `/guilds/${PLACES.guild}/roles`, undefined, AS_BOT);
    expect(body).toMatchObject([{ name: "@everyone" }, { tags: { bot_id: APPLICATION.id } }, { name: "Moderators" }]);
    expect(await world.rest("GET", "/guilds/5/roles", undefined, AS_BOT)).toMatchObject({ code: 50_001 });
  });
});
