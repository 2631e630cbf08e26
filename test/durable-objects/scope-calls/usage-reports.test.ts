// How a channel reports to its scope what its turns have used: each report is on its way only once.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { says } from "../../support/turn-script.ts";

it("a turn that ends while a report is on its way is reported after it, and neither twice", async () => {
  const sent: string[][] = [];
  let take = () => {};
  const c = createChannelHarness({
    scope: (name) => ({
      ...openScopes()(name),
      async report(reports) {
        const ids = reports.map(({ turnId }) => turnId);
        if (sent.push(ids) === 1) await new Promise<void>((resolve) => (take = resolve));
        return ids;
      },
    }),
  });
  for (const id of ["1", "2"]) {
    c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now() } });
    await c.clock.advance(10);
    c.answer(says("Hi."));
    await c.clock.advance(500);
  }
  expect(sent).toEqual([["1"]]);
  take();
  await c.clock.advance(0);
  expect(sent).toEqual([["1"], ["2"]]);
});
