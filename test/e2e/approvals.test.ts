// A dangerous call over real sockets: the buttons below the request, who may press them, and what is then in the channel. Once for each
// answer, with the tools that ship.
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
} from "../support/e2e-world.ts";
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
  expect(request).toContain(`approval of <@${MIRA}>`);
  expect(request).toContain(`on https://discord.com/channels/${PLACES.guild}/${channel.id}/${message}`);
  await channel.press(THEO, "Approve");
  await until("the refusal", () => toldTo(channel, THEO).length === 1);
  const refusal = "Only the person who asked, or a moderator, can decide this.";
  expect([toldTo(channel, THEO), shown()]).toEqual([[refusal], undefined]);
  await Promise.all([channel.press(MIRA, "Approve"), channel.press(MIRA, "Approve")]);
  await until("the answers to both presses", () => toldTo(channel, MIRA).length === 2);
  expect(toldTo(channel, MIRA).sort()).toEqual(["Approved. The answer goes on.", "This was approved already."]);
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
