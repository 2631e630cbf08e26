// What the tools of a channel's turn get to work with.
import { expect, it } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { viewImage } from "../../../src/tools/view-image.ts";
import type { ModelRequest } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { tool } from "../../support/turn-script.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "a".repeat(64), DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "test" };
const PERSON = "118000000000000010";

it.each<[string, Record<string, string>, string[]]>([
  ["are read with the bot's token", { DISCORD_BOT_TOKEN: "token" }, [`/users/${PERSON}`]],
  ["are not read without one", {}, []],
])("profile pictures %s", async (_, variables, asked) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const read: string[] = [];
  const channel = createChannelHarness({
    config: parsed.config,
    tools: [viewImage],
    discord: () => ({
      fetch: async (url: string) => {
        read.push(url);
        return Response.json({});
      },
      baseUrl: "",
      userAgent: "",
      botToken: parsed.config.discord.botToken,
    }),
  });
  channel.submit({
    trigger: { ...testRequest("9"), guildId: null, botIsHere: true, receivedAt: channel.clock.now() },
  });
  await channel.drain();
  const call = { id: "a", name: "view_image", arguments: JSON.stringify({ user: PERSON }) };
  channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }]);
  await channel.clock.advance(5000);
  expect(read).toEqual(asked);
});

it.each<[string, Partial<TurnRequest>, string[], boolean]>([
  ["is read from the channel's newest messages", {}, ["/channels/2/messages?limit=50"], true],
  ["is not read for somebody who may not read them", { permissions: [] }, [], false],
  ["is not read if the bot is not a member", { botIsHere: false }, [], false],
])("a picture that nobody sent to the bot %s", async (_, over, asked, isShown) => {
  const parsed = parseConfig({ ...REQUIRED, DISCORD_BOT_TOKEN: "token" });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const message = (id: string, filename: string) => ({
    ...{ id, type: 0, content: "", timestamp: "2026-11-22T10:00:00Z", author: { id: "5", username: "mira" } },
    attachments: [{ filename, url: `https://cdn.discordapp.com/${filename}` }],
  });
  const read: string[] = [];
  const channel = createChannelHarness({
    config: { ...parsed.config },
    tools: [viewImage],
    discord: () => ({
      fetch: async (url: string) => {
        if (url.includes("/messages?")) read.push(url);
        const own = { ...message("9", "own.png"), author: { id: testRequest("9").applicationId, username: "parley" } };
        return Response.json([own, message("8", "new.png"), message("7", "old.png")]);
      },
      baseUrl: "",
      userAgent: "",
      botToken: "token",
    }),
  });
  const receivedAt = channel.clock.now();
  const here = { guildId: "4", botIsHere: true, permissions: ["READ_MESSAGE_HISTORY"] };
  const request = { ...testRequest("9"), ...here, receivedAt };
  channel.store.putSetting("channel_context", "0");
  channel.submit({ trigger: { ...request, ...over } });
  await channel.drain();
  const call = { id: "a", name: "view_image", arguments: JSON.stringify({ image: "latest" }) };
  channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }]);
  await channel.clock.advance(5000);
  expect(read).toEqual(asked);
  const seen = channel.requests.at(-1)?.messages.flatMap((one) => ("images" in one ? (one.images ?? []) : []));
  expect(seen).toEqual(isShown ? ["https://cdn.discordapp.com/new.png"] : []);
});

const { theo, mira } = PEOPLE;

/** Whether a tool has answered since the newest question. */
const hasReacted = ({ messages }: ModelRequest): boolean =>
  messages.slice(messages.findLastIndex(({ text }) => text.startsWith("[Theo"))).some(({ role }) => role === "tool");

/** Reveals the handles, and reacts to the message that this question is about. */
function reactToQuoted(request: ModelRequest) {
  if (hasReacted(request)) return { texts: ["Done."] };
  const { messages } = request;
  const [, about] = messages.flatMap(({ text }) => text.match(/\[ref_\d+, .*, about message (\d+)\]/) ?? []);
  return about
    ? { calls: [{ name: "add_reaction", args: { message: about, emoji: "👍" } }] }
    : { calls: [{ name: "reveal_message_metadata" }] };
}

