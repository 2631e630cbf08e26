// The answer to a command, and a scene, if Discord can't be reached until long after the interaction's token has ended: the bot's own token then
// shows them, in the message that Discord made for them.
import { expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../../src/turn/ports.ts";
import { createOutageHarness, type Outage, type OutageHarness, renew } from "../../support/outage-harness.ts";

const HOUR_MS = 3_600_000;
const ATTACHED = "The full answer is in the attached file.";
const ANSWER = "> Hello?\nHello there.";

/** Mira asks, and for the next three hours Discord answers like this. */
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
  // One request at each heartbeat: after the token's end, the search for the message.
  expect([harness.failed.length, world.alarms.length]).toEqual([1542, 1542]);
  harness.become("up");
  if (fate === "dies") world.restart();
  await harness.pass(HOUR_MS);
  expect([harness.reads(), world.requests.length, world.hasWork()]).toEqual([[ANSWER], 1, false]);
});

it("is given up at the token's end if there is no bot that could show it", async () => {
  const harness = await askedBefore("down", { DISCORD_BOT_TOKEN: "" });
  expect(harness.world.hasWork()).toBe(false);
  expect(harness.world.logs.some(({ text }) => text.includes('"reason":"token_expired"'))).toBe(true);
});

it.each([["lives on"], ["dies"]])("a scene is there, its words with its header, when the object %s", async (fate) => {
  const harness = await createOutageHarness();
  const { world } = harness;
  for (const name of ["Rex", "Ada"]) await harness.use(PEOPLE.juno, "persona create", { name, prompt: "Be brief." });
  harness.become("failing");
  void harness.use(PEOPLE.mira, "scene", { prompt: "Talk.", personas: "Rex, Ada" });
  await harness.pass(3 * HOUR_MS);
  harness.become("up");
  if (fate === "dies") world.restart();
  await harness.pass(HOUR_MS);
  const lines = ["**Rex:** Hello there.", "", "**Ada:** Hello there.", "", "-# Scene: Rex, Ada", `-# ${ATTACHED}`];
  expect(harness.reads()).toEqual([lines.join("\n")]);
  expect([world.requests.length, world.hasWork()]).toEqual([2, false]);
});

it("is there soon after three hours in which Discord limited all requests, without trying the ended token", async () => {
  const harness = await askedBefore("limits");
  const { world } = harness;
  harness.become("up");
  harness.requests();
  await harness.pass(20 * 60_000);
  const invalid = harness.requests().filter((line) => line.endsWith("→ 50027"));
  expect([harness.reads(), invalid, world.hasWork()]).toEqual([[ANSWER], [], false]);
});

it("a scene's late speaker appears above the next one, which another life has taken over", async () => {
  const answerTo = ({ system }: ModelRequest) =>
    system.includes("as Bob") ? { texts: ["Bob ", "speaks."], pauseMs: 20_000 } : { texts: ["All is well."] };
  const harness = await createOutageHarness({ answerTo });
  for (const name of ["Cyd", "Ada", "Bob"])
    await harness.use(PEOPLE.juno, "persona create", { name, prompt: "Speak." });
  harness.become("loses");
  await harness.use(PEOPLE.juno, "scene", { personas: "Cyd,Ada,Bob", prompt: "Hello?" });
  await harness.pass(10_000);
  renew(harness);
  await harness.rest();
  expect(harness.reads().map((said) => said.split("\n")[0])).toEqual([
    "-# Scene: Cyd, Ada, Bob",
    "**Cyd:** All is well.",
    "All is well.",
    "Bob speaks.",
  ]);
});
