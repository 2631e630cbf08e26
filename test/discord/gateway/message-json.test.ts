// Messages from Discord's gateway and from its list of messages, in our form.
import { describe, expect, it } from "vitest";
import { chainedMessage, editedMessage, gatewayMessage } from "../../../src/discord/gateway/message-json.ts";

const basic = {
  id: "1000",
  type: 0,
  channel_id: "600",
  channel_type: 0,
  guild_id: "700",
  content: "<@900> why?",
  flags: 0,
  author: { id: "50", username: "mira", global_name: "Mira", discriminator: "0" },
  member: { nick: null, roles: ["710"], joined_at: "2026-01-01T00:00:00Z" },
  mentions: [{ id: "900", username: "parley", bot: true }],
  mention_roles: [],
  mention_everyone: false,
  attachments: [],
  embeds: [],
  timestamp: "2026-11-01T00:00:00Z",
  edited_timestamp: null,
};
const file = {
  id: "1",
  filename: "voice-message.ogg",
  size: 9,
  url: "u",
  proxy_url: "p",
  content_type: "audio/ogg",
  duration_secs: 2,
};
const ours = {
  id: "1",
  filename: "voice-message.ogg",
  size: 9,
  url: "u",
  proxyUrl: "p",
  contentType: "audio/ogg",
  seconds: 2,
};
const picture = (name: string) => ({ url: `https://pages.test/${name}`, proxy_url: `https://proxy.test/${name}` });
const message = (more: object = {}) => gatewayMessage({ ...basic, ...more });

