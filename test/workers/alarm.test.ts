// The alarm alone: with every in-memory timer disabled, it still warns, ends what is overdue and starts waiting turns.
import { describe, expect, it, vi } from "vitest";
import { testRequest } from "../support/store-contract.ts";
import type { ChannelObject } from "../support/worker.ts";
import { THEO, UNTIL_RELEASED, type WorkerdHarness } from "../support/workerd-harness.ts";
import { alarmAt, call, crash, inside, quiet, runAlarm, text, until, world } from "./arrange.ts";

const DAY_MS = 86_400_000;
type Asked = InstanceType<typeof ChannelObject>;
const hang = { chunks: [{ text: "half" }, { hang: true as const }] };

/** Runs alarms, a second of the channel's time apart, until the condition is true; the object can act on each. */
async function alarmUntil(w: WorkerdHarness, what: string, condition: () => boolean): Promise<void> {
  for (let alarms = 0; alarms < 200 && !condition(); alarms++) {
    w.time.jump(1000);
    await runAlarm(w);
    await vi.waitUntil(condition, { interval: 1, timeout: 20 }).catch(() => {});
  }
  await until(what, condition);
}

/** Enough calls for the soft warning. */
const manyCalls = Array.from({ length: 20 }, (_, round) => call("read", { note: `${round}` }));

/** What is stored about the running turn's warning. */
const warning = (w: WorkerdHarness) =>
  inside(w, ({ channel }) => {
    const { softWarnAt = null, warnedAt = null } = channel.ports.store.state().running ?? {};
    return { isDue: softWarnAt !== null && softWarnAt <= channel.ports.clock(), isGiven: warnedAt !== null };
  });

