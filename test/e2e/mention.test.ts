// Questions by message, through everything: the local Gateway, the gateway's object, the channel, the model and the reply on the local
// Discord, over real sockets.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed, wake } from "../support/deployed.ts";
import {
  channelAt,
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
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
  const token = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  const devVars = `${token}\nDISCORD_GATEWAY=on\nTOOL_SERVER_URL=${world.url}\n`;
  product = await startDeployed("withTestTools", devVars);
  world.connect(product.url);
  await wake(product);
  await until("a session", isConnected);
});
beforeEach(() => world.model.reset());
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

const isConnected = () => world.discord.gateway.status().connections.some(({ session }) => session !== null);
/** The numbers of the messages that the gateway has sent, in order. */
const messagesSent = () =>
  world.discord.gateway.log.flatMap(({ kind, t, s }) => (kind === "out" && t === "MESSAGE_CREATE" ? [s] : []));
/** Makes Theo mention the bot. Returns the message's id. */
const mention = ({ id }: E2eChannel, words: string) =>
  world.discord.speak({ as: THEO, channel: id, content: `<@${world.applicationId}> ${words}` });
const labels = ({ components }: LocalMessage) =>
  (components as { components: { label: string }[] }[]).flatMap((row) => row.components.map(({ label }) => label));
const shows = (channel: E2eChannel, words: string) =>
  until(words, () => channel.answers().at(-1)?.includes(words) ?? false);

it("answers a mention with a reply that grows, and can be stopped until it is complete", async () => {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ text: "Half of it" }, { hang: true }] }]);
  const id = mention(channel, "why?");
  await shows(channel, "Half of it");
  const [growing] = channel.messages();
  expect(growing).toMatchObject({ repliesTo: { id, pings: false } });
  expect(growing && labels(growing)).toEqual(["Stop"]);
  await channel.clickStop(THEO);
  const [answer] = await channel.settled(1);
  expect(answer).toMatch(/^Half of it\n\n-# Stopped by/);
});

it("continues from what it said when somebody replies to its answer", async () => {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ text: "Forty-two." }] }, { chunks: [{ text: "Six times seven." }] }]);
  mention(channel, "what is the answer?");
  await channel.settled(1);
  const [{ id: answerId = "" } = {}] = channel.messages();
  const id = world.discord.speak({ as: THEO, channel: channel.id, content: "how so?", replyTo: answerId });
  expect(await channel.settled(2)).toEqual(["Forty-two.", "Six times seven."]);
  expect(channel.messages()[1]).toMatchObject({ repliesTo: { id } });
  expect(requestTexts(world)).toEqual([
    expect.stringContaining("what is the answer?"),
    "assistant: Forty-two.",
    expect.stringContaining("how so?"),
  ]);
});

it("answers a direct message", async () => {
  const channel = channelAt(world, PLACES.dmOfJuno, PEOPLE.juno);
  world.model.script([{ chunks: [{ text: "Between us." }] }]);
  const id = world.discord.speak({ as: PEOPLE.juno, channel: channel.id, content: "psst" });
  expect(await channel.settled(1)).toEqual(["Between us."]);
  expect(channel.messages()[0]).toMatchObject({ repliesTo: { id } });
});

it("stops when the question is deleted, and takes the next one", async () => {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ text: "Once upon" }, { hang: true }] }, { chunks: [{ text: "Next." }] }]);
  const id = mention(channel, "a story");
  await shows(channel, "Once upon");
  world.discord.touch({ kind: "delete", as: THEO, messageId: id });
  await until("the end of the model's answer", () => world.model.log[0]?.aborted ?? false);
  expect(await channel.settled(1)).toEqual([`Once upon\n\n-# Stopped by <@${THEO}>.`]);
  mention(channel, "and now?");
  expect((await channel.settled(2))[1]).toBe("Next.");
});

it("answers once what the gateway sends again after op 7", async () => {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ text: "Once." }] }]);
  // What no channel has confirmed comes after the number from which the new connection resumes.
  const hold = world.hold({ side: "before", matches: ({ path }) => path === "/tool/heard" });
  mention(channel, "how often?");
  await until("the channel", hold.isReached);
  const sent = messagesSent();
  world.discord.gateway.act({ act: "reconnect" });
  await until("the message again", () => messagesSent().length > sent.length);
  expect(messagesSent().at(-1)).toBe(sent.at(-1));
  hold.release();
  expect(await channel.settled(1)).toEqual(["Once."]);
  // Whatever came twice has been asked by the time the next question is answered.
  world.model.script([{ chunks: [{ text: "And on." }] }]);
  mention(channel, "and now?");
  expect(await channel.settled(2)).toEqual(["Once.", "And on."]);
  expect(world.model.log).toHaveLength(2);
});
