// A reminder whose channel keeps the bot out comes as a direct message. If Discord can't take it at that moment, it is tried again until
// Discord has taken or refused it. So is a reminder in a direct message, which may be open to the bot again.
import { expect, it } from "vitest";
import { forgetPerson } from "../../../durable-objects/upkeep/forget.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createOutageHarness, type Outage, type OutageHarness, renew } from "../../support/outage-harness.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** Sets a reminder for Mira that is due in a minute, in a channel that keeps the bot out from now on. */
async function closedChannel(channelId: string = PLACES.general): Promise<OutageHarness> {
  const harness = await createOutageHarness({ channelId });
  const { world } = harness;
  await harness.chat(PEOPLE.mira, "Hello?");
  harness.remind("tea", HOUR_MS);
  await harness.pass(HOUR_MS - MINUTE_MS);
  const { store } = world.life?.channel.ports ?? expect.fail("nothing lives");
  store.saveLock({ ...store.lock(), refusedAt: world.now() });
  harness.requests();
  return harness;
}
/** When the reminder came, in minutes after it was due, and how often a model was asked. */
const came = (harness: OutageHarness) => [
  harness
    .requests()
    .filter((line) => line.includes("Reminder for"))
    .map((line) => Math.round(Number(line.split(" ")[0]) / 60) - 60),
  harness.world.requests.length - 1,
];

it.each<[Outage, number]>([
  ["up", 0],
  ["refuses", 5],
  ["failing", 40],
])("comes if Discord %s when it is due", async (outage, tries) => {
  const harness = await closedChannel();
  harness.become(outage);
  await harness.pass(HOUR_MS);
  expect(harness.failed.length).toBe(tries);
  renew(harness);
  await harness.pass(DAY_MS);
  expect(came(harness)).toEqual([[tries === 0 ? 0 : 80], 0]);
});

it("comes after a death before it was sent", async () => {
  const harness = await closedChannel();
  harness.become("failing");
  await harness.pass(MINUTE_MS + 5000);
  expect(harness.failed.length).toBe(1);
  renew(harness);
  await harness.pass(DAY_MS);
  expect(came(harness)).toEqual([[5], 0]);
});

it("waits for a token if there is none", async () => {
  const harness = await closedChannel();
  const { world } = harness;
  delete world.variables.DISCORD_BOT_TOKEN;
  world.restart();
  await harness.pass(5 * HOUR_MS);
  expect(harness.requests()).toEqual([]);
  world.variables.DISCORD_BOT_TOKEN = APPLICATION.botToken;
  world.restart();
  await harness.pass(DAY_MS);
  expect(came(harness)).toEqual([[320], 0]);
});

it("ends if its person accepts no direct messages, or has asked to be forgotten meanwhile", async () => {
  const harness = await closedChannel();
  const { discord } = harness.world;
  discord.failNext(9, Response.json({ code: 50_007 }, { status: 403 }), ({ path }) => path.includes("@me"));
  await harness.pass(DAY_MS);
  expect(harness.requests().length).toBe(1);

  const other = await closedChannel();
  other.become("refuses");
  await other.pass(HOUR_MS);
  other.become("up");
  forgetPerson(other.world.life?.channel ?? expect.fail("nothing lives"), PEOPLE.mira);
  await other.pass(DAY_MS);
  expect(came(other)).toEqual([[], 0]);
});

it("comes in a direct message that was closed to the bot before, with only its words", async () => {
  const harness = await closedChannel(PLACES.dmOfMira);
  await harness.pass(HOUR_MS);
  expect(harness.reads(PEOPLE.mira).slice(1)).toEqual([expect.stringMatching(/^-# ⏰ Reminder for .*: tea$/)]);
  expect([harness.world.requests.length, harness.world.hasWork()]).toEqual([1, false]);
});
