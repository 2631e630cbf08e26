// What once held a channel for ever: a failure between the lock and the first model call.
import { describe, expect, it } from "vitest";
import type { TurnRegistry } from "../../../durable-objects/turn/turn-registry.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const empty = createToolRegistry([]);
const said = (text: string) => [
  { kind: "text" as const, text },
  { kind: "end" as const, finishReason: "stop" as const, calls: [], usage: null },
];
const asked = (id: string, userId: string) => ({ ...testRequest(id, userId), receivedAt: 1_000_000 });
/** A channel whose first turn gets its tools by `first`, and every other at once. */
function place(first: TurnRegistry, turnDeadlineMs = 60_000) {
  let asked = 0;
  const turnRegistry: TurnRegistry = async (signal) => (asked++ === 0 ? first(signal) : empty);
  const channel = createChannelHarness({ turnRegistry, config: { turnDeadlineMs } });
  return { channel };
}

describe("a failure between the lock and the first model call", () => {
  it("ends the turn as crashed, visibly, and the next message is answered", async () => {
    const { channel } = place(() => Promise.reject(new Error("a manifest too large for a row")));
    const first = asked("1", "7");
    channel.submit({ trigger: first });
    await channel.clock.advance(10_000);
    expect(channel.store.turn("1")).toMatchObject({ state: "finished", status: "error" });
    expect(channel.shown().get(first.token ?? "")).toContain("Something went wrong on our side");
    const second = asked("2", "8");
    channel.submit({ trigger: second });
    await channel.clock.advance(0);
    channel.answer(said("Here."));
    await channel.clock.advance(10_000);
    expect(channel.shown().get(second.token ?? "")).toBe("Here.");
    expect([channel.alarmAt(), channel.clock.pending()]).toEqual([null, 0]);
  });
});
