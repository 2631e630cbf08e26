// A turn that speaks as a person: without a webhook of its own it posts nothing, least of all in the bot's name.
import { expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const impersonated = (now: number): TurnRequest => ({
  ...testRequest("100", "10"),
  receivedAt: now,
  token: null,
  impersonatedUserId: "11",
  persona: { name: "Theo", prompt: "You speak as Theo would.", avatarUrl: null },
  scene: { id: "100", index: 0, names: ["Theo"], token: "t-100", webhookChannelId: null },
});

it.each<[string, ModelEvent[]]>([
  ["fails", [{ kind: "failed", failure: { reason: "auth", message: "no" } }]],
  [
    "answers",
    [
      { kind: "text", text: "Hello." },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ],
  ],
])("a turn that %s as a person without a webhook posts nothing, and the channel continues", async (_, events) => {
  const channel = createChannelHarness();
  channel.submit({ trigger: impersonated(channel.clock.now()) });
  await channel.drain();
  channel.answer(events);
  await channel.clock.advance(20_000);
  expect([...channel.shown().values()].filter((content) => !content.startsWith("-# Scene"))).toEqual([]);
  expect([channel.store.turn("100")?.state, channel.store.state().closing]).toEqual(["finished", []]);
});