describe("the alarm alone, without timers", () => {
  it("ends an overdue tool and reports it to the model", async () => {
    const w = world({ withoutTimers: true });
    w.model.script([call("slow"), text("It did not work.")]);
    await w.say(THEO, "go");
    await until("the tool", () => w.model.log.length === 1);
    await until("the launch", () =>
      inside(w, ({ channel }) => channel.ports.store.state().running?.currentToolCall?.name === "slow"),
    );
    w.time.jump(300_001);
    await alarmUntil(w, "the next model call", () => w.model.log.length === 2);
    expect(w.lastRequest().at(-1)).toContain("timed out after 300 s");
    await alarmUntil(w, "the answer", () => w.answers()[0] === "It did not work.");
  });

  it("ends an overdue turn with the text so far", async () => {
    const w = world({ withoutTimers: true, config: { turnDeadlineMs: 100_000 } });
    w.model.script([hang]);
    await w.say(THEO, "go");
    await until("the model", () => w.model.log.length === 1);
    await alarmUntil(w, "the text", () => w.answers()[0]?.startsWith("half") ?? false);
    w.time.jump(100_000);
    await alarmUntil(w, "the ending", () => w.answers()[0]?.includes("ran out of time") ?? false);
    expect(w.model.log[0]?.aborted).toBe(true);
    expect(w.answers()[0]).toMatch(/^half\n\n-# ⚠️/);
  });

  it("ends a stream at its idle timeout", async () => {
    const w = world({ withoutTimers: true });
    w.model.script([hang]);
    await w.say(THEO, "go");
    await until("the model", () => w.model.log.length === 1);
    await alarmUntil(w, "the text", () => w.answers()[0]?.startsWith("half") ?? false);
    w.time.jump(120_001);
    await alarmUntil(w, "the ending", () => w.answers()[0]?.includes("stopped responding") ?? false);
  });

  it("posts the warning at iteration 20, once, and removes it at the end", async () => {
    const w = world({ withoutTimers: true, config: { maxIterations: 40 } });
    w.model.script([...manyCalls, { chunks: [UNTIL_RELEASED, { text: "there" }] }]);
    await w.say(THEO, "go");
    await until("iteration 20", () => w.model.log.length === 21);
    expect(await warning(w)).toEqual({ isDue: true, isGiven: false });
    // The warning is due now, so the loop has moved the alarm to now instead of leaving it to the next heartbeat.
    const wakesAt = await inside(w, async (_object, { storage }) => (await storage.getAlarm()) ?? 0);
    expect(wakesAt).toBeLessThanOrEqual(w.time.now() + 1000);
    await alarmUntil(w, "the warning", () => w.answers()[0]?.includes("Still working") ?? false);
    for (let alarms = 0; alarms < 3; alarms++) await runAlarm(w);
    expect(w.answers()[0]?.match(/Still working/g)).toHaveLength(1);
    expect(await warning(w)).toMatchObject({ isGiven: true });
    w.release();
    await alarmUntil(w, "the answer", () => w.answers()[0] === "there");
    expect(w.discord.log.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("does not count a warning that nobody can see, and tries again a minute later", async () => {
    const w = world({ withoutTimers: true, config: { maxIterations: 40 } });
    await inside(w, ({ channel }) => channel.ports.store.putSetting("notices", "false"));
    w.model.script([...manyCalls, { chunks: [{ text: "there" }, { hang: true }] }]);
    await w.say(THEO, "go");
    await until("iteration 20", () => w.model.log.length === 21);
    await runAlarm(w);
    expect(await warning(w)).toEqual({ isDue: false, isGiven: false });
    w.time.jump(60_000);
    expect(await warning(w)).toEqual({ isDue: true, isGiven: false });
    await inside(w, ({ channel }) => channel.ports.store.putSetting("notices", null));
    await crash();
    w.model.script([{ chunks: [{ text: "there" }, { hang: true }] }]);
    await alarmUntil(w, "the warning", () => w.answers()[0]?.includes("Still working") ?? false);
    expect(await warning(w)).toMatchObject({ isGiven: true });
  });
});

describe("a heartbeat", () => {
  it("comes 7 s after the turn began and again after each beat, and none is left at the end", async () => {
    const w = world();
    w.model.script([hang]);
    const at = async () => (await alarmAt(w)) ?? 0;
    const { messageId = "" } = await w.say(THEO, "go");
    const first = await at();
    expect(first - w.time.now()).toBeLessThanOrEqual(7000);
    w.time.jump(7000);
    await runAlarm(w);
    expect((await at()) - first).toBeGreaterThanOrEqual(7000);
    await until("the text", () => w.answers()[0]?.startsWith("half") ?? false);
    await w.click(THEO, messageId, "Stop");
    await quiet(w);
    expect(await at()).toBe(0);
  });

  it("does nothing if it comes twice, too early or for an idle channel", async () => {
    const w = world();
    w.model.script([text("done")]);
    await w.say(THEO, "go");
    await quiet(w);
    const requests = w.discord.log.length;
    await inside(w, async (object) => {
      await object.alarm();
      await object.alarm();
    });
    expect(w.discord.log).toHaveLength(requests);
    expect(await alarmAt(w)).toBeNull();
  });
});

describe("housekeeping", () => {
  it("prunes old rows in batches, only when there are too many, and then leaves no alarm", async () => {
    const w = world();
    w.model.script([text("done"), text("done")]);
    await w.say(THEO, "go");
    await quiet(w);
    await inside(w, (_object, { storage }) => {
      const insert = "INSERT INTO messages (turn_id, role, text, details) VALUES ('old', 'user', 'old', '')";
      for (let row = 0; row < 1500; row++) storage.sql.exec(insert);
    });
    await w.say(THEO, "again");
    await quiet(w);
    const count = () =>
      inside(w, (_object, { storage }) => Number(storage.sql.exec("SELECT count(*) AS n FROM messages").one().n));
    const sizes = [await count()];
    for (let alarms = 0; alarms < 10 && (await alarmAt(w)) !== null && (await runAlarm(w)); alarms++) {
      w.time.jump(60_000);
      sizes.push(await count());
    }
    expect(sizes[0]).toBe(1504);
    expect(sizes.at(-1)).toBe(1000);
    for (const [index, size] of sizes.entries()) expect((sizes[index - 1] ?? size) - size).toBeLessThanOrEqual(200);
  });
});

describe("the alarm for what is too old", () => {
  const parent = { keep_days: "7" };
  const asked = { interactionId: "1180000000000009999", userId: THEO };
  it.each<[string, (object: Asked) => Promise<unknown>]>([
    ["/bot usage", (object) => object.usage(THEO, parent)],
    ["/persona list", (object) => object.personas(parent)],
    ["/persona use", (object) => object.changePersona({ action: "use", name: null }, parent)],
    ["/deliberate status", (object) => object.deliberate({ ...asked, change: null, parentSettings: parent })],
    ["/tools list", (object) => object.tools({ trigger: testRequest("1"), parentSettings: parent })],
  ])("is set to now if %s brings shorter keep_days from a thread's channel", async (_, ask) => {
    const w = world();
    w.model.script([text("done")]);
    await w.say(THEO, "go");
    await quiet(w);
    w.time.jump(10 * DAY_MS);
    const before = await inside(w, async (_object, { storage }) => storage.getAlarm());
    const after = await inside(w, async (object, { storage }) => {
      await ask(object);
      return storage.getAlarm();
    });
    expect([before, after].map((at) => (at ?? 0) > w.time.now() + DAY_MS)).toEqual([true, false]);
  });
});

describe("a death while the alarm's work is stored", () => {
  it("does no harm, because the next alarm does the work", async () => {
    const w = world();
    w.model.script([hang, text("half, and the rest")]);
    await w.say(THEO, "go");
    await until("the text", () => w.answers()[0]?.startsWith("half") ?? false);
    await crash();
    await runAlarm(w);
    await crash();
    w.model.script([text("half, and the rest")]);
    await runAlarm(w);
    await quiet(w);
    expect(w.answers()).toEqual(["half, and the rest"]);
  });
});
