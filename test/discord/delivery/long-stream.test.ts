// Minutes of streaming, counted: how many requests they take, and that the pace is kept from the first token to the last word.
import { describe, expect, it } from "vitest";
import { EDIT_GAP_MS, FIRST_EDIT_CHARS, FIRST_EDIT_GRACE_MS, SHORT_EDIT_GRACE_MS } from "../../../src/core/limits.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";

const CHARACTERS = 6000;
const STEP_MS = 50;
const SENTENCE = "The parrot said nothing new, and said it well. ";
const TEXT = SENTENCE.repeat(Math.ceil(CHARACTERS / SENTENCE.length)).slice(0, CHARACTERS);

async function stream(reply: Delivery, seconds: number, text = TEXT): Promise<void> {
  const steps = (seconds * 1000) / STEP_MS;
  for (let step = 1; step <= steps; step++) {
    reply.show(text.slice(0, Math.ceil((text.length * step) / steps)));
    await reply.clock.advance(STEP_MS);
  }
}

const sentAt = ({ discord }: Delivery): number[] => discord.log.map(({ at }) => at);
const editedAt = ({ discord }: Delivery): number[] =>
  discord.log.filter(({ method }) => method === "PATCH").map(({ at }) => at);
const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, index) => at - (times[index] ?? 0));

// The object's heartbeats renew what an event may send, so the gaps stay the same on every plan.
it("60 seconds and 6,000 characters take exactly 55 requests, the first at the end of the grace period", async () => {
  const reply = await delivery();
  await stream(reply, 60);
  expect(await reply.finish(TEXT)).toEqual({ ok: true });
  expect([sentAt(reply).length, editedAt(reply).length]).toEqual([55, 52]);
  expect((sentAt(reply)[0] ?? 0) - Date.UTC(2030, 0, 1)).toBe(FIRST_EDIT_GRACE_MS);
  for (const gap of gaps(editedAt(reply))) expect(gap).toBeGreaterThanOrEqual(EDIT_GAP_MS);
  expect(reply.reads().join("")).toBe(TEXT);
  expect(reply.discord.log.filter(({ status }) => status === 429)).toEqual([]);
});

it.each([
  [FIRST_EDIT_CHARS - 1, FIRST_EDIT_GRACE_MS],
  [FIRST_EDIT_CHARS, SHORT_EDIT_GRACE_MS],
])("a first text of %i characters is shown after %i ms", async (chars, afterMs) => {
  const reply = await delivery();
  const from = reply.clock.now();
  reply.pump.show({ text: "a".repeat(chars), line: null });
  await reply.clock.advance(1000);
  expect(sentAt(reply).map((at) => at - from)).toEqual([afterMs]);
});

it("the first edit goes out as soon as a sentence has begun, and waits no longer than 150 ms", async () => {
  const quick = await delivery();
  const from = quick.clock.now();
  quick.pump.show({ text: "It", line: null });
  await quick.clock.advance(30);
  expect(sentAt(quick)).toEqual([]);
  quick.pump.show({ text: "It depends on the", line: null });
  await quick.clock.advance(20);
  expect(sentAt(quick).map((at) => at - from)).toEqual([SHORT_EDIT_GRACE_MS]);
  const slow = await delivery();
  slow.pump.show({ text: "It", line: null });
  await slow.clock.advance(FIRST_EDIT_GRACE_MS);
  expect(slow.reads()).toEqual(["It"]);
});

describe("an answer that streams while no event renews what may be sent", () => {
  it("is edited fifteen times every 1.2 s, fifteen times every 3 s, and then every 6 s", async () => {
    const reply = await delivery({}, [], { oneEvent: true });
    await stream(reply, 120, "A word. ".repeat(200));
    const between = gaps(editedAt(reply)).map((gap) => Math.round(gap / 600) * 600);
    const times = (count: number, gap: number) => Array<number>(count).fill(gap);
    expect(between).toEqual([...times(14, 1200), ...times(15, 3000), ...times(9, 6000)]);
  });

  it("takes exactly 34 requests for 60 seconds and 6,000 characters, and its end does not wait for the longer gap", async () => {
    const reply = await delivery({}, [], { oneEvent: true });
    await stream(reply, 60);
    const before = editedAt(reply).at(-1) ?? 0;
    expect(await reply.finish(TEXT)).toEqual({ ok: true });
    expect(sentAt(reply).length).toBe(34);
    expect((sentAt(reply).at(-1) ?? 0) - before).toBeLessThan(3 * EDIT_GAP_MS);
    expect(reply.reads().join("")).toBe(TEXT);
  });
});

describe("when everything an event may still send is reserved for endings", () => {
  it("a growing answer sends nothing, and continues when an event has renewed it", async () => {
    const reply = await delivery();
    reply.reserve(true);
    await stream(reply, 10);
    expect(sentAt(reply)).toEqual([]);
    reply.reserve(false);
    await stream(reply, 5);
    expect(editedAt(reply).length).toBe(4);
  });

  it("an ending is sent at once", async () => {
    const reply = await delivery();
    await stream(reply, 5, "A word. ".repeat(20));
    reply.reserve(true);
    expect(await reply.finish("A word and the last.")).toEqual({ ok: true });
    expect(reply.reads()).toEqual(["A word and the last."]);
  });

  it("a request for approval is sent at once too", async () => {
    const reply = await delivery();
    reply.reserve(true);
    const asked = reply.pump.ask({ text: "", line: "Delete it?", asks: true });
    await reply.clock.advance(FIRST_EDIT_GRACE_MS);
    await asked;
    expect(reply.reads()).toEqual(["Delete it?"]);
  });

  it("a request for a click that brings a new token is sent at once too", async () => {
    const reply = await delivery();
    await stream(reply, 5, "A word. ".repeat(20));
    const sent = sentAt(reply).length;
    reply.reserve(true);
    reply.pump.wait();
    await reply.clock.advance(2 * EDIT_GAP_MS);
    expect(sentAt(reply).length).toBeGreaterThan(sent);
    expect(reply.reads().join("")).toContain("Click Continue");
  });
});
