// An answer that is generated again after a death and is shorter than what the previous life had posted.

import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const LONG = "A line of the answer.\n".repeat(150);

it("loses its buttons to the next answer, although its last message is deleted", async () => {
  let calls = 0;
  const place = await createMessageHarness({
    answerTo: () => {
      calls += 1;
      return calls === 1 ? { texts: [LONG], hang: true } : { texts: [`Short ${calls}.`] };
    },
  });
  const { discord, channelId } = place.world;
  const shown = () =>
    discord
      .messages(channelId, theo)
      .filter(({ author }) => author.bot)
      .map(({ content, components }) => [content, components.length]);
  place.write(theo, `${BOT} one`);
  await place.pass(10_000);
  expect(shown()).toHaveLength(2);
  place.world.restart();
  await place.rest();
  expect(shown()).toEqual([["Short 2.", 1]]);
  place.write(mira, `${BOT} two`);
  await place.rest();
  expect(shown()).toEqual([
    ["Short 2.", 0],
    ["Short 3.", 1],
  ]);
});
