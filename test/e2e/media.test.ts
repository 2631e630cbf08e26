// The models that listen and draw, in a running product: voice notes that people post, sounds and pictures of a command, the same event
// twice, and a runtime that is killed while it waits for one of them.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { SPOKEN } from "../../src/playground/model/media.ts";
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

const HEAR = "/v1/audio/transcriptions";
const DRAW = "/v1/images/generations";
const VOICE_NOTE = { filename: "voice-message.ogg", contentType: "audio/ogg", text: "a sound" };
const TRANSCRIPT = `[transcript of voice-message.ogg]\n${SPOKEN}`;
const SHOWN = `> 🎙️ ${SPOKEN}\n`;

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  const token = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  const media = "TRANSCRIBE_MODEL=parley-local\nIMAGE_MODEL=parley-local";
  const devVars = `${token}\nDISCORD_GATEWAY=on\n${media}\nTOOL_SERVER_URL=${world.url}\n`;
  product = await startDeployed("withTestTools", devVars);
  world.connect(product.url);
  await connect();
});
beforeEach(() => {
  world.discord.configure({ proxyHandsOut: true });
  world.model.reset();
  world.media.length = 0;
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

async function connect(): Promise<void> {
  const sessions = () => world.discord.gateway.status().connections.map(({ session }) => session);
  await wake(product);
  await until("a session", () => sessions().some((session) => session !== null));
}

const says = (...texts: string[]) => world.model.script(texts.map((text) => ({ chunks: [{ text }] })));
const draws = (text: string) =>
  world.model.script([
    { chunks: [{ call: { name: "generate_image", arguments: { prompt: "a dot" } } }] },
    { chunks: [{ text }] },
  ]);
const filesOf = ({ messages }: E2eChannel) =>
  messages().map(({ attachments }) => attachments.map(({ filename }) => filename));
const messagesSent = () =>
  world.discord.gateway.log.flatMap(({ kind, t, s }) => (kind === "out" && t === "MESSAGE_CREATE" ? [s] : []));
/** Makes the bot answer Theo. Returns the answer's id, for him to reply to. */
async function answered({ id, settled, messages }: E2eChannel): Promise<string> {
  says("Ask away.");
  world.discord.speak({ as: THEO, channel: id, content: `<@${world.applicationId}> may I speak?` });
  await settled(1);
  const [{ id: replyTo = "" } = {}] = messages();
  return replyTo;
}
const speaks = (as: string, { id }: E2eChannel, more: { replyTo?: string } = {}) =>
  world.discord.speak({ as, channel: id, content: "", file: VOICE_NOTE, voice: 2, ...more });

it("hears a voice note in a direct message once, shows its words, and answers them", async () => {
  const channel = channelAt(world, PLACES.dmOfJuno, PEOPLE.juno);
  says("Eleven.", "Yes.");
  const id = speaks(PEOPLE.juno, channel);
  expect(await channel.settled(1)).toEqual([`${SHOWN}Eleven.`]);
  expect(channel.messages()[0]).toMatchObject({ repliesTo: { id } });
  expect(requestTexts(world)).toEqual([expect.stringContaining(TRANSCRIPT)]);
  world.discord.speak({ as: PEOPLE.juno, channel: channel.id, content: "sure?" });
  expect(await channel.settled(2)).toEqual([`${SHOWN}Eleven.`, "Yes."]);
  expect(requestTexts(world)).toEqual([
    expect.stringContaining(TRANSCRIPT),
    "assistant: Eleven.",
    expect.stringContaining("sure?"),
  ]);
  expect(world.media).toEqual([HEAR]);
});

it("hears one that replies to the bot once, even if the gateway sends it again after op 7", async () => {
  const channel = newChannel(world);
  const heardBefore = world.heard.length;
  const replyTo = await answered(channel);
  says("Eleven.");
  const hold = world.hold({ side: "before", matches: ({ path }) => path === "/tool/heard" });
  const id = speaks(THEO, channel, { replyTo });
  await until("the channel", hold.isReached);
  const sent = messagesSent();
  world.discord.gateway.act({ act: "reconnect" });
  await until("the message again", () => messagesSent().length > sent.length);
  hold.release();
  expect(await channel.settled(2)).toEqual(["Ask away.", `${SHOWN}Eleven.`]);
  await until("both events", () => world.heard.length >= heardBefore + 2);
  // Whatever came twice has been asked by the time the next question is answered.
  says("And on.");
  await channel.say(THEO, "and now?");
  expect((await channel.settled(3))[2]).toBe("And on.");
  expect(channel.messages().filter(({ repliesTo }) => repliesTo?.id === id)).toHaveLength(1);
  expect(world.media).toEqual([HEAR]);
  expect(world.model.log).toHaveLength(3);
});

it("says that it could not listen if Discord gives the file to no Worker, and asks no model to", async () => {
  world.discord.configure({ proxyHandsOut: false });
  const channel = newChannel(world);
  const replyTo = await answered(channel);
  says("I heard nothing.");
  speaks(THEO, channel, { replyTo });
  const [, answer = ""] = await channel.settled(2);
  expect(answer).toMatch(/^I heard nothing\.\n\n-# ⚠️ I could not listen to `voice-message\.ogg`\./);
  expect(world.media).toEqual([]);
});

it("hears the sound of a command, and answers an interaction that comes twice only once", async () => {
  const channel = newChannel(world);
  says("Eleven.", "Twice.");
  const hold = world.hold({ side: "after", matches: ({ path }) => path === HEAR });
  const options = { message: "what is said?", file: { attachment: VOICE_NOTE } };
  const asked = await world.discord.interact({ kind: "command", as: THEO, channel: channel.id, name: "chat", options });
  await until("the model that listens", hold.isReached);
  const again = await fetch(await repeated(asked.body));
  expect(await again.json()).toMatchObject({ type: 5 });
  hold.release();
  expect(await channel.settled(1)).toEqual([`${SHOWN}Eleven.`]);
  expect((await fetch(await repeated(asked.body))).status).toBe(200);
  expect(await channel.settled(1)).toHaveLength(1);
  expect([world.media, world.model.log.length]).toEqual([[HEAR], 1]);
});

it("draws a picture once and attaches it once, even for an interaction that comes twice", async () => {
  const channel = newChannel(world);
  draws("Here it is.");
  const hold = world.hold({ side: "after", matches: ({ path }) => path === DRAW });
  const asked = await channel.say(THEO, "draw me a dot");
  await until("the model that draws", hold.isReached);
  await fetch(await repeated(asked.body));
  hold.release();
  expect(await channel.settled(1)).toEqual(["Here it is."]);
  await fetch(await repeated(asked.body));
  says("You are welcome.");
  await channel.say(THEO, "thanks");
  await channel.settled(2);
  expect(filesOf(channel)).toEqual([["drawing.png"], []]);
  const picture = await fetch(channel.messages()[0]?.attachments[0]?.url ?? "");
  expect(new Uint8Array(await picture.arrayBuffer()).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  expect([world.media, world.model.log.length]).toEqual([[DRAW], 3]);
});

it("if killed while it waits, asks for no second picture, but for a sound once again", async () => {
  const [drawing, hearing] = [newChannel(world), newChannel(world)];
  world.model.script([
    {
      when: { userTextIncludes: "draw" },
      chunks: [{ call: { name: "generate_image", arguments: { prompt: "a dot" } } }],
    },
    { when: { userTextIncludes: "draw" }, chunks: [{ text: "It may not have been drawn." }] },
    { when: { userTextIncludes: "said" }, chunks: [{ text: "Eleven." }] },
  ]);
  const holds = [HEAR, DRAW].map((wanted) => world.hold({ side: "after", matches: ({ path }) => path === wanted }));
  await drawing.say(THEO, "draw me a dot");
  const options = { message: "what is said?", file: { attachment: VOICE_NOTE } };
  await world.discord.interact({ kind: "command", as: THEO, channel: hearing.id, name: "chat", options });
  await until("both models", () => holds.every(({ isReached }) => isReached()));
  await product.killNine();
  for (const { release } of holds) release();
  await product.restart();
  expect(await drawing.settled(1)).toEqual(["It may not have been drawn."]);
  expect(await hearing.settled(1)).toEqual([`${SHOWN}Eleven.`]);
  expect([...filesOf(drawing), ...filesOf(hearing)]).toEqual([[], []]);
  expect([...world.media].sort()).toEqual([HEAR, HEAR, DRAW]);
});

/** The same interaction, signed again, as Discord's own retry would be. */
async function repeated(body: string): Promise<Request> {
  const signed = await world.discord.sign(body);
  return new Request(`${product.url}/interactions`, { method: "POST", headers: signed.headers, body });
}
