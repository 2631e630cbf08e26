// Ways to request a turn other than /chat: the form of /ask-long, and "Ask about this" in the menu of a message.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { QUESTION_CODE_POINTS } from "../../../src/core/limits.ts";
import type { Interact } from "../../../src/playground/discord/acts.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Scene, scene, VARIABLES } from "../../support/endpoint-harness.ts";
import { silently } from "../../support/shown-answer.ts";

const here = { as: PEOPLE.theo, channel: PLACES.general } as const;
const raw = (type: number, data: unknown, extra: Record<string, unknown> = {}): Interact => ({
  ...here,
  kind: "raw",
  type,
  data,
  extra,
});

it.each([
  ["age-restricted", { nsfw: true }, true],
  ["not", { nsfw: false }, false],
  ["not, as nothing says so", {}, false],
  ["not, whatever that is", { nsfw: null }, false],
])("a question from a channel that is %s passes this on to its turn", async (_, flag, ageRestricted) => {
  const world = scene();
  const data = { name: "chat", type: 1, options: [{ name: "message", type: 3, value: "hi" }] };
  await world.answered(raw(2, data, { channel: { id: PLACES.general, type: 0, ...flag } }));
  const [call] = world.calls;
  expect(call && "submit" in call && call.submit.trigger.ageRestricted).toBe(ageRestricted);
});

it.each([
  ["may make webhooks", true, PLACES.general],
  ["may not make any", false, null],
])("a question from a channel where the bot %s says so, for the voices of personas", async (_, may, channel) => {
  const world = scene({ variables: { ...VARIABLES, DISCORD_BOT_TOKEN: "token" } });
  world.discord.configure({ botManagesWebhooks: may });
  await world.answered({ ...here, kind: "command", name: "chat", options: { message: "hi" } });
  const [call] = world.calls;
  expect(call && "submit" in call && call.submit.speakers).toEqual({ webhookChannelId: channel });
});

it("a question brings the names of what it mentions, as Discord resolved them, and no others", async () => {
  const world = scene();
  const message = "<@1> <@!2> <@3> <@&4> <#5> <@6> <@7>";
  const resolved = {
    users: {
      1: { username: "bob" },
      2: { username: "eve", global_name: "Eve" },
      3: { username: "x" },
      6: 6,
      7: {},
      8: {},
    },
    members: { 2: { nick: null }, 3: { nick: "Old Hand" } },
    roles: { 4: { name: "crew" }, 9: { name: "unmentioned" } },
    channels: { 5: { name: "general" } },
  };
  const data = { name: "chat", type: 1, options: [{ name: "message", type: 3, value: message }], resolved };
  await world.answered(raw(2, data));
  await world.answered(raw(2, { ...data, resolved: { users: null, members: [], roles: "x" } }));
  const names = world.calls.map((call) => ("submit" in call ? call.submit.trigger.names : null));
  expect(names).toEqual([{ "@1": "bob", "@2": "Eve", "@3": "Old Hand", "&4": "crew", "#5": "general" }, undefined]);
});

/** A picture as Discord describes it. */
const catAt = (url: string, proxy_url: string) => ({
  id: "1",
  filename: "cat.png",
  size: 9,
  url,
  proxy_url,
  content_type: "image/png",
});

