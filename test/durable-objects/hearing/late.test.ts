// Questions that reach the channel long after they were asked, because the connection was lost and then delivers them all at once.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { connected } from "../../support/gateway-harness.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo } = PEOPLE;

/** Sends the same person's second and third question while the first is being answered. */
async function threeAsked(more: { isLate?: true }): Promise<MessageHarness> {
  const place = await createMessageHarness({ more, answerTo: () => ({ texts: ["Done."], firstMs: 2000 }) });
  for (const words of ["one", "two", "three"]) {
    place.write(theo, `${BOT} ${words}`);
    await place.pass(100);
  }
  await place.rest();
  return place;
}

const asked = ({ world }: MessageHarness) =>
  world.requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.text);

it("are all answered in order, where normally the newest would replace the others", async () => {
  const late = await threeAsked({ isLate: true });
  expect([late.reads(), asked(late)]).toEqual([
    ["Done.", "Done.", "Done."],
    ["one", "two", "three"].map((words) => `[Theo · u1]\n${words}`),
  ]);
  const inTime = await threeAsked({});
  expect(inTime.reads().filter((text) => text === "Done.")).toHaveLength(1);
});

it("are marked as late by the gateway's object: after a gap, in a replay, or if the channel could not be reached", async () => {
  const world = await connected();
  const isLate = () => world.heard.splice(0).map(({ heard }) => heard.isLate);
  world.ask();
  await world.pass(1000);
  expect(isLate()).toEqual([undefined]);
  world.discord.gateway.set({ refuseUpgrade: 503 });
  world.discord.gateway.act({ act: "invalidate", resumable: false });
  await world.pass(1000);
  world.ask();
  await world.pass(30_000);
  world.discord.gateway.set({ refuseUpgrade: null });
  await world.pass(60_000);
  expect(isLate()).toEqual([true]);
  world.discord.gateway.set({ holdEvents: true });
  world.ask({ channel: PLACES.thread });
  await world.pass(11_000);
  world.ask();
  world.discord.gateway.set({ holdEvents: false });
  await world.pass(1000);
  expect(isLate()).toEqual([true, undefined]);
  world.moods.push("broken", "broken", "broken");
  world.ask();
  await world.pass(60_000);
  expect(isLate()).toEqual([true]);
});
