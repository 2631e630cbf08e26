// The buttons of a reply of which a message is gone: they go from the messages that are left, and nobody asks for one that was never made.
import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

it("a further message that Discord does not know takes the buttons off the first, by requests for messages that exist", async () => {
  const place = createAppHarness();
  place.discord.addWeather(({ method }) =>
    method === "POST" ? Response.json({ message: "Unknown Message", code: 10008 }, { status: 404 }) : null,
  );
  await place.ask(PEOPLE.theo, "a long story");
  place.channel.answer([text("word ".repeat(700)), end()]);
  await place.pass(60_000);
  expect(place.buttons()).toEqual([]);
  const edits = place.discord.log.filter(({ method }) => method === "PATCH");
  expect(edits.map(({ path, status }) => [path.endsWith("/messages/@original"), status])).toEqual([
    [true, 200],
    [true, 200],
  ]);
});
