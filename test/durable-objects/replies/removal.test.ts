// Delete below a message that no life has heard of, because Discord's answer to its creation was lost: the click finds it.
import { expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

const { theo } = PEOPLE;

it.each([
  ["all that was lost", 1, 0],
  ["one of two that were lost", 2, 1],
])("counts as deleted where it is %s", async (_, lost, left) => {
  const place = createAppHarness({ bot: true });
  await place.ask(theo, "a long story");
  place.channel.answer([text("word ".repeat(900)), end()]);
  await place.pass(60_000);
  const { store } = place.channel;
  const [turn] = store.recentTurns(1, { userId: theo, moderator: true });
  if (!turn) throw new Error("there is no turn");
  const known = turn.parts.slice(0, -lost);
  const unknown = Array.from({ length: lost }, () => ({ state: "sending", id: null }) as const);
  store.saveTurn({ ...turn, parts: [...known, ...unknown] });
  place.channel.crash();
  await place.click(theo, "Delete");
  await place.pass(20_000);
  const read = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect([read.length, read.at(-1)?.content]).toEqual([left + 1, deletedText(left)]);
});
