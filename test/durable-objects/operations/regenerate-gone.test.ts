// Regenerate if somebody deletes the new answer before its last words are there.

import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";

const { theo } = PEOPLE;

it("leaves no buttons on the answer that the conversation has forgotten", async () => {
  const place = createAppHarness({ bot: true });
  const { discord, channel } = place;
  const answer = async (text: string) => {
    channel.answer([
      { kind: "text", text },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    await place.pass(20_000);
  };
  const shown = () =>
    discord
      .messages(PLACES.general, theo)
      .flatMap(({ id, author, content, components }) => (author.bot ? [{ id, content, rows: components.length }] : []));
  await place.ask(theo, "one");
  await place.pass(1000);
  await answer("ONE");
  expect(shown()).toMatchObject([{ content: "ONE", rows: 1 }]);
  await place.click(theo, "Regenerate");
  await place.pass(1000);
  discord.delete(shown().at(-1)?.id ?? "");
  await answer("Better.");
  expect(channel.store.messagesBefore("", 60, null).map(({ text }) => text)).toEqual(["one", "Better."]);
  expect(shown()).toMatchObject([{ content: "ONE", rows: 0 }]);
});
