// How a message of the playground's page is read: by a screen reader, and in scripts from right to left.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { findBarriers, findLefts, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const message = (text: string) => at.messages.filter({ hasText: text });

/** Makes Theo write, who is not in the browser. */
const speak = (content: string, more: object = {}) =>
  at.tell("/local/speak", { as: PEOPLE.theo, channel: PLACES.general, content, ...more }) as Promise<{
    messageId: string;
  }>;

it("a screen reader reads in the line above a reply what the line shows on the screen", async () => {
  const { messageId } = await speak("a question for **everyone**");
  await speak("here is why", { replyTo: messageId });
  await message("here is why").getByRole("button", { name: "a question for everyone" }).waitFor();
  expect(await findBarriers(at.page)).toEqual([]);
});

it.each(["", "- ", "> ", "# "])(
  "a sentence in Hebrew after %j keeps its order around words in Latin script",
  async (mark) => {
    await speak(`${mark}הריצו npm start -- --port, ואז \`npm test\`, שוב`);
    await message("הריצו").waitFor();
    const lefts = await findLefts(at.page, ".prose", ["הריצו", "npm start", "ואז", "npm test", "שוב"]);
    expect(lefts).toEqual(lefts.toSorted((one, other) => other - one));
    expect(lefts).not.toContain(Number.NaN);
  },
);

it("a sentence in English keeps its order around a name in Hebrew", async () => {
  await speak("ask דנה or רון first");
  await message("ask").waitFor();
  const lefts = await findLefts(at.page, ".prose", ["ask", "דנה", "or", "רון", "first"]);
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});
