// `/bot status` while Discord does not take an answer: it says whose, and why if that is known.
import { expect, it } from "vitest";
import { readStatus } from "../../../durable-objects/seldom/reports.ts";
import { statusText } from "../../../src/core/copy/status.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT } from "../../support/message-harness.ts";
import { createOutageHarness, type Outage, renew } from "../../support/outage-harness.ts";

const MINUTE_MS = 60_000;
const IDLE = ["Nothing is running.", "No one is waiting."];
const UNSHOWN = `Answered, but not shown yet: <@${PEOPLE.mira}>.`;

it.each<[Outage, string[]]>([
  [
    "refuses",
    ["Discord doesn't accept my token, so I can only answer commands and buttons. My owner must set the current one."],
  ],
  ["failing", []],
])("says whose answer is not shown if Discord %s", async (outage, why) => {
  const harness = await createOutageHarness();
  const status = () => {
    const { life } = harness.world;
    return life ? statusText(readStatus(life.channel, PEOPLE.mira)).split("\n") : [];
  };
  harness.become(outage);
  harness.write(PEOPLE.mira, `${BOT} hello`);
  await harness.pass(MINUTE_MS / 2);
  expect(status()).toEqual([...IDLE, ...why]);
  await harness.pass(MINUTE_MS);
  expect(status()).toEqual([...IDLE, UNSHOWN, ...why]);
  renew(harness);
  await harness.pass(10 * MINUTE_MS);
  expect([harness.reads().length, status()]).toEqual([1, IDLE]);
});
