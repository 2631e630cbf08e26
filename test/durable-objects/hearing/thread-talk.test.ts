// What people say to each other in a thread where every message is a question (answer_to thread).
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

const denied = () =>
  createMessageHarness({
    channelId: PLACES.thread,
    readsContent: true,
    parentSettings: { answer_to: "thread", deny_users: mira },
  });

it("is ignored from somebody whom the lists keep out; they are notified only if they speak to the bot", async () => {
  const place = await denied();
  place.write(theo, `${BOT} hello?`);
  await place.rest();
  place.requests();
  const talk = place.write(mira, "Theo, shall we eat?");
  await place.rest();
  expect([place.requests(), place.world.life?.channel.ports.store.turn(talk)]).toEqual([[], null]);
  place.write(theo, "yes");
  await place.rest();
  expect(place.question()).toBe("[Theo · u1]\nyes");
  place.write(mira, `${BOT} and me?`);
  await place.rest();
  expect(place.requests().at(-1)).toMatch(/reactions\/⛔|The settings of this server or channel/);
});

it("doesn't become a question because somebody whom the lists keep out has asked", async () => {
  const place = await denied();
  place.write(mira, `${BOT} hello?`);
  await place.rest();
  place.write(theo, "Mira, shall we eat?");
  await place.rest();
  expect(place.reads()).toEqual([]);
  place.write(theo, `${BOT} hello?`);
  await place.rest();
  place.write(theo, "and then?");
  await place.rest();
  expect(place.reads()).toEqual(["Hello there.", "Hello there."]);
});