describe("a message", () => {
  it("has its author, place, mentions and words", () => {
    expect(message()).toEqual({
      id: "1000",
      channelId: "600",
      place: { kind: "channel", guildId: "700" },
      kind: "message",
      author: { id: "50", name: "Mira", isPerson: true, roles: ["710", "700"] },
      isEphemeral: false,
      mentions: ["900"],
      names: { "@900": "parley" },
      roleMentions: [],
      text: "<@900> why?",
      attachments: [],
      forwarded: null,
      repliedTo: null,
    });
  });

  const dm = { guild_id: undefined, member: undefined };
  it.each<[string, object, object]>([
    ["a public thread", { channel_type: 11 }, { place: { kind: "thread", guildId: "700" } }],
    ["a private thread", { channel_type: 12 }, { place: { kind: "thread", guildId: "700" } }],
    [
      "a channel of a server that is not said",
      { channel_type: undefined },
      { place: { kind: "thread", guildId: "700" } },
    ],
    ["a voice channel's text", { channel_type: 2 }, { place: { kind: "channel", guildId: "700" } }],
    [
      "a direct message",
      { ...dm, channel_type: 1 },
      { place: { kind: "dm" }, author: { id: "50", name: "Mira", isPerson: true, roles: null } },
    ],
    [
      "our own ephemeral answer, which is in no server",
      { ...dm, channel_type: 0, flags: 64 },
      { place: { kind: "unknown" }, isEphemeral: true },
    ],
    ["no channel type and no server: a direct message", { ...dm, channel_type: undefined }, { place: { kind: "dm" } }],
    ["a nickname", { member: { nick: "Mi" } }, { author: { id: "50", name: "Mi", isPerson: true, roles: null } }],
    [
      "a bot",
      { author: { ...basic.author, bot: true } },
      { author: { id: "50", name: "Mira", isPerson: false, roles: ["710", "700"] } },
    ],
    ["a webhook", { webhook_id: "5" }, { author: { id: "50", name: "Mira", isPerson: false, roles: ["710", "700"] } }],
    ["a thread's starter", { type: 21 }, { kind: "other" }],
    ["a join", { type: 7 }, { kind: "other" }],
    ["a role's mention", { mention_roles: ["910"], mentions: [] }, { roleMentions: ["910"], mentions: [] }],
    ["text that Discord hides", { content: "" }, { text: "" }],
    ["half of a character", { content: "a\ud83d" }, { text: "a\ufffd" }],
    ["a voice note", { content: "", flags: 8192, attachments: [file] }, { text: "", attachments: [ours] }],
    [
      "a link that Discord has already looked up: a picture, and no page's preview",
      {
        embeds: [
          { type: "article", image: picture("a.png") },
          { type: "image", thumbnail: picture("b.gif") },
        ],
      },
      { linked: [{ filename: "b.gif", contentType: "image/png", url: "https://proxy.test/b.gif" }] },
    ],
    ["embeds of another form", { embeds: "none" }, { text: "<@900> why?" }],
  ])("can have %s", (_name, more, wanted) => {
    expect(message(more)).toMatchObject(wanted);
  });

  it("has a voice note without a length if the stated length is too short for its bytes, because transcription is paid by length", () => {
    const lengthsOf = (size: number) =>
      message({ attachments: [{ ...file, size }] })?.attachments.map((one) => one.seconds);
    expect([64_000, 64_001].map(lengthsOf)).toEqual([[2], [undefined]]);
  });

  const original = {
    ...basic,
    id: "999",
    author: { id: "900", username: "parley", bot: true },
    application_id: "901",
    content: "because",
  };
  const reply = { type: 19, message_reference: { type: 0, message_id: "999", channel_id: "600", guild_id: "700" } };
  it.each<[string, object, unknown]>([
    [
      "ours",
      { ...reply, referenced_message: original },
      { authorId: "900", applicationId: "901", authorName: "parley", text: "because", attachments: [] },
    ],
    ["deleted", { ...reply, referenced_message: null }, "deleted"],
    ["not looked up", reply, "unread"],
  ])("can reply to one that is %s", (_name, more, wanted) => {
    expect(message(more)).toMatchObject({
      kind: "reply",
      repliedTo: { messageId: "999", channelId: "600", message: wanted },
    });
  });

  it("can carry a forward, which is not a reply", () => {
    const forward = {
      content: "",
      flags: 16_384,
      message_reference: { type: 1, message_id: "999", channel_id: "601" },
      message_snapshots: [
        { message: { type: 0, content: "the sky", embeds: [{ title: "Blue" }], attachments: [file] } },
      ],
    };
    expect(message(forward)).toMatchObject({
      kind: "message",
      repliedTo: null,
      forwarded: { authorId: null, text: "the sky\n\nBlue", attachments: [ours] },
    });
  });

  it("can reply to a message that consists of components, or forward one, and includes the words in them", () => {
    const built = { content: "", components: [{ type: 17, components: [{ type: 10, content: "Release 3" }] }] };
    const replied = message({ ...reply, referenced_message: { ...original, ...built } });
    const forward = { message_reference: { type: 1 }, message_snapshots: [{ message: built }] };
    expect(replied).toMatchObject({ repliedTo: { message: { text: "Release 3" } } });
    expect(message(forward)).toMatchObject({ forwarded: { text: "Release 3" } });
  });

  it.each([
    ["a sticker", { sticker_items: [{ name: "Wave" }] }, "[sticker: Wave]"],
    ["a sticker of an unknown form", { sticker_items: [{ id: "1" }] }, ""],
    ["a poll of an unknown form", { poll: { question: null } }, ""],
  ])("can forward %s", (_what, said, text) => {
    const forward = { message_reference: { type: 1 }, message_snapshots: [{ message: { content: "", ...said } }] };
    expect(message({ content: "", ...forward })?.forwarded?.text).toBe(text);
  });

  it("has the names of what its forward mentions", () => {
    const snapshot = (mentions: unknown) => [{ message: { content: "ask <@30>", mentions } }];
    const forward = (mentions: unknown) => ({
      content: "",
      message_reference: { type: 1, message_id: "999", channel_id: "601" },
      message_snapshots: snapshot(mentions),
    });
    expect(message(forward([{ id: "30", username: "theo", global_name: "Theo" }]))?.names).toMatchObject({
      "@30": "Theo",
    });
    expect(message(forward([{ id: 5 }]))?.forwarded?.text).toBe("ask <@30>");
  });

  it("from a channel's list belongs to the place for which the list was requested", () => {
    const listed = { ...basic, guild_id: undefined, channel_type: undefined, member: undefined };
    expect(gatewayMessage(listed, { kind: "thread", guildId: "700" })?.place).toEqual({
      kind: "thread",
      guildId: "700",
    });
  });

  it.each([null, 5, {}, { ...basic, id: "1; DROP" }, { ...basic, author: undefined }, { ...basic, channel_id: 5 }])(
    "is not read from %j",
    (json) => {
      expect(gatewayMessage(json)).toBeNull();
    },
  );

  it.each([
    { attachments: [{ id: 1 }] },
    { sticker_items: [{ id: "1" }] },
    { poll: { question: null } },
    { message_snapshots: [{}] },
  ])("is heard without extras that have an unknown form: %j", (odd) => {
    expect(message(odd)).toEqual(message());
  });

  it("is heard with null for anything that is missing", () => {
    const missing = ["type", "flags", "member", "webhook_id", "content", "attachments", "embeds", "mentions", "poll"];
    const rest = ["mention_roles", "message_reference", "message_snapshots", "sticker_items", "edited_timestamp"];
    const nulls = (keys: string[], value: null | undefined) => Object.fromEntries(keys.map((key) => [key, value]));
    const all = [...missing, ...rest];
    expect(message(nulls(all, null))).toEqual(message(nulls(all, undefined)));
    expect(message({ ...dm, guild_id: null, channel_type: null })?.place).toEqual({ kind: "dm" });
  });

  it("is heard even if the message that it replies to has an unknown form, which then counts as not looked up", () => {
    const reply = { type: 19, message_reference: { message_id: "999" } };
    expect(message({ ...reply, referenced_message: { author: 5 } })).toEqual(message(reply));
  });

  it.each([{ author: {} }, { member: { roles: [5] } }, { id: 5 }, { mentions: [{ id: 5 }] }])(
    "is ignored if what decides who may ask has an unknown form: %j",
    (odd) => {
      expect(message(odd)).toBeNull();
    },
  );
});

