// Two clicks on Continue at nearly the same time: each brings its own token, and one of them delivers the rest.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;

it.each([50, 100, 300, 900])(
  "Continue, clicked again after %d ms, shows the rest once, and the next answer removes the last buttons",
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

it("Continue, clicked by a second person while the answer is being written, doesn't say that it is complete", async () => {
  const place = createAppHarness();
  await place.ask(theo, "a long story");
  await place.pass(13 * MINUTE + 5000);
  const [message] = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  await place.click(theo, "Continue");
  place.channel.stream([{ kind: "text", text: "word ".repeat(600) }]);
  await place.pass(5000);
  expect(place.reads()).toHaveLength(2);
  const turnId = place.channel.store.state().running?.id ?? "";
  // Their client still shows the button.
  const press = { applicationId: "1", token: "another", messageId: message?.id ?? "" };
  expect(place.channel.resume({ turnId, press })).toEqual({ result: "goes_on" });
  place.channel.answer(says("end."));
  await place.pass(10_000);
  expect(place.channel.resume({ turnId, press })).toEqual({ result: "complete" });
});
