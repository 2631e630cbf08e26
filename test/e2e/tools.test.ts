// Each channel tool once, over real sockets: what people say, what the production Worker does, and what is in the channel
// afterwards. The local model picks the tool from the words.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import {
  channelAt,
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  MIRA,
  newChannel,
  requestTexts,
  THEO,
  until,
} from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  world.discord.configure({ messageContentIntent: true });
  const devVars = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  product = await startDeployed("production", devVars);
  world.connect(product.url);
});
afterEach(() => {
  expect(world.discord.violations).toEqual([]);
  expect(world.discord.pinged()).toEqual([]);
});
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

/** Says things one after the other and returns the answers. */
async function talk(channel: E2eChannel, as: string, ...words: string[]): Promise<string[]> {
  for (const [index, said] of words.entries()) {
    await channel.say(as, said);
    await channel.settled(index + 1);
  }
  return channel.answers();
}
/** What the model last received from a tool. */
const seen = () => JSON.parse(requestTexts(world).at(-1)?.replace("tool: ", "") ?? "null") as unknown;
/** All of its last request, as text. */
const request = () => JSON.stringify(world.model.log.at(-1)?.body);

it("remembers a fact, finds it for someone else and forgets it", async () => {
  const channel = newChannel(world);
  await talk(channel, THEO, "remember that Theo drinks tea");
  expect(seen()).toEqual({ number: 1, text: "Theo drinks tea" });
  await channel.say(MIRA, "what do you know about tea?");
  await channel.settled(2);
  expect(seen()).toMatchObject({ found: [{ number: 1, text: "Theo drinks tea", toldBy: `<@${THEO}>` }], inMemory: 1 });
  await channel.say(THEO, "forget number 1");
  await channel.settled(3);
  expect(seen()).toEqual({ number: 1, forgotten: true });
});

it("keeps a note for the next prompt, and answers with the text from before the call", async () => {
  const channel = newChannel(world);
  expect(await talk(channel, THEO, "note: Theo wants tea", "hello")).toEqual([
    "Noted.",
    expect.stringContaining("Ahoy"),
  ]);
  expect(request()).toContain("Theo wants tea");
});

it("sets, lists and cancels reminders", async () => {
  const channel = newChannel(world);
  const [set] = await talk(
    channel,
    THEO,
    "remind me to water the plants tomorrow at 9",
    "cancel reminder 1",
    "my reminders",
  );
  expect(set).toMatch(/^⏰ Reminder 1 is set for <t:\d+:F>: water the plants\.$/);
  expect(seen()).toEqual({ pending: [] });
});

it("reads the messages of the channel, and reacts to one once its person approves it, because others wrote them", async () => {
  const channel = newChannel(world);
  const message = world.discord.speak({ as: MIRA, channel: channel.id, content: "Who brings cake?" });
  const reactions = () => world.discord.messages(channel.id, THEO).find(({ id }) => id === message)?.reactions;
  await talk(channel, THEO, "what was said here?");
  expect(await asked(channel, THEO, "react with 👍")).toContain("I have read other people's text");
  expect(reactions() ?? []).toEqual([]);
  await channel.click(THEO, "Approve");
  await until("the reaction", () => reactions()?.length === 1);
  expect(reactions()).toEqual([{ emoji: "👍", count: 1 }]);
  await channel.settled(2);
});

it("runs a tool that is a plain module", async () => {
  const channel = newChannel(world);
  await talk(channel, THEO, 'use convert_units {"value":"26.2","from":"miles","to":"km"}');
  expect(seen()).toEqual({ value: 42.1648128, unit: "km", warnings: ['value: took "26.2" for number'] });
});

it("posts a poll", async () => {
  const channel = newChannel(world);
  await channel.say(THEO, "poll: Tea? Yes, no or later");
  await until("the poll", () => channel.messages().some(({ poll }) => poll !== undefined));
  const poll = channel.messages().find(({ poll }) => poll !== undefined)?.poll;
  expect(poll).toMatchObject({ question: "Tea?", answers: ["Yes", "no", "later"], mayChooseSeveral: false });
});

it("shows the model when messages were sent", async () => {
  const channel = newChannel(world);
  const answers = await talk(channel, THEO, "hello", "when did I say that?");
  expect(answers.at(-1)).toMatch(/^The first thing that I see here was sent \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC, /);
});

