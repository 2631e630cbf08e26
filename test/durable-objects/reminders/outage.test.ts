// Reminders that come due while Discord can't be reached for hours: they come once when it can be reached, whatever Discord has done meanwhile
// without confirming it.
import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createOutageHarness, type Outage } from "../../support/outage-harness.ts";

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const TEA = `there.\n\n-# ⏰ Reminder for <@${PEOPLE.mira}>, due`;

/** Makes a channel in which Mira has asked something, with reminders that are due in an hour. */
async function withReminders(...texts: string[]) {
  const harness = await createOutageHarness();
  await harness.chat(PEOPLE.mira, "Hello?");
  for (const text of texts) harness.remind(text, HOUR_MS);
  await harness.pass(HOUR_MS - MINUTE_MS);
  return harness;
}

it.each<[Outage, "lives on" | "dies"]>([
  ["failing", "lives on"],
  ["down", "dies"],
])("comes once after three hours in which Discord is %s, and the object %s", async (outage, fate) => {
  const harness = await withReminders("tea");
  const { world } = harness;
  harness.become(outage);
  await harness.pass(3 * HOUR_MS + MINUTE_MS);
  expect([harness.reads().length, world.requests.length]).toEqual([1, 2]);
  // Once every 7.5 s, at the alarm after each wait.
  expect(harness.failed.length).toBe(1447);
  harness.become("up");
  if (fate === "dies") world.restart();
  await harness.pass(HOUR_MS);
  const [, reminder, ...more] = harness.reads();
  expect([reminder, more, world.requests.length]).toEqual([expect.stringContaining(TEA), [], 2]);
  expect(reminder).toContain(": tea");
});

it.each([["lives on"], ["dies"]])(
  "comes once if Discord has made the message but never confirmed it, and the object %s",
  async (fate) => {
    const harness = await withReminders("tea");
    const { world } = harness;
    harness.become("loses");
    await harness.pass(MINUTE_MS + 5000);
    expect(harness.reads().length).toBe(2);
    harness.become("down");
    await harness.pass(HOUR_MS);
    harness.become("up");
    if (fate === "dies") world.restart();
    await harness.pass(HOUR_MS);
    expect(harness.reads().slice(1)).toEqual([expect.stringContaining(TEA)]);
  },
);

it.each([["lives on"], ["dies"]])("comes once even if it takes several messages, and the object %s", async (fate) => {
  const words = Array.from({ length: 700 }, (_, number) => `word ${number}`).join(" ");
  const harness = await createOutageHarness({ answerTo: () => ({ texts: [words] }) });
  const { world } = harness;
  await harness.chat(PEOPLE.mira, "Hello?");
  harness.remind("tea", HOUR_MS);
  await harness.pass(HOUR_MS - MINUTE_MS);
  const before = harness.reads().length;
  // The first try has no effect; the second one has the answer's beginning.
  harness.become("down");
  await harness.pass(MINUTE_MS + 2500);
  harness.become("loses");
  await harness.pass(5000);
  expect(harness.reads().length).toBe(before + 1);
  harness.become("down");
  await harness.pass(HOUR_MS);
  harness.become("up");
  if (fate === "dies") world.restart();
  await harness.pass(HOUR_MS);
  const came = harness.reads().slice(before).join(" ").replace(/\s+/g, " ");
  expect([came.split("word 0 ").length, came.includes("[Stop]"), came.startsWith(words)]).toEqual([2, false, true]);
});

it("both of two due at once come, although Discord has made the message of the first", async () => {
  const harness = await withReminders("tea", "cake");
  harness.become("loses");
  await harness.pass(MINUTE_MS + 2500);
  harness.become("down");
  await harness.pass(HOUR_MS);
  harness.become("up");
  await harness.pass(HOUR_MS);
  const came = harness
    .reads()
    .slice(1)
    .map((text) => text.split(": ").at(-1));
  expect(came.sort()).toEqual(["cake", "tea"]);
});
