// The answer to a command, where Discord can't be reached until long after the interaction's token has ended: it is shown by the bot's own
// token then, in the message that Discord made for it.
import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createOutageHarness, type Outage, type OutageHarness } from "../../support/outage-harness.ts";

const HOUR_MS = 3_600_000;
const ANSWER = "> Hello?\nHello there.";

/** Mira asks, and for three hours from then on Discord answers so. */
async function askedBefore(outage: Outage, variables: Record<string, string> = {}): Promise<OutageHarness> {
  const harness = await createOutageHarness({ variables });
  const { world } = harness;
  harness.become(outage);
  const used = { kind: "command", as: PEOPLE.mira, channel: world.channelId, name: "chat" } as const;
  void world.during(world.discord.interact({ ...used, options: { message: "Hello?" } }));
  await harness.pass(3 * HOUR_MS);
  return harness;
}

it.each<[Outage, "lives on" | "dies"]>([
  ["failing", "lives on"],
  ["down", "dies"],
])("is there after three hours in which Discord is %s, and the object %s", async (outage, fate) => {
  const harness = await askedBefore(outage);
  const { world } = harness;
  expect(harness.reads()).toEqual([""]);
  // Two requests at each heartbeat after the token's end: does it take the token, and where is the message?
  expect([harness.failed.length, world.alarms.length]).toEqual([2956, 1542]);
  harness.become("up");
  if (fate === "dies") world.restart();
  await harness.pass(HOUR_MS);
  expect([harness.reads(), world.requests.length, world.hasWork()]).toEqual([[ANSWER], 1, false]);
});

it("is given up at the token's end, as before, where there is no bot that could show it", async () => {
  const harness = await askedBefore("down", { DISCORD_BOT_TOKEN: "" });
  expect(harness.world.hasWork()).toBe(false);
  expect(harness.world.logs.some(({ text }) => text.includes('"reason":"token_expired"'))).toBe(true);
});
