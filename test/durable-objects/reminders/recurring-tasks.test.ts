// Recurring reminders: each time once, whatever dies; silence when there is nothing to report; the pause after failures.
import { beforeEach, describe, expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { MAX_TASKS_PER_USER } from "../../../src/core/limits.ts";
import { readRule } from "../../../src/core/time/recurrence.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const HOUR_MS = 3_600_000;
const THEO = testRequest("1", "118000000000000010");
const MIRA = testRequest("2", "20");
const NO_KEY: ModelEvent[] = [{ kind: "failed", failure: { reason: "auth", message: "no key" } }];

let channel: ChannelHarness;
let start: number;
beforeEach(() => {
  channel = createChannelHarness();
  start = channel.clock.now();
});

function set(key = "k", text = "check the page", by = THEO) {
  const read = readRule("every hour", channel.clock.now(), "UTC");
  if (!read.ok) throw new Error(read.problem);
  const repeats = { rule: read.rule, every: "every hour" };
  return channel.remindersFor(by).set({ key, text, dueAt: channel.clock.now() + HOUR_MS, repeats });
}
const turns = () => {
  const { running, queue } = channel.store.state();
  return [...(running ? [running] : []), ...queue].map(({ id, state }) => `${state} ${id}`);
};
/** Runs the alarm as often as it is due by then. */
async function pass(until: number): Promise<void> {
  await channel.clock.advance(Math.max(0, until - channel.clock.now()));
  channel.runAlarm();
  await channel.drain();
}
async function answer(events: ModelEvent[]): Promise<void> {
  channel.answer(events);
  await channel.clock.advance(2000);
}
/** Lets the task come several times, each answered. */
async function come(...answers: ModelEvent[][]): Promise<void> {
  for (const events of answers) {
    await pass(channel.remindersFor(THEO).pending()[0]?.dueAt ?? 0);
    await answer(events);
  }
}
const next = () => channel.remindersFor(THEO).pending()[0]?.dueAt;
const posted = () => [...channel.shown().values()];
const line = (hour: number) =>
  `-# ⏰ Reminder for <@${THEO.userId}>, every hour, due <t:${(start + hour * HOUR_MS) / 1000}:R>: check the page`;
const PAUSED =
  "-# ⏸️ It failed three times in a row, so I paused it. Ask me to set it again, or end it with `/reminders cancel` and the number 1.";

describe("a recurring task", () => {
  it("comes at each of its times in a turn of its own, whose answer is posted when it is complete", async () => {
    set();
    for (const hour of [1, 2, 3]) {
      await pass(start + hour * HOUR_MS);
      expect(turns()).toEqual([`running r1-lfls-${((hour * HOUR_MS) / 60_000).toString(36)}`]);
      channel.stream([{ kind: "text", text: "The page" }]);
      await channel.clock.advance(5000);
      expect(posted().length).toBe(hour - 1);
      await answer([{ kind: "text", text: ` is ${hour}.` }, ...says("").slice(1)]);
      expect(posted().at(-1)).toBe(`The page is ${hour}.\n\n${line(hour)}`);
    }
    expect(next()).toBe(start + 4 * HOUR_MS);
  });

  it("gives the model its rule, and the way to say nothing", async () => {
    set();
    await pass(start + HOUR_MS);
    expect(channel.requests[0]?.messages.at(-1)?.text).toContain(
      `recurring task that ${THEO.userName} set on 1970-01-01 00:16 UTC and that is due now (every hour): "check the page". Remind ${THEO.userName} of it in one short sentence; if it asks you for something, do it now. If there is nothing to report, answer only NOTHING_TO_REPORT: it is not posted.)`,
    );
  });

  it("writes at each of its times as many rows as a reminder that comes once", async () => {
    const rowsOf = async (setOne: () => unknown) => {
      const database = nodeSqlite();
      channel = createChannelHarness({ database });
      setOne();
      const rows = () => Number(database.sql.exec("SELECT total_changes() AS rows").toArray()[0]?.rows);
      const before = rows();
      await come(says("Here."));
      await pass(channel.clock.now() + 60_000);
      return rows() - before;
    };
    const once = await rowsOf(() => channel.remindersFor(THEO).set({ key: "k", text: "tea", dueAt: start + HOUR_MS }));
    expect([once, await rowsOf(() => set())]).toEqual([once, once]);
    expect(once).toBeGreaterThan(5);
  });

  it("comes once for all the times that were missed, and continues with the next one", async () => {
    set();
    channel.crash();
    await pass(start + 5.5 * HOUR_MS);
    channel.crash();
    channel.runAlarm();
    await channel.drain();
    expect(turns()).toEqual(["running r1-lfls-1o"]);
    await answer(says("Here."));
    expect([posted().length, next()]).toEqual([1, start + 6 * HOUR_MS]);
  });

  it("skips a time while its last turn waits or runs", async () => {
    channel = createChannelHarness({ config: { turnDeadlineMs: 1e9, firstTokenTimeoutMs: 1e9 } });
    channel.submit({ trigger: MIRA });
    set();
    await pass(start + HOUR_MS);
    await pass(start + 2 * HOUR_MS);
    expect(channel.store.state().queue.map(({ id }) => id)).toEqual(["r1-lfls-1o"]);
  });

  it("does not come again for a time that passed while the end of its last turn was being sent", async () => {
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const answer = async () => {
      await sent;
      return { ok: true, message: { id: "1", content: "", ephemeral: false } } as const;
    };
    channel = createChannelHarness({ rest: () => ({ create: answer, edit: answer, remove: answer, read: answer }) });
    set();
    await pass(start + HOUR_MS);
    channel.answer(NO_KEY);
    await channel.drain();
    await pass(start + 2 * HOUR_MS);
    send();
    await channel.clock.advance(2000);
    expect([turns(), next()]).toEqual([[], start + 3 * HOUR_MS]);
  });

  it("ends when it is canceled, even while its turn runs", async () => {
    set();
    await pass(start + HOUR_MS);
    expect(channel.remindersFor(THEO).cancel(1)).toBe("cancelled");
    await answer(NO_KEY);
    expect([posted(), channel.alarmAt()]).toEqual([[line(1)], null]);
    set("another");
    await channel.clock.advance(60_000);
    channel.runAlarm();
    expect(channel.alarmAt()).toBe(next());
    channel.remindersFor(THEO).cancel(2);
    expect(channel.alarmAt()).toBeNull();
    expect(channel.remindersFor(THEO).pending()).toEqual([]);
  });

  it("is limited for each person, separately from their other reminders", () => {
    for (let n = 0; n < MAX_TASKS_PER_USER; n++) expect(set(`k${n}`).ok).toBe(true);
    expect(set("one more")).toEqual({ ok: false, full: "tasks", limit: MAX_TASKS_PER_USER });
    const once = { key: "once", text: "tea", dueAt: start + HOUR_MS };
    expect([set("mira's", "tea", MIRA).ok, channel.remindersFor(THEO).set(once).ok]).toEqual([true, true]);
  });
});

describe("a recurring task with nothing to report", () => {
  it.each(["NOTHING_TO_REPORT", "NOTHING_TO_REPORT.\n", "`NOTHING_TO_REPORT`", "**NOTHING_TO_REPORT** ✅"])(
    "posts nothing after %j, and the next question's request doesn't contain it",
    async (text) => {
      set();
      await come(says(text));
      expect([posted(), turns()]).toEqual([[], []]);
      channel.submit({ trigger: MIRA });
      await channel.drain();
      expect(channel.requests.at(-1)?.messages.map((message) => message.text)).toEqual([
        expect.stringContaining("text of 2"),
      ]);
    },
  );

  it.each([
    "Nothing to report.",
    "NOTHING_TO_REPORT today",
    "2 NOTHING_TO_REPORT",
    "NOTHING_TO_REPORTS",
    "没有 NOTHING_TO_REPORT",
  ])("posts %j, which says more", async (text) => {
    set();
    await come(says(text));
    expect(posted()).toEqual([`${text}\n\n${line(1)}`]);
  });

  it("posts what an ordinary reminder says", async () => {
    channel.remindersFor(THEO).set({ key: "k", text: "tea", dueAt: start + HOUR_MS });
    await come(says("NOTHING_TO_REPORT"));
    expect(posted().length).toBe(1);
  });
});

describe("a recurring task that fails", () => {
  it("pauses itself after three failures in a row and says so; it is listed and makes no alarm", async () => {
    set();
    await come(NO_KEY, NO_KEY, NO_KEY);
    expect(posted()).toEqual([line(1), line(2), `${line(3)}\n${PAUSED}`]);
    expect([channel.alarmAt(), channel.remindersFor(THEO).pending()]).toEqual([
      null,
      [expect.objectContaining({ number: 1, every: "every hour", isPaused: true })],
    ]);
    await pass(start + 9 * HOUR_MS);
    expect([turns(), channel.erased()]).toEqual([[], 0]);
  });

  it("starts counting again after an answer, and does not count what people stop", async () => {
    set();
    await come(NO_KEY, NO_KEY, says("Fine."), NO_KEY, NO_KEY);
    await pass(start + 6 * HOUR_MS);
    const { userId, userName } = THEO;
    channel.stop({ interactionId: "9", kind: "stop", turnId: null, userId, userName, moderator: true });
    await channel.clock.advance(2000);
    await come(says("Fine again."));
    expect(posted().filter((text) => text.includes("paused"))).toEqual([]);
    expect(next()).toBe(start + 8 * HOUR_MS);
  });

  it("is replaced when it is set again with the same words", async () => {
    set();
    await come(NO_KEY, NO_KEY, NO_KEY);
    set("other", "other words");
    set("again");
    expect(
      channel
        .remindersFor(THEO)
        .pending()
        .map(({ number, isPaused }) => [number, isPaused]),
    ).toEqual([
      [2, undefined],
      [3, undefined],
    ]);
  });

  it.each([0, 10, 1000])("counts each failure once if the object dies %d ms after it", async (ms) => {
    set();
    for (const hour of [1, 2, 3]) {
      expect(next()).toBe(start + hour * HOUR_MS);
      await pass(start + hour * HOUR_MS);
      channel.answer(NO_KEY);
      await channel.clock.advance(ms);
      channel.crash();
      for (let alarms = 0; alarms < 3; alarms++) {
        channel.runAlarm();
        channel.answer(NO_KEY);
        await channel.clock.advance(10_000);
      }
      expect(posted().at(-1)).toBe(hour < 3 ? line(hour) : `${line(3)}\n${PAUSED}`);
    }
  });

  it("does not count the times at which the owners have paused everything", async () => {
    const lease: LeaseAnswer = { kind: "refused", refusal: { reason: "paused" } };
    channel = createChannelHarness({ scope: openScopes({ lease: async () => lease }) });
    set();
    for (const hour of [1, 2, 3, 4]) await pass(start + hour * HOUR_MS);
    expect([posted(), channel.requests.length, next()]).toEqual([[], 0, start + 5 * HOUR_MS]);
  });

  it("silently counts the times at which its person may no longer ask, until it pauses", async () => {
    set();
    channel.store.putSetting("deny_users", THEO.userId);
    for (const hour of [1, 2, 3]) await pass(start + hour * HOUR_MS);
    expect([posted(), turns(), channel.requests.length, channel.alarmAt()]).toEqual([[], [], 0, null]);
  });
});
