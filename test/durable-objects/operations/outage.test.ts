// What a channel asks of Discord while Discord fails: less and less often.
import { expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";

const FAILED = Response.json({}, { status: 500 });

/** The seconds between requests. */
const gaps = (times: readonly number[]) => times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1000);

it("tries to open a thread again after longer and longer waits, and for the last time a minute after the question", async () => {
  const place = createAppHarness({ bot: true, settings: {} });
  const isOpening = ({ path }: { path: string }) => path.endsWith("/threads");
  place.discord.failNext(1000, FAILED, isOpening);
  const asked = place.channel.clock.now();
  const options = { message: "Why is the sky blue?", thread: true };
  await place.discord.interact({ kind: "command", name: "chat", channel: PLACES.general, as: PEOPLE.theo, options });
  for (let second = 0; second < 62; second++) await place.pass(1000);
  const times = place.discord.log.filter(isOpening).map(({ at }) => at);
  expect(gaps(times).slice(0, 6)).toEqual([0.75, 1.5, 3, 6, 7.5, 7.5]);
  expect(times.at(-1)).toBe(asked + 60_000);
  expect(place.channel.streams()).toBe(1);
});
