// Each tool of the channel once, over real sockets: what people say, what the production Worker does with it, and what is then in the
// channel. The model is the local one, which hears in words which tool is meant.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import {
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  MIRA,
  newChannel,
  requestTexts,
  THEO,
  until,
} from "../support/e2e-harness.ts";
import { PRODUCTION, type Product, startProduct } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  world.discord.configure({ messageContentIntent: true });
  const devVars = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  product = await startProduct({ config: PRODUCTION, devVars });
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
/** What the model was told last by a tool. */
const told = () => JSON.parse(requestTexts(world).at(-1)?.replace("tool: ", "") ?? "null") as unknown;
/** The whole of its last request, as text. */
const request = () => JSON.stringify(world.model.log.at(-1)?.body);

it("remembers a fact, finds it for somebody else and forgets it", async () => {
  const channel = newChannel(world);
  await talk(channel, THEO, "remember that Theo drinks tea");
  expect(told()).toEqual({ number: 1, text: "Theo drinks tea" });
  await channel.say(MIRA, "what do you know about tea?");
  await channel.settled(2);
  expect(told()).toMatchObject({ found: [{ number: 1, text: "Theo drinks tea", toldBy: `<@${THEO}>` }], inMemory: 1 });
  await channel.say(THEO, "forget number 1");
  await channel.settled(3);
  expect(told()).toEqual({ number: 1, forgotten: true });
});

it("keeps a note that stands in the next prompt, and lets what was said before it be the answer", async () => {
  const channel = newChannel(world);
  expect(await talk(channel, THEO, "note: Theo wants tea", "hello")).toEqual([
    "Noted.",
    expect.stringContaining("Ahoy"),
  ]);
  expect(request()).toContain("Theo wants tea");
});

it("sets reminders, lists and cancels them, and comes back by itself with one that is due", async () => {
  const channel = newChannel(world);
  const [set] = await talk(
    channel,
    THEO,
    "remind me to water the plants tomorrow at 9",
    "cancel reminder 1",
    "my reminders",
  );
  expect(set).toMatch(/^⏰ Reminder 1 is set for <t:\d+:F>: water the plants\.$/);
  expect(told()).toEqual({ pending: [] });
  await channel.say(THEO, "remind me in 1 second to drink tea");
  const answers = await channel.settled(5);
  expect(answers.at(-1)).toMatch(
    new RegExp(
      `^You asked me to remind you: \\*\\*drink tea\\*\\*\\.\\n\\n-# ⏰ Reminder for <@${THEO}>, due <t:\\d+:R>: drink tea$`,
    ),
  );
});

it("reads what was said in the channel, and reacts to it", async () => {
  const channel = newChannel(world);
  const message = world.discord.speak({ as: MIRA, channel: channel.id, content: "Who brings cake?" });
  await talk(channel, THEO, "what was said here?", "react with 👍");
  expect(world.discord.messages(channel.id, THEO).find(({ id }) => id === message)?.reactions).toEqual([
    { emoji: "👍", count: 1 },
  ]);
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

it("shows the model a picture that was sent before", async () => {
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

// A dangerous call: the buttons below the request, who may press them, and what is then in the channel.
const labels = (channel: E2eChannel) =>
  channel
    .messages()
    .flatMap(({ components }) => components as { components: { label: string }[] }[])
    .flatMap((row) => row.components.map(({ label }) => label));
/** What this person alone was told. */
const toldTo = (channel: E2eChannel, person: string) =>
  world.discord
    .messages(channel.id, person)
    .filter(({ ephemeral }) => ephemeral)
    .map(({ content }) => content);
/** Says something, and waits for the request that comes of it; the request's words. */
async function asked(channel: E2eChannel, as: string, words: string): Promise<string> {
  await channel.say(as, words);
  await until("the request", () => labels(channel).includes("Approve"));
  expect(labels(channel)).toEqual(["Approve", "Deny", "Stop"]);
  return channel.answers().at(-1) ?? "";
}

it("is made once when its person approves it, and a second press is told so", async () => {
  const channel = newChannel(world);
  const message = world.discord.speak({ as: MIRA, channel: channel.id, content: "Tea at four" });
  const pins = () => world.discord.messages(channel.id, THEO).filter(({ deed }) => deed?.startsWith("pinned"));
  const shown = () => world.discord.messages(channel.id, THEO).find(({ id }) => id === message)?.pinned;
  const request = await asked(channel, MIRA, "pin the last message");
  expect(request).toContain(`approval from <@${MIRA}>`);
  expect(request).toContain(`on https://discord.com/channels/${PLACES.guild}/${channel.id}/${message}`);
  await channel.press(THEO, "Approve");
  await until("the refusal", () => toldTo(channel, THEO).length === 1);
  const refusal = "Only the person who asked or a moderator can decide this.";
  expect([toldTo(channel, THEO), shown()]).toEqual([[refusal], undefined]);
  await Promise.all([channel.press(MIRA, "Approve"), channel.press(MIRA, "Approve")]);
  await until("the answers to both presses", () => toldTo(channel, MIRA).length === 2);
  expect(toldTo(channel, MIRA).sort()).toEqual(["Approved. The answer continues.", "This was already approved."]);
  await until("the last words", () => channel.answers()[0] === "It's pinned." && labels(channel).length === 0);
  expect([shown(), pins().length]).toEqual([true, 1]);
});

it("is not made when a moderator denies it, and the model hears of that; asked for and approved again, it is", async () => {
  const channel = newChannel(world);
  const threads = () => world.discord.channels(THEO).filter(({ name }) => name === "Cake");
  await asked(channel, THEO, "open a thread called Cake");
  await channel.press(MIRA, "Deny");
  await channel.settled(1);
  expect(requestTexts(world).at(-1)).toContain("a person denied this call");
  expect([threads(), labels(channel)]).toEqual([[], []]);
  await asked(channel, THEO, "open a thread called Cake");
  await channel.press(MIRA, "Approve");
  await until("the last words", () => channel.answers().some((words) => words.startsWith("The thread is open")));
  expect([threads().length, channel.answers()[1]]).toEqual([1, `The thread is open: <#${threads()[0]?.id}>`]);
});
