// What the model is told of a channel's age restriction, also in turns that waited or come by themselves.
import { expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const HOUR_MS = 3_600_000;
const RESTRICTED = /This Discord channel is age-restricted/;
const OPEN = /This Discord channel is not age-restricted/;

const asked = (id: string, ageRestricted?: boolean): TurnRequest => ({
  ...testRequest(id, id),
  ...(ageRestricted !== undefined && { ageRestricted }),
});
async function answer(channel: ChannelHarness): Promise<void> {
  await channel.drain();
  channel.answer([
    { kind: "text", text: "Yes." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await channel.clock.advance(2000);
}
const told = ({ requests }: ChannelHarness) =>
  requests.map(({ system }) => (RESTRICTED.test(system) ? "restricted" : OPEN.test(system) ? "open" : "nothing"));

it("each turn tells its own, although an earlier life queued it; one of an older program tells nothing", async () => {
  const channel = createChannelHarness();
  channel.submit({ trigger: asked("1", true) });
  channel.submit({ trigger: asked("2", false) });
  channel.submit({ trigger: asked("3") });
  channel.crash();
  channel.runAlarm();
  for (let n = 0; n < 3; n++) await answer(channel);
  expect(told(channel)).toEqual(["restricted", "open", "nothing"]);
});

it("a reminder's turn tells what held where it was set", async () => {
  const channel = createChannelHarness();
  const dueAt = channel.clock.now() + HOUR_MS;
  channel.remindersFor(asked("1", true)).set({ key: "k", text: "tea", dueAt });
  await channel.clock.advance(HOUR_MS);
  channel.runAlarm();
  await answer(channel);
  expect(told(channel)).toEqual(["restricted"]);
});
