// A reply that waits for Continue while Discord does not accept the bot's token: the click's token delivers the rest, even after the time when
// the bot's own token should have taken over.
import { expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

const MINUTE = 60_000;
const REFUSED = { code: 0, message: "401: Unauthorized" };

it.each([
  ["before the token's end", 14],
  ["after it", 16],
  ["only after the click", 18],
])("is shown by a click at 17 minutes if the answer is complete %s", async (_, completeAt) => {
  const place = createAppHarness({ bot: true });
  const { discord, channel } = place;
  discord.addWeather(({ path }) => (path.startsWith("/channels/") ? Response.json(REFUSED, { status: 401 }) : null));
  await place.ask(PEOPLE.theo, "a story");
  channel.stream([text("Once upon ")]);
  for (let minute = 1; minute <= 19; minute++) {
    await place.pass(MINUTE);
    if (minute === completeAt) channel.answer([text("a time."), end()]);
    if (minute === 17) {
      expect(place.reads().at(-1)).toContain(say.deliveryWaits);
      await place.click(PEOPLE.theo, "Continue");
    }
  }
  expect(place.reads()).toEqual(["Once upon a time."]);
  expect(channel.store.state().closing).toEqual([]);
});
