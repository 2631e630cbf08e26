// An answer that Discord doesn't take for a long time, because it doesn't accept the bot's token, is kept no longer than its person and the
// channel wish.
import { expect, it } from "vitest";
import { forgetPerson, resetConversation } from "../../../durable-objects/upkeep/forget.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { BOT } from "../../support/message-harness.ts";
import { createOutageHarness, type OutageHarness, renew } from "../../support/outage-harness.ts";

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

async function unshown(settings: Record<string, string> = {}) {
  const harness = await createOutageHarness({ settings });
  harness.become("refuses");
  harness.write(PEOPLE.mira, `${BOT} hello`);
  await harness.pass(HOUR_MS);
  return harness;
}

/** The object in its current life. */
function channelOf({ world }: OutageHarness) {
  if (!world.life) throw new Error("no life runs");
  return world.life.channel;
}

const words = ({ world }: OutageHarness) =>
  ["turns", "messages"]
    .map((table) => JSON.stringify(world.database.sql.exec(`SELECT * FROM ${table}`).toArray()))
    .join(" ");

it.each<[string, (harness: OutageHarness) => unknown]>([
  ["its person is forgotten", (harness) => forgetPerson(channelOf(harness), PEOPLE.mira).messages],
  ["the conversation is reset", (harness) => resetConversation(channelOf(harness))],
])("is forgotten at once and never shown if %s", async (_, forget) => {
  const harness = await unshown();
  expect([words(harness).includes("Hello there."), forget(harness)]).toEqual([true, 2]);
  await harness.pass(1000);
  expect(["Hello there.", "hello"].filter((word) => words(harness).includes(word))).toEqual([]);
  renew(harness);
  await harness.pass(DAY_MS / 2);
  expect([harness.reads(), words(harness).includes("closing")]).toEqual([[], false]);
});

it("of a reminder comes even if the conversation was reset, because reminders are kept", async () => {
  // In a direct message Discord is not asked before the model, so the object does not know about the outage by then.
  const harness = await createOutageHarness({ channelId: PLACES.dmOfMira });
  await harness.chat(PEOPLE.mira, "hello");
  harness.remind("milk", HOUR_MS);
  harness.become("refuses");
  await harness.pass(2 * HOUR_MS);
  resetConversation(channelOf(harness));
  renew(harness);
  await harness.pass(DAY_MS / 2);
  expect(harness.reads(PEOPLE.mira).filter((said) => said.includes("⏰"))).toHaveLength(1);
});

it("is deleted with everything of the same age, and nothing is tried any more", async () => {
  const harness = await unshown({ keep_days: "1" });
  await harness.pass(DAY_MS);
  expect(words(harness)).toBe("[] []");
  const tries = harness.failed.length;
  await harness.pass(DAY_MS);
  // A setting is left, so the object rarely asks whether its channel still exists.
  expect(harness.failed.length).toBe(tries + 1);
  renew(harness);
  await harness.pass(HOUR_MS);
  expect(harness.reads()).toEqual([]);
});

it("of a persona comes even if its person was forgotten, because its header is shown and would keep Stop", async () => {
  const harness = await createOutageHarness();
  await harness.use(PEOPLE.juno, "persona create", { name: "Rex", prompt: "Be brief." });
  await harness.use(PEOPLE.juno, "persona use", { name: "Rex" });
  harness.become("refuses");
  await harness.use(PEOPLE.mira, "chat", { message: "hello" });
  await harness.pass(HOUR_MS);
  expect(harness.reads()).toEqual(["-# Scene: Rex [Stop]"]);
  forgetPerson(channelOf(harness), PEOPLE.mira);
  renew(harness);
  await harness.pass(DAY_MS / 2);
  expect(harness.reads()).toEqual(["-# Scene: Rex", expect.stringContaining("Hello there.")]);
  expect(["Hello there.", "hello"].filter((word) => words(harness).includes(word))).toEqual([]);
});
