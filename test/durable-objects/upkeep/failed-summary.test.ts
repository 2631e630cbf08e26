// What the log says about a summary that the model's provider refused: nobody is notified, so only the log can say it.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, TURNS_UNTIL_DUE, talkOn } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

it("gives the reason, with the provider's status and words", async () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  await talkOn(c, 1, TURNS_UNTIL_DUE);
  await alarm(c);
  const failure = { reason: "auth", message: "no such key", status: 401 } as const;
  c.answer([{ kind: "failed", failure }]);
  await c.clock.advance(10);
  const detail = { ...failure, model: "told", ms: expect.any(Number) };
  expect(c.warnings).toEqual([{ line: "a summary was not taken", detail }]);
});
