// The date that the model gets: without it a question like "how long until Christmas?" is answered for the year of its training.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const MIDNIGHT = Date.parse("2026-03-01T00:00:00Z");

it("each turn states the day of its question and keeps it after midnight, because a changed beginning would miss the provider's cache", async () => {
  const channel = createChannelHarness({ startsAt: MIDNIGHT - 2000 });
  channel.submit({ trigger: testRequest("1") });
  await channel.drain();
  channel.crash();
  await channel.clock.advance(5000);
  channel.runAlarm();
  await channel.drain();
  channel.answer([
    { kind: "text", text: "Yes." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await channel.clock.advance(2000);
  channel.submit({ trigger: testRequest("2") });
  await channel.drain();
  const days = channel.requests.map(({ system }) => /Today is (.+?), in UTC\./.exec(system)?.[1]);
  expect(days).toEqual(["Sat, 28 Feb 2026", "Sat, 28 Feb 2026", "Sun, 01 Mar 2026"]);
});
