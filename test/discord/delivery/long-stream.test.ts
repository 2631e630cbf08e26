// One minute of streaming, counted: how many requests it takes, and that the pace is kept from the first token to the last
// word.
import { expect, it } from "vitest";
import { EDIT_GAP_MS, FIRST_EDIT_GRACE_MS } from "../../../src/core/limits.ts";
import { delivery } from "../../support/pump-harness.ts";

const SECONDS = 60;
const CHARACTERS = 6000;
const STEP_MS = 50;

it("60 seconds and 6,000 characters take exactly 55 requests, the first at the end of the grace period", async () => {
  const reply = await delivery();
  const sentence = "The parrot said nothing new, and said it well. ";
  const text = sentence.repeat(Math.ceil(CHARACTERS / sentence.length)).slice(0, CHARACTERS);
  const steps = (SECONDS * 1000) / STEP_MS;
  for (let step = 1; step <= steps; step++) {
    reply.show(text.slice(0, Math.ceil((CHARACTERS * step) / steps)));
    await reply.clock.advance(STEP_MS);
  }
  expect(await reply.finish(text)).toEqual({ ok: true });
  const times = reply.discord.log.map(({ at }) => at);
  const edits = reply.discord.log.filter(({ method }) => method === "PATCH").map(({ at }) => at);
  expect([reply.discord.log.length, edits.length]).toEqual([55, 52]);
  expect((times[0] ?? 0) - Date.UTC(2030, 0, 1)).toBe(FIRST_EDIT_GRACE_MS);
  for (const [index, at] of edits.slice(1).entries())
    expect(at - (edits[index] ?? 0)).toBeGreaterThanOrEqual(EDIT_GAP_MS);
  expect(reply.reads().join("")).toBe(text);
  expect(reply.discord.log.filter(({ status }) => status === 429)).toEqual([]);
});
