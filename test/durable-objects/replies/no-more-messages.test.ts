// An answer of several messages that ends as a file, because Discord takes no further message: what was refused never existed, and nothing looks
// for it later.
import { expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { labels } from "../../support/message-harness.ts";
import { end, text } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const words = (count: number) => text("word ".repeat(count));

/** Asks for a long answer. Discord refuses its third message with this code, because the bot may not speak any more, until it may again. */
async function refusedThird(code: number) {
  const place = createAppHarness({ bot: true });
  const { discord } = place;
  let creates = 0;
  const thread = { isLocked: true };
  discord.addWeather(({ method, path }) =>
    method === "POST" && path.includes("/webhooks/") && ++creates > 1 && thread.isLocked
      ? Response.json({ code, message: "No" }, { status: 403 })
      : null,
  );
  await place.ask(theo, "a long story");
  const shown = () =>
    discord
      .messages(PLACES.general, theo)
      .filter(({ author }) => author.bot)
      .map(({ attachments, components }) => [attachments.length, labels(components)]);
  return { place, shown, thread };
}

const CODES = [160_005, 50_013, 40_094];
const CHANGES = ["Regenerate", "Delete"];

it.each(CODES)("loses its buttons to the next answer, after a %i", async (code) => {
  const { place, shown } = await refusedThird(code);
  place.channel.answer([words(1900), end()]);
  await place.pass(60_000);
  expect(shown()).toEqual([
    [0, []],
    [1, CHANGES],
  ]);
  await place.ask(theo, "and?");
  place.channel.answer([text("The end."), end()]);
  await place.pass(60_000);
  expect(shown()).toEqual([
    [0, []],
    [1, []],
    [0, CHANGES],
  ]);
});

it.each(CODES)("is deleted completely, and says so, after a %i", async (code) => {
  const { place, thread } = await refusedThird(code);
  place.channel.answer([words(1900), end()]);
  await place.pass(60_000);
  thread.isLocked = false;
  await place.click(theo, "Delete");
  await place.pass(20_000);
  expect(place.reads()).toEqual([deletedText(0, true)]);
});

it.each(CODES)("has its file in the last message, in a later life too, after a %i", async (code) => {
  const { place, shown } = await refusedThird(code);
  place.channel.stream([words(1000)]);
  await place.pass(10_000);
  place.channel.crash();
  await place.pass(30_000);
  place.channel.answer([words(1000), end()]);
  await place.pass(60_000);
  expect(shown()).toEqual([
    [0, []],
    [1, CHANGES],
  ]);
});
