// Thoughts about a question by message in a thread go where its channel's settings allow, and nowhere while these are unknown.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, juno } = PEOPLE;
const scope = { settings: { thought_log_channel: PLACES.staff, thought_log_setter: juno }, isLimited: false };
const PRIVATE = { private: "true" };

/** Returns a function that ends it. */
type Trouble = (place: MessageHarness) => () => void;
const none: Trouble = () => () => {};
/** Discord does not say which channel the thread belongs to. */
const noDiscord: Trouble = ({ world: { discord } }) =>
  discord.addWeather(({ path }) => (path === `/channels/${PLACES.thread}` ? new Response("", { status: 503 }) : null));
/** The object of the thread's channel can't be reached. */
const noParent: Trouble = ({ world }) => {
  const { parentSettings } = world;
  const be = (how: PropertyDescriptor) =>
    Object.defineProperty(world, "parentSettings", { configurable: true, ...how });
  be({
    get() {
      throw new Error("this channel can't be reached");
    },
  });
  return () => void be({ value: parentSettings, writable: true });
};

it.each([
  ["a thread", {}, none, 0, 1],
  ["a thread of a private channel", PRIVATE, none, 0, 0],
  ["a thread of a private channel that Discord names later", PRIVATE, noDiscord, 10_000, 0],
  ["a thread of a private channel that can be reached later", PRIVATE, noParent, 10_000, 0],
  ["a thread whose channel Discord names later", {}, noDiscord, 10_000, 1],
  ["a thread whose channel can be reached later", {}, noParent, 10_000, 1],
  ["a thread whose channel Discord never names", {}, noDiscord, 60_000, 0],
  ["a thread whose channel can never be reached", {}, noParent, 60_000, 0],
] as const)("in %s", async (_, parentSettings, trouble, troubledMs, posts) => {
  const place = await createMessageHarness({
    channelId: PLACES.thread,
    parentSettings,
    more: { scope },
    answerTo: () => ({ texts: ["<think>Is it 4?</think>", "It is 4."], firstMs: 20_000 }),
  });
  const end = trouble(place);
  place.write(theo, `${BOT} 2 + 2?`);
  await place.pass(troubledMs);
  end();
  await place.rest();
  expect(place.reads()).toEqual(["It is 4."]);
  expect(place.world.discord.messages(PLACES.staff, juno).filter(({ author }) => author.bot)).toHaveLength(posts);
});
