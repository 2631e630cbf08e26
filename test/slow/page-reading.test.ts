// How a message of the playground's page is read by a screen reader.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { findBarriers, pageTest } from "../support/page-browser.ts";

const at = pageTest();
const message = (text: string) => at.messages.filter({ hasText: text });

/** Theo, who is not in the browser, writes. */
const speak = (content: string, more: object = {}) =>
  at.tell("/local/speak", { as: PEOPLE.theo, channel: PLACES.general, content, ...more }) as Promise<{
    messageId: string;
  }>;

it("the line above a reply tells a screen reader what it says on the screen", async () => {
  const { messageId } = await speak("a question for **everyone**");
  await speak("here is why", { replyTo: messageId });
  await message("here is why").getByRole("button", { name: "a question for everyone" }).waitFor();
  expect(await findBarriers(at.page)).toEqual([]);
});
