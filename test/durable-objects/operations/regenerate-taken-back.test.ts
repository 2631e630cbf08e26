// Continue, Retry and Delete while Regenerate is about to replace an answer, and after it has failed to.
import { expect, it } from "vitest";
import type { StopRequest } from "../../../src/core/state/rpc.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const cut: ModelEvent[] = [
  { kind: "text", text: "The first half" },
  { kind: "end", finishReason: "length", calls: [], usage: null },
];
const goesOn = (c: ChannelHarness, id: string) => c.again({ turnId: "1", submission: { trigger: testRequest(id) } });
const stop = (turnId: string, kind: StopRequest["kind"] = "stop"): StopRequest => ({
  ...{ interactionId: `stops ${turnId}`, kind, turnId, moderator: false },
  ...{ userId: testRequest("1").userId, userName: "Theo" },
});

/** Arranges a cut answer that will be replaced by a turn waiting for somebody else's. */
async function regenerating(): Promise<ChannelHarness> {
  const c = createChannelHarness();
  c.submit({ trigger: testRequest("1") });
  await c.clock.advance(10);
  c.answer(cut);
  await c.clock.advance(5000);
  c.submit({ trigger: { ...testRequest("2"), userId: "someone else" } });
  await c.clock.advance(10);
  const again = c.again({ turnId: "1", replaces: true, submission: { trigger: testRequest("3") } });
  expect([again, c.store.state().queue.map(({ id }) => id)]).toEqual([{ kind: "accepted" }, ["3"]]);
  return c;
}

it("is refused as long as the answer is about to be replaced", async () => {
  const c = await regenerating();
  expect(goesOn(c, "4")).toEqual({ kind: "refused", refusal: { reason: "asked_again" } });
});

it("works once the new answer was taken back before it began, and the old one stays unchanged", async () => {
  const c = await regenerating();
  c.stop(stop("3"));
  await c.clock.advance(1000);
  expect(goesOn(c, "4")).toEqual({ kind: "accepted" });
  expect(goesOn(c, "5")).toEqual({ kind: "refused", refusal: { reason: "asked_again" } });
});

it("below a failed new answer is refused as long as another one is on its way, because only one answer replaces the old one", async () => {
  const c = await regenerating();
  c.stop({ ...stop("2"), userId: "someone else" });
  await c.clock.advance(5000);
  c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await c.clock.advance(5000);
  const retry = (id: string) => c.again({ turnId: "3", submission: { trigger: testRequest(id) } });
  c.submit({ trigger: { ...testRequest("4"), userId: "someone else" } });
  await c.clock.advance(10);
  expect(c.again({ turnId: "1", replaces: true, submission: { trigger: testRequest("5") } })).toEqual({
    kind: "accepted",
  });
  expect(retry("6")).toEqual({ kind: "refused", refusal: { reason: "asked_again" } });
  c.stop(stop("5"));
  await c.clock.advance(1000);
  expect(retry("7")).toEqual({ kind: "accepted" });
});

it("Delete is refused while the new answer waits or is written, and forgets the question once that was stopped", async () => {
  const c = await regenerating();
  const deletes = (interactionId: string) => {
    const press = { applicationId: "1", token: "t", messageId: "5" };
    return c.remove({ interactionId, turnId: "1", userId: testRequest("1").userId, moderator: false, press });
  };
  const refused = { result: "refused", refusal: { reason: "asked_again" } };
  expect(deletes("4")).toEqual(refused);
  c.stop({ ...stop("2"), userId: "someone else" });
  await c.clock.advance(5000);
  expect([c.store.state().running?.id, deletes("5")]).toEqual(["3", refused]);
  c.stop(stop("3"));
  await c.clock.advance(5000);
  expect(deletes("6")).toEqual({ result: "deleted" });
  expect(c.store.messagesInTurn("1")).toEqual([]);
});
