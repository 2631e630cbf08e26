// A call that is running when somebody stops its turn.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, tool } from "../../support/turn-script.ts";

it("is in the timeline, because it may have taken effect, but not in the conversation", async () => {
  const send = tool("send", () => new Promise(() => {}), EFFECT);
  const c = createChannelHarness({ tools: [send] });
  c.submit({ trigger: { ...testRequest("1", "10"), receivedAt: c.clock.now() } });
  await c.clock.advance(5000);
  c.answer([end([["send", { note: "hello" }]])]);
  await c.clock.advance(5000);
  c.stop({ kind: "stop", turnId: null, interactionId: "9", userId: "10", userName: "Theo", moderator: false });
  await c.clock.advance(5000);
  const { status, events = [] } = c.store.turn("1") ?? {};
  const calls = events.flatMap(({ what, detail }) => (what === "tool" ? [detail] : []));
  expect([status, calls]).toEqual(["stopped_by_user", ['send {"note":"hello"}: aborted, 5000 ms']]);
  expect(c.store.ledgerRowsFor(2).map(({ result }) => result)).toEqual([null]);
});