describe("/ask-long", () => {
  const open = async (world: Scene) => world.discord.interact({ ...here, kind: "command", name: "ask-long" });
  const send = (fields: Extract<Interact, { kind: "submit" }>["fields"]): Interact => ({
    ...here,
    kind: "submit",
    customId: "ask-long",
    fields,
  });

  it("opens a form that Discord accepts, and turns its text and files into a question", async () => {
    const world = scene();
    expect(await open(world)).toMatchObject({ seen: "modal" });
    const files = [{ filename: "notes.txt", contentType: "text/plain", text: "abc" }];
    expect(await world.answered(send({ question: "one\ntwo\n", files }))).toEqual({ type: 5 });
    expect(world.discord.violations).toEqual([]);
    const [call] = world.calls;
    expect(call && "submit" in call && call.submit.trigger).toMatchObject({
      text: "one\ntwo",
      attachments: [{ filename: "notes.txt", contentType: "text/plain", size: 3 }],
    });
  });

  it("accepts 4000 characters and no file", async () => {
    const world = scene();
    await open(world);
    expect(await world.answered(send({ question: "😀".repeat(2000) + "x".repeat(2000) }))).toEqual({ type: 5 });
    const [call] = world.calls;
    expect(call && "submit" in call && "attachments" in call.submit.trigger).toBe(false);
  });

  it("answers blank text or a file over the limit with the same message as /chat, and starts nothing", async () => {
    const world = scene();
    for (const question of [" \n ", "\u3164 \u200b"]) {
      await open(world);
      expect(await world.answered(send({ question }))).toEqual(
        silently("Your message is empty. Write your question and send it again."),
      );
    }
    const file = { id: "77", filename: "a.txt", size: 500, url: "https://x/a", proxy_url: "https://y/a" };
    const data = {
      custom_id: "ask-long",
      components: [
        { type: 18, component: { type: 4, custom_id: "question", value: "hi" } },
        { type: 18, component: { type: 19, custom_id: "files", values: ["77"] } },
      ],
      resolved: { attachments: { "77": file } },
    };
    const refused = await world.answered(raw(5, data, { attachment_size_limit: 499 }));
    expect(refused).toEqual(silently(say.fileTooLarge("a.txt", 499)));
    expect(world.calls).toEqual([]);
  });
});