it("shows the model a picture that was sent earlier", async () => {
  const channel = newChannel(world);
  const attachment = { filename: "cake.png", contentType: "image/png", text: "not really" };
  const options = { message: "hello", file: { attachment } };
  await world.discord.interact({ kind: "command", channel: channel.id, as: THEO, name: "chat", options });
  await channel.settled(1);
  await channel.say(THEO, "look at the picture");
  const answers = await channel.settled(2);
  expect(answers.at(-1)).toContain("I was handed 1 picture");
  expect(request()).toMatch(/The picture cake\.png, sent by Theo:.*cake\.png/);
});

// A dangerous call: the buttons below the request, who may click them, and what is in the channel afterwards.
const BELOW_THE_NEWEST = ["Regenerate", "Delete"];
const labels = (channel: E2eChannel) =>
  channel
    .messages()
    .flatMap(({ components }) => components as { components: { label: string }[] }[])
    .flatMap((row) => row.components.map(({ label }) => label))
    .filter((label) => !BELOW_THE_NEWEST.includes(label));
/** What only this person was shown. */
const toldTo = (channel: E2eChannel, person: string) =>
  world.discord
    .messages(channel.id, person)
    .filter(({ ephemeral }) => ephemeral)
    .map(({ content }) => content);
/** Says something, and waits for the request for approval. Returns the request's words. */
async function asked(channel: E2eChannel, as: string, words: string): Promise<string> {
  await channel.say(as, words);
  await until("the request", () => labels(channel).includes("Approve"));
  expect(labels(channel)).toEqual(["Approve", "Deny", "Stop"]);
  return channel.answers().at(-1) ?? "";
}

it("makes a dangerous call once when its person approves it, and says so on a second click", async () => {
  const channel = newChannel(world);
  const message = world.discord.speak({ as: MIRA, channel: channel.id, content: "Tea at four" });
  const pins = () => world.discord.messages(channel.id, THEO).filter(({ deed }) => deed?.startsWith("pinned"));
  const shown = () => world.discord.messages(channel.id, THEO).find(({ id }) => id === message)?.pinned;
  const request = await asked(channel, MIRA, "pin the last message");
  expect(request).toContain(`approval from <@${MIRA}>`);
  expect(request).toContain(`on https://discord.com/channels/${PLACES.guild}/${channel.id}/${message}`);
  await channel.click(THEO, "Approve");
  await until("the refusal", () => toldTo(channel, THEO).length === 1);
  const refusal = "Only the person who asked or, in a server, a moderator can decide this.";
  expect([toldTo(channel, THEO), shown()]).toEqual([[refusal], undefined]);
  await Promise.all([channel.click(MIRA, "Approve"), channel.click(MIRA, "Approve")]);
  await until("the answers to both presses", () => toldTo(channel, MIRA).length === 2);
  expect(toldTo(channel, MIRA).sort()).toEqual(["Approved. The answer continues.", "This was already approved."]);
  await until("the last words", () => channel.answers()[0] === "It's pinned." && labels(channel).length === 0);
  expect([shown(), pins().length]).toEqual([true, 1]);
});

it("makes no dangerous call that a moderator denies, informs the model, and makes it once it is requested again and approved", async () => {
  const channel = newChannel(world);
  const threads = () => world.discord.channels(THEO).filter(({ name }) => name === "Cake");
  await asked(channel, THEO, "open a thread called Cake");
  await channel.click(MIRA, "Deny");
  await channel.settled(1);
  expect(requestTexts(world).at(-1)).toContain("a person denied this call");
  expect([threads(), labels(channel)]).toEqual([[], []]);
  await asked(channel, THEO, "open a thread called Cake");
  await channel.click(MIRA, "Approve");
  await until("the last words", () => channel.answers().some((words) => words.startsWith("The thread is open")));
  expect([threads().length, channel.answers()[1]]).toEqual([1, `The thread is open: <#${threads()[0]?.id}>`]);
});

it("answers in a new thread, in which the conversation continues", async () => {
  const channel = newChannel(world);
  const options = { message: "hello there", thread: true };
  const { messageId = "" } = await world.discord.interact({
    kind: "command",
    channel: channel.id,
    as: THEO,
    name: "chat",
    options,
  });
  // The thread of a message has the message's id.
  const thread = channelAt(world, messageId, THEO);
  const [answer = ""] = await thread.settled(1);
  expect([answer === "", channel.answers()]).toEqual([false, [`The answer is in <#${messageId}>.`]]);
  await thread.say(THEO, "and again");
  await thread.settled(2);
  expect(request()).toContain("hello there");
});
