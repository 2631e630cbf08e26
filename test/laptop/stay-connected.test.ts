// How long `npm start` with a bot's token stays with one runtime, and what it prints in the meantime.
import { describe, expect, it } from "vitest";
import { laptopEnd, laptopFaults } from "../../src/core/copy/laptop.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { watchClock } from "../../src/laptop/clock-watch.ts";
import { type StayEnd, stayConnected } from "../../src/laptop/stay-connected.ts";

const MINUTE_MS = 60_000;

/** Stays connected while the runtime reports these statuses, one at each look. `after`: what happens in the pause before each look. */
async function stay(
  statuses: readonly GatewayStatus[],
  after: Readonly<Record<number, "clock" | "signal" | "end">> = {},
): Promise<{ end: StayEnd; told: string[]; looks: number }> {
  const told: string[] = [];
  const stopping = new AbortController();
  let looks = 0;
  let endRuntime = () => {};
  const ended = new Promise<void>((resolve) => {
    endRuntime = resolve;
  });
  const look = async () => statuses[Math.min(looks++, statuses.length - 1)] ?? null;
  const end = await stayConnected(
    { ended, connect: look, status: look, wake: look },
    {
      tell: (line) => void told.push(line),
      hasMoved: () => after[looks] === "clock",
      async sleep() {
        if (after[looks] === "signal") stopping.abort();
        if (after[looks] === "end") endRuntime();
      },
      signal: stopping.signal,
    },
  );
  return { end, told, looks };
}

describe("a bot on a laptop", () => {
  it("starts again if the clock has moved, because the runtime's alarms would come late by as much", async () => {
    expect(await stay(["connected"], { 3: "clock" })).toEqual({
      end: { kind: "clock" },
      told: ["Connected to Discord.", laptopEnd.clockMoved],
      looks: 3,
    });
  });

  it("reports each change once, and ends with the signal, even if the clock has moved", async () => {
    const { end, told } = await stay(["connected", "connected", "resuming", "connected"], { 4: "signal" });
    expect([end, told]).toEqual([
      { kind: "signal" },
      ["Connected to Discord.", "The connection to Discord was lost. Reconnecting.", "Connected to Discord."],
    ]);
  });

  it("ends with a refusal by Discord, and with the runtime's own end", async () => {
    const { end } = await stay(["connected", { refused: "bad_token" }]);
    expect(end).toEqual({ kind: "fault", fault: expect.stringContaining("token") });
    expect((await stay(["connected"], { 2: "end" })).end).toEqual({ kind: "fault", fault: laptopFaults.ended });
  });
});

describe("a clock", () => {
  it.each([
    ["goes as the timers do", 10 * MINUTE_MS, 10 * MINUTE_MS, false],
    ["was corrected by a little", MINUTE_MS, 1, false],
    ["was ahead of them by a minute: the computer slept", MINUTE_MS, 0, true],
    ["was set back", -MINUTE_MS, 0, true],
  ])("that %s", (_, byClock, byTimers, isMoved) => {
    let [clock, timers] = [1_000_000, 500];
    const hasMoved = watchClock(
      () => clock,
      () => timers,
    );
    clock += byClock;
    timers += byTimers;
    expect([hasMoved(), hasMoved()]).toEqual([isMoved, false]);
    clock -= 2 * MINUTE_MS;
    expect(hasMoved()).toBe(true);
  });
});