describe("Ask about this", () => {
  const about = (message: object): Interact =>
    raw(2, {
      name: "Ask about this",
      type: 3,
      target_id: "9",
      resolved: { messages: { "9": { id: "9", ...message } } },
    });
  const asked = async (message: object) => {
    const world = scene();
    const answer = await world.answered(about(message));
    const [call] = world.calls;
    const { text, attachments } =
      call && "submit" in call ? call.submit.trigger : { text: null, attachments: undefined };
    return { answer, text, attachments };
  };
  const author = { username: "mira", global_name: "Mira" };

  it("asks about a person's message and quotes it under their name", async () => {
    const world = scene();
    const messageId = world.discord.speak({ as: PEOPLE.mira, channel: PLACES.general, content: "Cats are\nliquid." });
    const act: Interact = { ...here, kind: "message-command", name: "Ask about this", messageId };
    expect(await world.answered(act)).toEqual({ type: 5 });
    const [call] = world.calls;
    expect(call && "submit" in call && call.submit.trigger).toMatchObject({
      text: "What do you make of this message by Mira?\n> Cats are\n> liquid.",
      repliesTo: messageId,
    });
  });

  it("taints its turn, which may still read the addresses in the message", async () => {
    const world = scene();
    await world.answered(about({ author, content: "See https://cakes.example/a?b=1#c" }));
    const [call] = world.calls;
    expect(call && "submit" in call && call.submit.trigger).toMatchObject({
      quoted: "> See https://cakes.example/a?b=1#c",
      taint: "full",
      named: ["https://cakes.example/a?b=1", "https://cakes.example/a?b=1#c"],
    });
  });

  it("brings the names of the people whom the message mentions, in the form that a message has", async () => {
    const mentions = [
      { id: "1", username: "bob" },
      { id: "2", username: "eve", global_name: "Eve" },
      { id: "3", username: "unmentioned" },
    ];
    const message = { mentions: [{ id: "4", username: "old", global_name: null }, null, 5, { id: {} }] };
    for (const odd of [{}, { mentions: 5 }, { mentions: [{ username: "nobody" }] }]) {
      const world = scene();
      await world.answered(about({ author, content: "<@1>, <@!2> and <@4>", mentions, ...odd }));
      await world.answered(
        about({ author, content: "", message_snapshots: [{ message: { content: "<@4>", ...message } }] }),
      );
      const names = world.calls.map((call) => ("submit" in call ? call.submit.trigger.names : null));
      expect(names).toEqual(["mentions" in odd ? undefined : { "@1": "bob", "@2": "Eve" }, { "@4": "old" }]);
    }
  });

  it("lets a turn read only the actual links in the bot's own message, because other addresses may be made up", async () => {
    const content = "[Cakes](https://cakes.example/), `https://evil.example/?q=1` or evil.example/?q=2";
    // The bot of an application from Discord's first years has a different id from its application.
    const older = { ...VARIABLES, DISCORD_BOT_TOKEN: `${btoa("81384788765712384")}.a.b` };
    for (const { variables = VARIABLES, ...message } of [
      { content, author: { ...author, id: APPLICATION.id } },
      { content, author: { ...author, id: "81384788765712384" }, variables: older },
      { content, author, application_id: APPLICATION.id },
      { content: "", author, message_snapshots: [{ message: { content, attachments: [] } }] },
    ]) {
      const world = scene({ variables });
      await world.answered(about(message));
      const [call] = world.calls;
      const named = call && "submit" in call ? call.submit.trigger.named : [];
      expect(named?.filter((address) => /evil/.test(address))).toEqual([]);
      expect(named).toContain("https://cakes.example/");
    }
  });

  it("includes embeds, files and forwarded messages", async () => {
    const file = catAt("https://x/c", "https://y/c");
    const embed = {
      author: { name: "Daily" },
      title: "Cats",
      url: "https://example.org",
      description: "They flow.",
      fields: [{ name: "Legs", value: "4" }],
      footer: { text: "2026" },
    };
    const forwarded = [{ message: { content: "Indeed.", attachments: [] } }];
    const { text, attachments } = await asked({
      author,
      content: "Look",
      embeds: [embed],
      attachments: [file],
      message_snapshots: forwarded,
    });
    expect(text?.split("\n")).toEqual([
      "What do you make of this message by Mira?",
      ...[
        "> Look",
        "> ",
        "> Daily",
        "> Cats",
        "> https://example.org",
        "> They flow.",
        "> Legs: 4",
        "> 2026",
        "> ",
        "> Indeed.",
      ],
    ]);
    expect(attachments).toEqual([
      { id: "1", filename: "cat.png", contentType: "image/png", size: 9, url: "https://x/c", proxyUrl: "https://y/c" },
    ]);
  });

  it("reads the words of a message that consists of components, which other bots send", async () => {
    const words = (content: string) => ({ type: 10, content });
    const components = [words("Release 3"), { type: 17, components: [words("It is out.")] }];
    expect(await asked({ author, content: "", components })).toMatchObject({
      answer: { type: 5 },
      text: "What do you make of this message by Mira?\n> Release 3\n> It is out.",
    });
  });

  const shown = (path: string, more = {}) => ({
    url: `https://pictures.test/${path}`,
    proxy_url: `https://images-ext-1.discordapp.net/external/x/https/pictures.test/${path}`,
    width: 64,
    height: 64,
    ...more,
  });
  const read = ({ attachments = [] }: Awaited<ReturnType<typeof asked>>) =>
    attachments.map(({ filename, contentType, size, url }) => [filename, contentType, size, new URL(url).host]);
  const PROXY = "images-ext-1.discordapp.net";

  it("takes the large pictures of embeds, and links to a picture", async () => {
    const embeds = [
      { type: "rich", title: "Cats", image: shown("cat.png"), thumbnail: shown("logo.png") },
      {
        type: "image",
        url: "https://pictures.test/dog.webp",
        thumbnail: shown("dog.webp", { content_type: "image/webp" }),
      },
      { type: "article", title: "News", thumbnail: shown("news.jpg") },
      { type: "rich", image: shown("cat.png") },
      { type: "rich", image: { url: 7 } },
      { type: "rich", image: shown("") },
    ];
    expect(read(await asked({ author, content: "", embeds }))).toEqual([
      ["cat.png", "image/png", 0, PROXY],
      ["dog.webp", "image/webp", 0, PROXY],
      ["picture", "image/png", 0, PROXY],
    ]);
  });

  it("keeps two pictures of one program apart whose addresses differ only in the query", async () => {
    const chart = (query: string) => ({ type: "rich", image: shown(`chart?c=${query}`) });
    const { attachments = [] } = await asked({ author, content: "", embeds: [chart("a"), chart("b"), chart("a")] });
    expect(attachments.map(({ filename, proxyUrl }) => [filename, proxyUrl])).toEqual([
      ["chart", "https://pictures.test/chart?c=a"],
      ["chart", "https://pictures.test/chart?c=b"],
    ]);
    expect(new Set(attachments.map(({ id }) => id)).size).toBe(2);
  });

  it("takes the pictures and files among components, and none twice", async () => {
    const path = "attachments/1/2/cat.png?ex=1";
    const file = catAt(`https://cdn.discordapp.com/${path}`, `https://media.discordapp.net/${path}`);
    const gallery = {
      type: 12,
      items: [{ media: file }, { media: shown("a.gif", { content_type: "image/gif" }) }, {}],
    };
    const section = {
      type: 9,
      components: [{ type: 10, content: "Look" }],
      accessory: { type: 11, media: shown("b.png") },
    };
    const log = shown("log.txt", { content_type: "text/plain" });
    const components = [
      { type: 17, components: [gallery, section] },
      { type: 13, file: log, name: "log.txt", size: 120 },
      { type: 1, components: [{ type: 2, style: 5, url: "https://pictures.test/no.png" }] },
      { type: 12, items: "?" },
      { type: 11, media: null },
    ];
    const answer = await asked({ author, content: "", attachments: [file], components });
    expect(read(answer)).toEqual([
      ["cat.png", "image/png", 9, "cdn.discordapp.com"],
      ["a.gif", "image/gif", 0, PROXY],
      ["b.png", null, 0, PROXY],
      ["log.txt", "text/plain", 120, PROXY],
    ]);
    expect(answer.text).toBe("What do you make of this message by Mira?\n> Look");
  });

  it("names the stickers of a forwarded message", async () => {
    const message_snapshots = [{ message: { content: "", sticker_items: [{ name: "Wave" }] } }];
    const { text } = await asked({ author, content: "", message_snapshots });
    expect(text).toBe("What do you make of this message by Mira?\n> [sticker: Wave]");
  });

  it("reads a poll's question, and its answers with their votes", async () => {
    const answers = ["Tea", "Milk"].map((text, n) => ({ answer_id: n + 1, poll_media: { text } }));
    const poll = {
      question: { text: "Which?" },
      answers,
      results: { is_finalized: false, answer_counts: [{ id: 2, count: 4 }] },
    };
    const { text } = await asked({ author, content: "", poll });
    expect(text).toBe("What do you make of this message by Mira?\n> [poll: Which? (Tea: 0 votes / Milk: 4 votes)]");
  });

  it("works on a message with only a file, and on one longer than a person may type", async () => {
    const file = { id: "1", filename: "a.txt", size: 99_000_000, url: "https://x/a", proxy_url: "https://y/a" };
    expect(await asked({ author, content: "", attachments: [file] })).toMatchObject({
      answer: { type: 5 },
      text: "What do you make of this message by Mira?",
    });
    const embeds = [{ description: "y".repeat(4096) }];
    const { text } = await asked({ author, content: "x".repeat(4000), embeds });
    expect(text?.length).toBeGreaterThan(QUESTION_CODE_POINTS);
  });

  it("says so and starts nothing if the message has nothing to read", async () => {
    expect(await asked({ author, content: " ", embeds: [], attachments: [] })).toEqual({
      answer: silently(say.nothingToAskAbout),
      text: null,
      attachments: undefined,
    });
  });
});

describe("a request's privacy", () => {
  const chat = (extra: Record<string, unknown>) =>
    raw(2, { name: "chat", type: 1, options: [{ name: "message", type: 3, value: "hi" }] }, extra);
  const privateTo = async (extra: Record<string, unknown>) => {
    const world = scene();
    await world.answered(chat(extra));
    const call = world.calls.at(-1);
    return call && "submit" in call ? call.submit.trigger.privateTo : null;
  };
  const person = { user: { id: "7" }, permissions: "0" };

  it("makes it private to its asker if a person brought the application into a server that has not added it", async () => {
    const owners = { authorizing_integration_owners: { 1: "7" } };
    expect(await privateTo({ context: 0, member: person, ...owners })).toBe("7");
    expect(await privateTo({ context: 0, member: person })).toBeUndefined();
    expect(await privateTo({ guild_id: undefined, member: undefined, user: { id: "7" }, context: 2, ...owners })).toBe(
      undefined,
    );
  });
});
