// A life of the object that can't open its channel answers every event with the reason, and keeps its alarm.
import { describe, expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import { Opening } from "../../../durable-objects/operations/opening.ts";
import { AlarmClock } from "../../../durable-objects/schedule/alarm.ts";
import { migrations } from "../../../durable-objects/store/migrations.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const MINUTE_MS = 60_000;

/** Makes a life whose channel is opened by `open`. */
function life(open: () => ChannelPorts) {
  const alarms: number[] = [];
  const logged: string[] = [];
  const opening = new Opening(open, {
    setAlarm: async (at) => void alarms.push(at),
    clock: () => 0,
    logError: (line, { error }) => logged.push(`${line}: ${String(error).split("\n")[0]}`),
  });
  return { opening, alarms, logged };
}

describe("a channel that can't be opened", () => {
  it("rejects every event with the reason, logs it, and re-arms its alarm in minutes", async () => {
    const { opening, alarms, logged } = life(() => {
      throw new Error("not configured: OPENAI_API_KEY is missing");
    });
    expect(() => opening.channel).toThrow("this channel can't be opened: not configured: OPENAI_API_KEY is missing");
    for (let alarm = 0; alarm < 6; alarm++) await opening.alarm();
    expect(alarms.map((at) => at / MINUTE_MS)).toEqual([1, 2, 4, 8, 10, 10]);
    expect(new Set(logged)).toEqual(
      new Set(["the channel can't be opened: Error: not configured: OPENAI_API_KEY is missing"]),
    );
  });

  it("because an older program meets newer rows says so", () => {
    const database = nodeSqlite();
    openSqliteStore(database);
    database.sql.exec("UPDATE schema SET version = ?", migrations.length + 1);
    const { opening } = life(() => ({ store: openSqliteStore(database) }) as unknown as ChannelPorts);
    expect(() => opening.channel).toThrow(/can't be opened: .*newer/);
  });

  it("opens at the first event at which it can", () => {
    let tries = 0;
    const ports = { store: openSqliteStore(nodeSqlite()), clock: () => 0 } as unknown as ChannelPorts;
    const { opening } = life(() => {
      if (++tries < 3) throw new Error("disk I/O error");
      return ports;
    });
    expect(() => opening.channel).toThrow("disk I/O error");
    const { channel } = opening;
    expect(channel.ports).toBe(ports);
    expect([opening.channel, tries]).toEqual([channel, 3]);
  });
});

describe("an alarm after which no other can be set, because the day's allowance is used up", () => {
  it.each([
    ["throws", () => explode()],
    ["rejects", () => Promise.reject(new Error(USED_UP))],
  ])("and the storage %s, is left to the platform, which repeats it", async (_how, setAlarm) => {
    const { opening, told } = ringing(setAlarm);
    await expect(opening.alarm()).rejects.toThrow(USED_UP);
    expect(told).toEqual([0]);
  });

  it("ends normally once another could be set", async () => {
    const { opening, told } = ringing(async () => {});
    await opening.alarm();
    expect(told).toEqual([]);
  });
});

const USED_UP = "Exceeded allowed rows written in Durable Objects free tier.";

function explode(): never {
  throw new Error(USED_UP);
}

/** Makes a life that waits for a reminder. `told`: the failures in a row before each failure of the alarm. */
function ringing(setAlarm: () => Promise<void>) {
  const told: number[] = [];
  const ports = {
    store: openSqliteStore(nodeSqlite()),
    alarm: new AlarmClock(
      { setAlarm, deleteAlarm: setAlarm },
      () => 0,
      (_error, _again, failures) => told.push(failures),
    ),
    ...{ clock: () => 0, reminders: { nextDueAt: () => MINUTE_MS }, timers: { runDue() {} }, instance: "life" },
    requests: { wantedAt: null, begin() {} },
  };
  return { ...life(() => ports as unknown as ChannelPorts), told };
}
