// Sometimes Discord shows "thinking" but never knows the token that came with it (discord/discord-api-docs#7220).
import { expect, it } from "vitest";
import { answerIn } from "../../../src/playground/discord/forecast.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";

const { theo } = PEOPLE;
const isByToken = ({ path }: { path: string }) => path.startsWith("/webhooks/");
const isOfChannel = ({ path }: { path: string }) => path.startsWith("/channels/");

it("an answer whose token stays unknown is delivered with the bot's own token, in the same message", async () => {
  const place = createAppHarness({ bot: true });
  const unknown = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  place.discord.failNext(999, unknown, isByToken);
  await place.ask(theo, "hello?");
  place.channel.stream([{ kind: "text", text: "Hello" }]);
  await place.pass(20_000);
  expect(place.reads()).toEqual(["Hello [Stop]"]);
  place.channel.answer([
    { kind: "text", text: " there." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await place.pass(20_000);
  expect([place.reads(), place.discord.violations]).toEqual([["Hello there."], []]);
});

it("an answer whose token stays unknown is delivered even if the channel can't be read for a minute", async () => {
  const place = createAppHarness({ bot: true });
  const unknown = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  place.discord.failNext(999, unknown, isByToken);
  await place.ask(theo, "hello?");
  place.channel.answer([
    { kind: "text", text: "Hello there." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  const clear = place.discord.addWeather((request) => (isOfChannel(request) ? answerIn("outage") : null));
  await place.pass(60_000);
  clear();
  await place.pass(60_000);
  expect([place.reads(), place.discord.violations]).toEqual([["Hello there."], []]);
});