describe("a message of a chain of replies that was fetched by itself", () => {
  it("has everything that a message delivered along with a reply has: its embeds, stickers, application, and what it replies to", () => {
    const reply = { type: 19, message_reference: { message_id: "999" }, referenced_message: null };
    const said = { content: "", embeds: [{ title: "Blue" }], sticker_items: [{ name: "Wave" }], application_id: "900" };
    expect(chainedMessage({ ...basic, ...reply, ...said })).toEqual({
      quoted: {
        authorId: "50",
        hasOthers: true,
        applicationId: "900",
        authorName: "Mira",
        text: "Blue\n\n[sticker: Wave]",
        attachments: [],
      },
      repliedTo: { messageId: "999", channelId: "600", message: "deleted" },
    });
    expect(chainedMessage({ id: 5 })).toBeNull();
  });
});

describe("an edit", () => {
  it("has its time and its new words", () => {
    const json = {
      ...basic,
      content: "why not?",
      edited_timestamp: "2026-11-01T00:00:05.000000+00:00",
      attachments: [file],
    };
    expect(editedMessage(json)).toEqual({
      messageId: "1000",
      channelId: "600",
      editedAt: "2026-11-01T00:00:05.000000+00:00",
      text: "why not?",
      names: { "@900": "parley" },
      attachments: [ours],
    });
  });

  it("has its stickers and its poll, and is read without extras that have an unknown form", () => {
    const json = { ...basic, content: "why not?", edited_timestamp: "2026-11-01T00:00:05Z", mentions: [] };
    const asides = { sticker_items: [{ name: "Wave" }], poll: { question: { text: "Tea?" } } };
    expect(editedMessage({ ...json, ...asides })?.asides).toEqual(["[sticker: Wave]", "[poll: Tea?]"]);
    const odd = { attachments: [{ id: 1 }], sticker_items: [{ id: "1" }], poll: { question: null }, mentions: [5] };
    expect(editedMessage({ ...json, ...odd })).toEqual({ ...editedMessage(json), attachments: undefined });
  });

  it.each([
    ["a link that unfolds", { ...basic, embeds: [{ title: "Blue" }] }],
    ["an update without words", { id: "1000", channel_id: "600", edited_timestamp: "2026-11-01T00:00:05Z" }],
    ["nothing", null],
  ])("is not %s", (_name, json) => {
    expect(editedMessage(json)).toBeNull();
  });
});