/** Reveals the handles, and reacts to the message that the first handle after these words names. */
function reactTo(words: string, request: ModelRequest) {
  if (hasReacted(request)) return { texts: ["Done."] };
  const handle = request.messages
    .map(({ text }) => text)
    .join("\n")
    .split(words)[1]
    ?.match(/\[(ref_\d+),/)?.[1];
  return handle
    ? { calls: [{ name: "add_reaction", args: { message: handle, emoji: "👍" } }] }
    : { calls: [{ name: "reveal_message_metadata" }] };
}

it("the handle of a question that came as a message leads to that message, even in later turns, and that of an answer to the reply", async () => {
  let words = "";
  const place = await createMessageHarness({
    answerTo: (request) => (words === "" ? { texts: ["At noon."] } : reactTo(words, request)),
  });
  const ask = async (content: string) => {
    const id = place.write(theo, `${BOT} ${content}`);
    await place.rest();
    return id;
  };
  const first = await ask("when?");
  words = "react to this";
  const second = await ask(words);
  words = "when?";
  await ask("now to my first question");
  words = "At noon.";
  await ask("and to your answer");
  const shown = place.world.discord.messages(PLACES.general, theo);
  const answer = shown.find(({ content }) => content === "At noon.")?.id;
  const reacted = shown.filter(({ reactions }) => reactions !== undefined).map(({ id }) => id);
  expect(reacted).toEqual([first, answer, second]);
});

it("a question that replies to someone else's message leads tools to that message", async () => {
  const place = await createMessageHarness({ answerTo: reactToQuoted });
  const other = place.write(mira, "I baked a cake.");
  place.write(theo, `${BOT} react to this`, { replyTo: other });
  await place.pass(10_000);
  await place.click(theo, "Approve");
  await place.rest();
  const shown = place.world.discord.messages(PLACES.general, theo);
  expect(shown.filter(({ reactions }) => reactions !== undefined).map(({ id }) => id)).toEqual([other]);
});

it("the handle of words that joined a turn does not lead to the turn's reply", async () => {
  const place = await createMessageHarness({
    settings: { follow_up: "steer" },
    answerTo: (request) =>
      request.messages.some(({ text }) => text.includes("and this"))
        ? reactTo("and this", request)
        : { calls: [{ name: "roll_dice", args: { notation: "d6" } }], firstMs: 5000 },
  });
  place.write(theo, `${BOT} roll`);
  await place.pass(2000);
  place.write(theo, `${BOT} and this`);
  await place.rest();
  const shown = place.world.discord.messages(PLACES.general, theo);
  expect(shown.filter(({ reactions }) => reactions !== undefined)).toEqual([]);
  expect(place.reads().some((text) => text.includes("Done."))).toBe(true);
});

it.each([
  ["seeing", "blind"],
  ["blind", "seeing"],
])(
  "whether a tool for pictures is offered depends on what the channel's own model sees, and then on the next one: %s, %s",
  async (own, next) => {
    const look = tool("look", () => ({ ok: true, data: "seen" }), { requires: { modelAbilities: ["images"] } });
    const there = { model: "m", baseUrl: "http://x", apiKey: "k" };
    const channel = createChannelHarness({
      tools: [look],
      // The channel has chosen the second model.
      config: {
        models: [
          { ...there, id: next },
          { ...there, id: own },
        ],
      },
      price: [
        { input: 0, output: 0 },
        { input: 0, output: 0 },
      ],
      blind: [next === "blind", own === "blind"],
    });
    channel.store.putSetting("model", own);
    channel.submit({ trigger: { ...testRequest("1"), receivedAt: channel.clock.now() } });
    await channel.drain();
    channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await channel.drain();
    const offered = channel.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered).toEqual(own === "seeing" ? [["look"], []] : [[], ["look"]]);
  },
);

it("tools don't read the messages of people who have opted out", async () => {
  const place = await createMessageHarness({
    readsContent: true,
    answerTo: (request) =>
      hasReacted(request) ? { texts: ["Done."] } : { calls: [{ name: "read_recent_messages", args: {} }] },
  });
  place.write(theo, `${BOT} hi`);
  await place.rest();
  place.world.life?.channel.ports.store.saveScopeNote({ settings: {}, isLimited: false, leftOut: [mira] });
  place.write(mira, "The train leaves at noon.");
  place.write(theo, "Which one?");
  place.write(theo, `${BOT} what was said?`);
  await place.rest();
  const read = place.world.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text;
  expect([read?.includes("Which one?"), read?.includes("train")]).toEqual([true, false]);
});

it("tools don't read the messages of people who have opted out since the turn began", async () => {
  const place = await createMessageHarness({
    readsContent: true,
    answerTo: (request) =>
      hasReacted(request)
        ? { texts: ["Done."] }
        : { calls: [{ name: "read_recent_messages", args: {} }], firstMs: 10_000 },
  });
  place.write(mira, "The train leaves at noon.");
  place.write(theo, `${BOT} what was said?`);
  await place.pass(5000);
  place.world.life?.channel.ports.store.saveScopeNote({ settings: {}, isLimited: false, leftOut: [mira] });
  await place.rest();
  const read = place.world.requests.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text;
  expect([read?.includes("what was said?"), read?.includes("train")]).toEqual([true, false]);
});
