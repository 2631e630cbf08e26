// A persona's reply whose webhook is deleted: before its first word is posted, with the next webhook deleted too, or later.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const SECOND_MS = 1000;

it.each([
  ["soon", 0],
  ["long after the question", 15 * SECOND_MS],
])(
  "its words are in the header of its scene, and the turn continues, if the first of them comes %s",
  async (_, firstMs) => {
    const place = await createMessageHarness({ answerTo: () => ({ firstMs, texts: ["Hello ", "there.", " Bye."] }) });
    await place.use(mira, "persona create", { name: "Ada", prompt: "Be kind." });
    const { discord } = place.world;
    const gone = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
    discord.failNext(99, gone, ({ method, path }) => method === "POST" && /^\/webhooks\/\d+\//.test(path));
    await place.use(theo, "chat", { message: "hi", persona: "Ada" });
    await place.rest();
    const [header, ...others] = discord.messages(PLACES.general, theo);
    expect([header?.attachments.map(({ text }) => text), others]).toEqual([["**Ada:** Hello there. Bye."], []]);
    expect(header?.content).toContain("**Ada:** Hello there. Bye.\n\n-# Scene: Ada");
    const [turn] = place.world.life?.channel.ports.store.recentTurns(1, { userId: theo, moderator: false }) ?? [];
    expect([turn?.status, discord.violations]).toEqual(["completed", []]);
  },
);

it("the next persona of a scene waits until all words of the one before are shown", async () => {
  const place = await createMessageHarness({ answerTo: () => ({ texts: ["Some words. ".repeat(900)] }) });
  for (const name of ["Ada", "Bob"]) await place.use(mira, "persona create", { name, prompt: "Be kind." });
  await place.use(theo, "scene", { personas: "Ada, Bob", prompt: "a story" });
  await place.rest();
  const [, ...spoken] = place.world.discord.messages(PLACES.general, theo).map(({ author }) => author.name);
  expect([spoken.length, spoken]).toEqual([10, spoken.toSorted()]);
});

it("what it has posted stays, and another webhook posts the rest, if its webhook is deleted in the middle of the answer", async () => {
  const place = await createMessageHarness({ answerTo: () => ({ texts: ["Hello there."], hang: true }) });
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be kind." });
  await place.use(theo, "chat", { message: "hi", persona: "Ada" });
  await place.pass(5 * SECOND_MS);
  const { discord } = place.world;
  const gone = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  discord.failNext(1, gone, ({ method, path }) => method === "PATCH" && /^\/webhooks\/.*\/messages\/\d/.test(path));
  await place.click(theo, "Stop");
  await place.rest();
  const [, ...spoken] = discord.messages(PLACES.general, PEOPLE.juno);
  expect(spoken.map(({ content }) => content)).toEqual(["> hi\nHello there.", `-# Stopped by <@${theo}>.`]);
  expect(discord.violations).toEqual([]);
});

it.each([
  ["its token may not see", 403, 50001, "Missing Access"],
  ["its token may not write in", 403, 50013, "Missing Permissions"],
  ["its token does not know", 404, 10003, "Unknown Channel"],
])(
  "the command's token posts the words if the bot finds no webhook in a channel that %s, and others can ask",
  async (_, status, code, message) => {
    const place = await createMessageHarness();
    for (const name of ["Ada", "Bob"]) await place.use(mira, "persona create", { name, prompt: "Be kind." });
    const { discord } = place.world;
    discord.failNext(99, Response.json({ message, code }, { status }), ({ path }) => path.startsWith("/channels/"));
    // The scene's header is late: a followup that came earlier would take its place.
    discord.failNext(1, new Response("", { status: 502 }), ({ method }) => method === "PATCH");
    await place.use(theo, "scene", { personas: "Ada, Bob", prompt: "a story" });
    await place.rest();
    const words = () => discord.messages(PLACES.general, PEOPLE.juno).map(({ content }) => content);
    const scene = ["-# Scene: Ada, Bob", "**Ada:** Hello there.", "**Bob:** Hello there."];
    expect(words()).toEqual(scene);
    await place.chat(PEOPLE.juno, "and me?");
    expect([words(), discord.violations]).toEqual([[...scene, "> and me?\nHello there."], []]);
  },
);
