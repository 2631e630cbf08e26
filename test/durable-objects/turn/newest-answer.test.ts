// Which answer is the newest if a turn with more rows than a request contains lies between two answers.
import { expect, it } from "vitest";
import { MAX_TRANSCRIPT_ROWS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness, labels } from "../../support/message-harness.ts";

const { theo } = PEOPLE;

it("removes the buttons from an older answer, however much a turn without an answer has done since", async () => {
  let rounds = 0;
  const place = await createMessageHarness({
    answerTo: ({ messages }) =>
      messages.findLast(({ role }) => role === "user")?.text.endsWith("work")
        ? { texts: ["Working. "], calls: [{ name: "count", args: { note: `${++rounds}` } }] }
        : { texts: ["Hello."] },
    variables: { BOT_MAX_FUNCTION_CALL_ITERATIONS: `${MAX_TRANSCRIPT_ROWS / 2}` },
  });
  for (const text of ["one", "work", "two"]) {
    place.write(theo, `${BOT} ${text}`);
    await place.rest();
  }
  const shown = place.world.discord.messages(PLACES.general, theo).filter(({ content }) => content.endsWith("Hello."));
  expect(shown.map(({ components }) => labels(components))).toEqual([[], ["Regenerate", "Delete"]]);
});

it("removes the buttons from the answer before one that a moderator deleted while its last words were on their way", async () => {
  const place = await createMessageHarness();
  const { discord } = place.world;
  place.write(theo, `${BOT} one`);
  await place.rest();
  place.write(theo, `${BOT} two`);
  await place.pass(450);
  const posted = discord.messages(PLACES.general, theo).at(-1)?.id ?? "";
  discord.touch({ kind: "delete", as: PEOPLE.mira, messageId: posted });
  await place.rest();
  place.write(theo, `${BOT} three`);
  await place.rest();
  const answers = discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect(answers.map(({ components }) => labels(components))).toEqual([[], ["Regenerate", "Delete"]]);
});
