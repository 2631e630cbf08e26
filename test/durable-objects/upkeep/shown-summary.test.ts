// What /bot summary shows: a model wrote it, and words that the model had read may have told it which links to write.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";

const ADDRESS = "https://evil.example/?q=what-they-said";
const SUMMARY = { fromSeq: 1, toSeq: 2, messages: 2, users: ["10"], model: "m", tokens: 1, at: 1 };

it("shows the links of a summary that contains words from outside as text with their host, and those of other summaries unchanged", async () => {
  const c = createChannelHarness();
  const text = `Tea. See [the recipe](${ADDRESS}) and ${ADDRESS}.`;
  c.store.saveSummary({ ...SUMMARY, text });
  expect((await c.port.summary())?.text).toBe(text);
  c.store.saveSummary({ ...SUMMARY, text, tainted: true });
  const shown = (await c.port.summary())?.text;
  expect(shown).toBe("Tea. See the recipe (evil.example) and `evil.example/?q=what-they-said`.");
  expect(c.store.summary()?.text).toBe(text);
});
