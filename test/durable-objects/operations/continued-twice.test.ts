// Two clicks on Continue at nearly the same time: each brings a token of its own, and one of them delivers the rest.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;

it.each([50, 100, 300, 900])(
  "Continue, clicked again after %d ms, shows the rest once, and the last buttons go with the next answer",
  async (gap) => {
    const place = createAppHarness();
    const text = "word ".repeat(800).trim();
    await place.ask(theo, "a long story");
    await place.pass(13 * MINUTE + 5000);
    place.channel.answer(says(text));
    await place.pass(60 * MINUTE);
    await place.click(theo, "Continue");
    await place.pass(gap);
    await place.click(mira, "Continue");
    await place.pass(10_000);
    expect(place.reads().join(" ").replace(/\s+/g, " ")).toBe(text);
    await place.ask(mira, "hello");
    await place.pass(1000);
    place.channel.answer(says("Hello."));
    await place.pass(5000);
    const shown = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
    expect(shown.map(({ components }) => components.length)).toEqual([0, 0, 1]);
  },
);
