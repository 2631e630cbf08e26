// The buttons of a reply with a deleted message: they are removed from the remaining messages, and no request names a message that never existed.
import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

it("if Discord does not know a further message, the buttons are taken off the first one, with requests only for messages that exist", async () => {
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
