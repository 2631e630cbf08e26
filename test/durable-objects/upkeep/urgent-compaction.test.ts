// A window that is nearly full: the summary is made in parallel with the turns, however fast they come, so that nothing drops out unsummarized.
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../src/turn/ports.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, LONG, says } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { carriesFacts, isForSummary, isForTurn, textOf } from "../../support/summaries.ts";

/** This many turns of a thousand tokens leave less than a tenth of the window. */
const TURNS_UNTIL_FULL = 15;

const summaries = (c: ChannelHarness) => c.requests.filter(isForSummary);

/** Makes a channel in which the next question waits before the last one is answered, so that it is never idle. */
function busyChannel() {
  const c = createChannelHarness({ database: nodeSqlite() });
  c.store.putSetting("follow_up", "queue");
  c.store.putSetting("turns_per_minute", "0");
  let asked = 0;
  const ask = () => {
    const text = `FACT f${++asked} ${LONG}`;
    c.submit({ trigger: { ...testRequest(String(asked)), receivedAt: c.clock.now(), text } });
  };
  ask();
  return {
    c,
    /** Gives this many more answers, each followed by the next question. */
    async answers(count: number) {
      for (let n = 0; n < count; n++) {
        await c.clock.advance(10);
        ask();
        expect(c.answer(says(`Answer. ${LONG}`), isForTurn)).toBe(true);
        await c.clock.advance(10);
      }
    },
  };
}

describe("the summary of a channel that is never idle", () => {
  it("waits while there is room, and is then made while a turn is answered, which does not wait", async () => {
    const { c, answers } = busyChannel();
    await answers(TURNS_UNTIL_FULL - 1);
    c.runAlarm();
    await c.clock.advance(10);
    expect([c.store.lock().compaction, summaries(c)]).toEqual([{ at: expect.any(Number), failures: 0 }, []]);
    await answers(1);
    await alarm(c);
    expect([c.streams(), summaries(c).length]).toEqual([2, 1]);
    await answers(2);
    expect([c.streams(), summaries(c).length, c.store.summary()]).toEqual([2, 1, null]);
    c.answer(says("About: the harbour."), isForSummary);
    await c.clock.advance(10);
    expect(c.store.summary()).toMatchObject({ text: "About: the harbour.", messages: 18 });
    await answers(1);
    const next = c.requests.findLast(isForTurn) as ModelRequest;
    expect(next.messages[0]?.text).toContain("About: the harbour.");
    expect(c.errors).toEqual([]);
  });

  it("keeps what drops out of the window of sixty turns", async () => {
    const { c, answers } = busyChannel();
    for (let turn = 0; turn < 60; turn++) {
      await answers(1);
      if ((c.alarmAt() ?? Number.POSITIVE_INFINITY) <= c.clock.now()) c.runAlarm();
      await c.clock.advance(10);
      const asked = summaries(c).at(-1);
      if (asked) c.answer(says(carriesFacts(asked)), isForSummary);
      await c.clock.advance(10);
    }
    const said = textOf(c.requests.findLast(isForTurn) as ModelRequest);
    const lost = Array.from({ length: 60 }, (_, n) => `FACT f${n + 1}`).filter((fact) => !said.includes(fact));
    expect([lost, c.errors]).toEqual([[], []]);
    expect(summaries(c).length).toBeLessThan(10);
  });

  it("is used even if an answer is regenerated meanwhile, which replaces the old one", async () => {
    const { c, answers } = busyChannel();
    await answers(TURNS_UNTIL_FULL);
    await alarm(c);
    const turnId = String(TURNS_UNTIL_FULL);
    const submission = { trigger: { ...testRequest("900"), receivedAt: c.clock.now() } };
    expect(c.again({ turnId, replaces: true, submission })).toEqual({ kind: "accepted" });
    for (const words of ["Another question's.", "A better one."]) {
      expect(c.answer(says(words), isForTurn)).toBe(true);
      await c.clock.advance(10);
    }
    expect([c.store.turn("900")?.status, c.streams(), c.store.summary()]).toEqual(["completed", 1, null]);
    c.answer(says("About: the harbour."), isForSummary);
    await c.clock.advance(5000);
    expect(c.store.summary()).toMatchObject({ text: "About: the harbour.", messages: 18 });
    const kept = c.store.messagesBefore("", 9, null).filter(({ turnId: id }) => id === "900" || id === turnId);
    expect(kept.map(({ turnId: id, text }) => [id, text.split(" ", 2).join(" ")])).toEqual([
      ["900", `FACT f${TURNS_UNTIL_FULL}`],
      ["900", "A better"],
    ]);
    expect([c.store.turn(turnId)?.request.text, c.errors]).toEqual(["", []]);
  });

  it("is still given up when something is forgotten", async () => {
    const { c, answers } = busyChannel();
    await answers(TURNS_UNTIL_FULL);
    await alarm(c);
    c.reset();
    await c.clock.advance(10);
    expect(c.answer(says("About: the harbour."), isForSummary)).toBe(false);
    expect([c.store.summary(), c.store.lock().compaction]).toEqual([null, undefined]);
  });

  it("is tried again a minute later if its life ended, and counts once", async () => {
    const { c, answers } = busyChannel();
    await answers(TURNS_UNTIL_FULL);
    await alarm(c);
    c.crash();
    await c.clock.advance(10_000);
    c.runAlarm();
    await c.clock.advance(10);
    expect(c.store.lock().compaction).toMatchObject({ failures: 1 });
    expect(c.store.lock().compaction).not.toHaveProperty("call");
    await answers(2);
    await c.clock.advance(60_000);
    await alarm(c, 10_000);
    expect(summaries(c)).toHaveLength(2);
  });
});
