// What once blocked a channel forever: a failure between the lock and the first model call, and a turn that neither its stop nor its
// deadline ends.
import { describe, expect, it } from "vitest";
import type { TurnRegistry } from "../../../durable-objects/turn/turn-registry.ts";
import type { StopRequest } from "../../../src/core/state/rpc.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const NEVER = new Promise<never>(() => {});
const empty = createToolRegistry([]);
const said = (text: string) => [
  { kind: "text" as const, text },
  { kind: "end" as const, finishReason: "stop" as const, calls: [], usage: null },
];
const asked = (id: string, userId: string) => ({ ...testRequest(id, userId), receivedAt: 1_000_000 });
const stop = (kind: StopRequest["kind"]): StopRequest => ({
  interactionId: `${kind} it`,
  kind,
  turnId: null,
  userId: "99",
  userName: "Mira",
  moderator: true,
});

/** Makes a channel whose first turn gets its tools from `first`, and every other turn at once. */
function place(first: TurnRegistry, turnDeadlineMs = 60_000) {
  let asked = 0;
  const turnRegistry: TurnRegistry = async (signal) => (asked++ === 0 ? first(signal, null) : empty);
  const channel = createChannelHarness({ turnRegistry, config: { turnDeadlineMs } });
  const alarmUntil = async (until: number) => {
    const alarms: number[] = [];
    for (let at = channel.alarmAt(); at !== null && at <= until; at = channel.alarmAt()) {
      await channel.clock.advance(Math.max(0, at - channel.clock.now()));
      alarms.push(channel.clock.now());
      channel.runAlarm();
      await channel.drain();
    }
    return alarms;
  };
  return { channel, alarmUntil, begunAt: channel.clock.now() };
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

describe("a turn that does not end", () => {
  it.each(["stop", "kill"] as const)("is removed ten seconds after its %s, and the next one starts", async (kind) => {
    const { channel, alarmUntil, begunAt } = place(() => NEVER);
    channel.submit({ trigger: asked("1", "7") });
    await channel.clock.advance(1000);
    expect(channel.stop(stop(kind))).toMatchObject({ result: "stopped" });
    await alarmUntil(begunAt + 10_999);
    expect(channel.store.lock().turnId).toBe("1");
    await alarmUntil(begunAt + 11_000);
    expect(channel.store.lock().turnId).toBe(null);
    await channel.clock.advance(10_000);
    expect(channel.store.turn("1")).toMatchObject({ state: "finished", status: "stopped_by_user" });
    channel.submit({ trigger: asked("2", "8") });
    await channel.clock.advance(0);
    expect(channel.answer(said("Here."))).toBe(true);
  });

  it("is removed ten seconds after its deadline, with no alarm within a second of another", async () => {
    const { channel, alarmUntil, begunAt } = place(() => NEVER);
    channel.submit({ trigger: asked("1", "7") });
    await channel.clock.advance(0);
    const alarms = await alarmUntil(begunAt + 71_000);
    const gaps = alarms.slice(1).map((at, index) => at - (alarms[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
    await channel.clock.advance(10_000);
    expect(channel.store.turn("1")).toMatchObject({ state: "finished", status: "timeout" });
  });

  it("changes nothing when it continues later", async () => {
    let comeBack = () => {};
    const late = new Promise<typeof empty>((resolve) => {
      comeBack = () => resolve(empty);
    });
    const { channel, alarmUntil, begunAt } = place(() => late);
    channel.submit({ trigger: asked("1", "7") });
    await channel.clock.advance(1000);
    channel.stop(stop("stop"));
    await alarmUntil(begunAt + 12_000);
    await channel.clock.advance(10_000);
    const ended = channel.store.turn("1");
    comeBack();
    await channel.clock.advance(10_000);
    expect(channel.store.turn("1")).toEqual(ended);
    expect(channel.requests).toEqual([]);
  });
});
