// Reactions, pins, threads and polls in the local Discord: what they change, and what Discord refuses.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, SILENT, testWorld } from "./world.ts";

const THUMB = encodeURIComponent("👍");

function scene() {
  const world = testWorld();
  const message = world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "cake?" });
  const at = `/channels/${PLACES.general}`;
  const bot = (method: string, path: string, body?: object) => world.rest(method, path, body, AS_BOT);
  return {
    ...world,
    message,
    at,
    bot,
    react: (emoji: string) => bot("PUT", `${at}/messages/${message}/reactions/${emoji}/@me`),
  };
}
const poll = (over: object = {}) => ({
  ...SILENT,
  poll: {
    question: { text: "Tea?" },
    answers: [{ poll_media: { text: "Yes" } }, { poll_media: { text: "No" } }],
    ...over,
  },
});

describe("a reaction", () => {
  it("is added once, and the bot can read it", async () => {
    const { bot, react, at, message } = scene();
    expect([(await react(THUMB)).status, (await react(THUMB)).status]).toEqual([204, 204]);
    expect((await bot("GET", `${at}/messages/${message}`)).body.reactions).toMatchObject([
      { count: 1, me: true, emoji: { id: null, name: "👍" } },
    ]);
  });

  it("must be an emoji, and a message has room for twenty", async () => {
    const { react } = scene();
    expect((await react("ok")).code).toBe(10014);
    const emojis = [..."😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓"];
    for (const emoji of emojis) expect((await react(encodeURIComponent(emoji))).status).toBe(204);
    expect((await react(THUMB)).code).toBe(30010);
  });

  it("needs the bot's token and an existing message", async () => {
    const { rest, bot, at, message } = scene();
    expect((await rest("PUT", `${at}/messages/${message}/reactions/${THUMB}/@me`)).status).toBe(401);
    expect((await bot("PUT", `${at}/messages/1180000000000000999/reactions/${THUMB}/@me`)).code).toBe(10008);
  });
});

describe("a pin", () => {
  it("marks the message and is announced in the channel, once", async () => {
    const { bot, at, message, discord } = scene();
    for (let n = 0; n < 2; n++) expect((await bot("PUT", `${at}/messages/pins/${message}`)).status).toBe(204);
    expect((await bot("GET", `${at}/messages/${message}`)).body.pinned).toBe(true);
    const types = (await bot("GET", `${at}/messages`)).body as unknown as { type: number }[];
    expect(types.filter(({ type }) => type === 6).length).toBe(1);
    expect(discord.messages(PLACES.general, PEOPLE.theo).at(-1)?.deed).toBe("pinned a message to this channel.");
  });
});

describe("a thread", () => {
  it("on a message has that message's id, and a message has at most one", async () => {
    const { bot, at, message, discord } = scene();
    const made = await bot("POST", `${at}/messages/${message}/threads`, { name: "Cake", auto_archive_duration: 60 });
    expect([made.status, made.body.id, made.body.parent_id]).toEqual([201, message, PLACES.general]);
    expect((await bot("POST", `${at}/messages/${message}/threads`, { name: "Cake" })).code).toBe(160004);
    const shown = discord.messages(PLACES.general, PEOPLE.theo).find(({ id }) => id === message);
    expect(shown?.thread).toEqual({ id: message, name: "Cake" });
  });

  it("on a message begins with a line that has no words but includes that message", async () => {
    const { bot, at, message } = scene();
    const { body } = await bot("GET", `${at}/messages/${message}`);
    await bot("POST", `${at}/messages/${message}/threads`, { name: "Cake" });
    const inside = await bot("GET", `/channels/${message}/messages`);
    const message_reference = { message_id: message, channel_id: PLACES.general };
    const referenced_message = { id: message, content: body.content, author: body.author };
    expect(inside.body).toMatchObject([{ type: 21, content: "", message_reference, referenced_message }]);
  });

  it.each([
    ["without a name", {}],
    ["with too long a name", { name: "x".repeat(101), type: 11 }],
    ["with an invalid archive duration", { name: "a", type: 11, auto_archive_duration: 61 }],
    ["without a type, which would make it private", { name: "a" }],
    ["with a field that Discord does not know", { name: "a", type: 11, archive: 60 }],
  ])("%s is refused", async (_, body) => {
    const { bot, at } = scene();
    expect((await bot("POST", `${at}/threads`, body)).code).toBe(50035);
  });

  it("can't be created in a thread or a direct message", async () => {
    const { bot } = scene();
    for (const place of [PLACES.thread, PLACES.dmOfMira])
      expect((await bot("POST", `/channels/${place}/threads`, { name: "a", type: 11 })).code).toBe(50024);
  });
});

describe("a poll", () => {
  it("is stored with its end and returned in Discord's form", async () => {
    const { bot, at, clock } = scene();
    const { body } = await bot("POST", `${at}/messages`, poll({ duration: 2 }));
    expect(body.poll).toEqual({
      question: { text: "Tea?" },
      answers: [
        { answer_id: 1, poll_media: { text: "Yes" } },
        { answer_id: 2, poll_media: { text: "No" } },
      ],
      expiry: new Date(clock.now + 7_200_000).toISOString(),
      allow_multiselect: false,
      layout_type: 1,
    });
  });

  it.each([
    ["no question", { question: { text: " " } }],
    ["an answer without text", { answers: [{ poll_media: {} }] }],
    ["an answer of 56 characters", { answers: [{ poll_media: { text: "x".repeat(56) } }] }],
    ["eleven answers", { answers: Array.from({ length: 11 }, () => ({ poll_media: { text: "a" } })) }],
    ["33 days", { duration: 769 }],
  ])("with %s is refused", async (_, over) => {
    const { bot, at } = scene();
    expect((await bot("POST", `${at}/messages`, poll(over))).code).toBe(50035);
  });
});

describe("a person", () => {
  it("can be looked up by id, and a stranger is unknown", async () => {
    const { bot } = scene();
    expect((await bot("GET", `/users/${PEOPLE.mira}`)).body).toMatchObject({ id: PEOPLE.mira, global_name: "Mira" });
    expect((await bot("GET", "/users/1180000000000000777")).code).toBe(10013);
  });
});
