// The lists of people and roles, checked again for a turn that waited: they may be newer than its question.
import { expect, it } from "vitest";
import { accessText } from "../../../src/core/copy/access.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text } from "../../support/turn-script.ts";

const DENIED = "1180000000000000022";
const HERE = { guildId: "77", botIsHere: true };
const ALLOWANCE = { tokens: null, microUsd: null };

it("a question that waited is not answered when the lists of its channel keep its person out by then", async () => {
  const channel = createChannelHarness({ scope: openScopes() });
  const submit = (id: string, userId: string) =>
    channel.submit({ trigger: { ...testRequest(id, userId), ...HERE, receivedAt: channel.clock.now() } });
  submit("1", "10");
  submit("2", DENIED);
  await channel.drain();
  await channel.change({ key: "deny_users", value: DENIED, by: { userId: "10", guildId: "77" } });
  channel.answer([text("one"), end()]);
  await channel.clock.advance(5000);
  expect(channel.requests).toHaveLength(1);
  expect([...channel.shown().values()].at(-1)).toBe(`-# ⚠️ ${accessText({ reason: "not_any_more" })}`);
});

it("a due reminder is not said when the lists of its server keep its person out, of which its channel has not heard", async () => {
  const note = { settings: { deny_users: DENIED }, isLimited: false };
  const scope = openScopes({
    lease: async () => ({ kind: "granted", allowance: ALLOWANCE, until: 2_000_000, note }),
  });
  const channel = createChannelHarness({ scope });
  channel.remindersFor(testRequest("9", DENIED)).set({ key: "k", text: "tea", dueAt: channel.clock.now() + 60_000 });
  await channel.clock.advance(60_000);
  channel.runAlarm();
  await channel.clock.advance(20_000);
  expect([channel.requests, [...channel.shown()]]).toEqual([[], []]);
});
