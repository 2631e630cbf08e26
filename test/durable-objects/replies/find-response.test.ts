// A reply whose object was gone for longer than the interaction's token is valid, before it knew the id of the message that the bot could edit.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;

/** Lets Theo ask while the object is gone for this long. */
async function gone(ms: number, place: AppHarness = createAppHarness({ bot: true })): Promise<AppHarness> {
  await place.ask(theo, "a long story");
  place.channel.crash();
  await place.channel.clock.advance(ms);
  await place.pass(1000);
  place.requests();
  place.channel.answer(says("The story."));
  await place.pass(MINUTE);
  return place;
}

const isAtRest = ({ channel }: AppHarness) => {
  const { lock, running, queue, closing } = channel.store.state();
  return [lock.turnId, running, queue.length + closing.length, channel.clock.pending(), channel.alarmAt()];
};

describe("a reply whose object was gone while its token ended", () => {
  it("is found in the channel, and the bot's own token delivers the answer", async () => {
    const place = await gone(20 * MINUTE);
    expect(place.reads()).toEqual(["The story."]);
    expect(isAtRest(place)).toEqual([null, null, 0, 0, null]);
    expect(place.discord.violations).toEqual([]);
  });

  it("keeps its answer, undelivered, if it is not found", async () => {
    const place = createAppHarness({ bot: true });
    place.discord.configure({ botReadsHistory: false });
    await gone(20 * MINUTE, place);
    expect(place.reads()).toEqual(["…"]);
    expect(isAtRest(place)).toEqual([null, null, 0, 0, null]);
    expect(place.channel.store.recentTurns(1, { userId: theo, moderator: true })[0]?.undelivered).toBe(true);
  });

  it("is not looked for while its token is valid", async () => {
    const place = await gone(10 * MINUTE);
    expect(place.reads()).toEqual(["The story."]);
    expect(place.discord.log.filter(({ method, path }) => method === "GET" && path.includes(PLACES.general))).toEqual(
      [],
    );
  });
});
