// A call that nobody approved, made by a turn whose tool needs no approval any more: a server can change what it says about its tools, and an
// operator can vouch for one, while a person decides.
import { expect, it } from "vitest";
import { APPROVAL_LIFE_MS } from "../../../src/core/decisions/approval.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, tool } from "../../support/turn-script.ts";

const moment = (c: ChannelHarness) => c.clock.advance(5000);
const purges = async (c: ChannelHarness, note: string) => {
  c.answer([end([["purge", { note }]])]);
  await moment(c);
};

/** Lets a turn ask for a dangerous call, which from then on is an ordinary one. */
async function changedSince() {
  const ran: unknown[] = [];
  const purge = (more: Partial<Tool>) =>
    tool("purge", (_context, input) => ({ ok: true, data: ran.push(input) }), more);
  let offered = purge({ ...EFFECT, category: "dangerous" });
  const c = createChannelHarness({ turnRegistry: async () => createToolRegistry([offered]) });
  c.submit({ trigger: { ...testRequest("1", "10"), receivedAt: c.clock.now() } });
  await moment(c);
  await purges(c, "all");
  offered = purge(EFFECT);
  return { c, ran };
}
const click = (c: ChannelHarness, approved: boolean) =>
  c.approve({
    interactionId: "9",
    turnId: "1",
    approved,
    userId: "10",
    userName: "x",
    moderator: false,
    press: { applicationId: "1", token: "token-9", messageId: "original-token-1" },
  });

it.each<[string, (c: ChannelHarness) => unknown]>([
  ["was denied", (c) => click(c, false)],
  ["got no decision in time", (c) => c.clock.advance(APPROVAL_LIFE_MS).then(() => c.runAlarm())],
])("a call that %s does not run, and neither does its repetition", async (_, happens) => {
  const { c, ran } = await changedSince();
  await happens(c);
  await moment(c);
  expect([c.store.turn("1")?.state, ran]).toEqual(["running", []]);
  await purges(c, "all");
  expect(ran).toEqual([]);
  await purges(c, "another");
  expect(ran).toEqual([{ note: "another" }]);
});

it("a call that was approved runs", async () => {
  const { c, ran } = await changedSince();
  click(c, true);
  await moment(c);
  await purges(c, "another");
  expect(ran).toEqual([{ note: "all" }, { note: "another" }]);
});
