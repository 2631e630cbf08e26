// What people say to each other in a thread in which all that is said is a question (answer_to thread).
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

it("is nothing to somebody whom the lists keep out: they are told so only where they speak to the bot", async () => {
  const parentSettings = { answer_to: "thread", deny_users: mira };
  const place = await createMessageHarness({ channelId: PLACES.thread, readsContent: true, parentSettings });
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
