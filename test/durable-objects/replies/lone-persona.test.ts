// Regenerate and Delete below the words of a single persona, which follow a first line by the bot.
import { expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import {
  createMessageHarness,
  labels,
  type MessageHarness,
  type MessageHarnessOptions,
} from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const BUTTONS = ["Regenerate", "Delete"];

/** Makes a channel with two personas and asks Ada by command. */
async function askAda(options: MessageHarnessOptions = {}): Promise<MessageHarness> {
  const place = await createMessageHarness(options);
  for (const name of ["Ada", "Bob"]) await place.use(mira, "persona create", { name, prompt: "Be brief." });
  await place.use(theo, "chat", { message: "hello?", persona: "Ada" });
  await place.rest();
  place.requests();
  return place;
}

/** What everybody sees of the bot and its webhooks: author, words, and every button. */
const shown = ({ world }: MessageHarness) =>
  world.discord
    .messages(PLACES.general, PEOPLE.juno)
    .filter(({ author }) => author.bot)
    .map(({ author, content, components }) => [author.name, content, ...labels(components)]);
const atRest = ({ world }: MessageHarness) => [world.hasWork(), world.life?.timers ?? 0, world.discord.violations];
const HEADER = ["Parley", say.scene(["Ada"])];
const REST = [false, 0, []];

it("has both buttons, but only as long as it is the newest answer", async () => {
  const place = await askAda();
  expect(shown(place)).toEqual([HEADER, ["Ada", "> hello?\nHello there.", ...BUTTONS]]);
  await place.use(theo, "chat", { message: "and you?", persona: "Bob" });
  await place.rest();
  expect(shown(place).map(([name, , ...buttons]) => [name, ...buttons])).toEqual([
    ["Parley"],
    ["Ada"],
    ["Parley"],
    ["Bob", ...BUTTONS],
  ]);
  // The first request takes Stop off Bob's line, the second takes both buttons off Ada's answer.
  expect(place.requests().filter((line) => line.includes("/webhooks/… []"))).toHaveLength(2);
  expect(atRest(place)).toEqual(REST);
});

it("has neither if several personas speak", async () => {
  const place = await askAda();
  await place.use(theo, "scene", { personas: "Ada, Bob", prompt: "go on" });
  await place.rest();
  const [, ada, ...scene] = shown(place);
  expect(ada?.slice(2)).toEqual(BUTTONS);
  expect(scene.flatMap(([, , ...buttons]) => buttons)).toEqual([]);
});

it.each<[string, (place: MessageHarness) => unknown, MessageHarnessOptions?]>([
  ["in the same life", () => {}],
  ["by the next life", ({ world }) => world.restart()],
  ["after the token has ended", (place) => place.pass(20 * 60_000)],
  ["in the bot's own message", () => {}, { discord: { botManagesWebhooks: false } }],
])("is deleted with the line above it, %s", async (_, meanwhile, options) => {
  const place = await askAda(options);
  await meanwhile(place);
  await place.click(theo, "Delete");
  await place.rest();
  expect(shown(place)).toEqual([]);
  expect(place.reads(theo)).toEqual([deletedText(0, true)]);
  expect(atRest(place)).toEqual(REST);
});

it("says what stays if the line above it can't be found", async () => {
  const place = await askAda();
  await place.pass(20 * 60_000);
  const refusal = Response.json({ message: "Missing Access", code: 50001 }, { status: 403 });
  place.world.discord.failNext(99, refusal, ({ method, path }) => method === "GET" && path.includes("/messages?"));
  await place.click(theo, "Delete");
  await place.rest();
  expect([shown(place), place.reads(theo)]).toEqual([[HEADER], [HEADER[1], deletedText(1, true)]]);
});

it("has both on the line above it if Discord took no message of the persona", async () => {
  const place = await createMessageHarness();
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
  await place.chat(theo, "one");
  const gone = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  place.world.discord.failNext(99, gone, ({ method, path }) => method === "POST" && /^\/webhooks\/\d+\//.test(path));
  await place.use(theo, "chat", { message: "hello?", persona: "Ada" });
  await place.rest();
  const older = ["Parley", "> one\nHello there."];
  expect(shown(place)).toEqual([older, ["Parley", expect.stringContaining("**Ada:** Hello there."), ...BUTTONS]]);
  await place.click(theo, "Delete");
  await place.rest();
  expect(shown(place)).toEqual([older]);
});

it.each<[string, (place: MessageHarness) => unknown]>([
  ["in the same life", () => {}],
  ["in the next life", ({ world }) => world.restart()],
  ["after the token has ended", (place) => place.pass(20 * 60_000)],
])("loses the buttons on the line above it to a newer answer %s", async (_, meanwhile) => {
  const place = await createMessageHarness();
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
  const gone = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  place.world.discord.failNext(99, gone, ({ method, path }) => method === "POST" && /^\/webhooks\/\d+\//.test(path));
  await place.use(theo, "chat", { message: "hello?", persona: "Ada" });
  await place.rest();
  await meanwhile(place);
  await place.chat(theo, "one");
  await place.rest();
  expect(shown(place).map(([name, , ...buttons]) => [name, ...buttons])).toEqual([["Parley"], ["Parley", ...BUTTONS]]);
  expect(atRest(place)).toEqual(REST);
});

it("is replaced by a new answer in the bot's reply to the click", async () => {
  const place = await askAda();
  await place.click(theo, "Regenerate");
  await place.rest();
  expect(shown(place)).toEqual([["Parley", "> hello?\n**Ada:** Hello there.", ...BUTTONS]]);
  expect(atRest(place)).toEqual(REST);
});

it("loses both to the new answer if Discord does not delete it", async () => {
  const place = await askAda();
  const refusal = Response.json({ message: "Missing Access", code: 50001 }, { status: 403 });
  place.world.discord.failNext(99, refusal, ({ method }) => method === "DELETE");
  await place.click(theo, "Regenerate");
  await place.rest();
  expect(shown(place)).toEqual([HEADER, ["Ada", "> hello?\nHello there."], ["Parley", expect.anything(), ...BUTTONS]]);
});

it("loses both after a click on Continue, which is on the line above it", async () => {
  const place = createAppHarness({ bot: true });
  const { store } = place.channel;
  store.transaction(() => store.putSetting("persona:ada", '{"name":"Ada","prompt":"Be exact.","avatarUrl":null}'));
  const scene = { kind: "command", channel: PLACES.general, as: theo, name: "scene" } as const;
  await place.discord.interact({ ...scene, options: { personas: "Ada", prompt: "a story" } });
  await place.pass(1000);
  place.channel.answer([
    { kind: "text", text: "Once" },
    { kind: "end", finishReason: "length", calls: [], usage: null },
  ]);
  await place.pass(5000);
  const buttons = () => place.discord.messages(PLACES.general, theo).map(({ components }) => labels(components));
  expect(buttons()).toEqual([["Continue"], BUTTONS]);
  await place.click(theo, "Continue");
  await place.pass(1000);
  expect(buttons().slice(0, 2)).toEqual([[], []]);
});
