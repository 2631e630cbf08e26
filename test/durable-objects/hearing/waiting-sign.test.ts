// The reaction ⏳ on a waiting question if many wait at once, and if a life ends before Discord has removed it.

import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

describe("questions that begin to wait at the same moment", () => {
  it("all get ⏳ and lose it, with requests that Discord's rate limit for reactions allows", async () => {
    const place = await createMessageHarness({
      answerTo: () => ({ texts: ["Done."], firstMs: 9000 }),
      // Discord allows one reaction per quarter of a second in a channel.
      discord: { buckets: { limit: 1, windowMs: 250 } },
      variables: { MAX_QUEUED_PER_USER: "10" },
      settings: { turns_per_minute: "0" },
    });
    const signs = () =>
      place.world.discord.messages(place.world.channelId, mira).flatMap(({ reactions = [] }) => reactions);
    const reactions = () => place.requests().filter((request) => request.includes("/reactions/"));
    place.write(theo, `${BOT} first`);
    await place.pass(100);
    for (let waiting = 1; waiting <= 10; waiting++) place.write(mira, `${BOT} question ${waiting}`);
    await place.pass(8000);
    expect(signs()).toHaveLength(10);
    await place.rest();
    expect(signs()).toEqual([]);
    expect(reactions().map((request) => request.slice(-3))).toEqual(Array.from({ length: 20 }, () => "204"));
  });
});

describe("a question whose turn has started", () => {
  it.each([
    ["goes on", 1],
    ["ends without another call", 3],
  ])("also loses ⏳ in a later life if the turn %s", async (_fate, deaths) => {
    const place = await createMessageHarness({ answerTo: () => ({ texts: ["Done."], firstMs: 20_000 }) });
    const { discord } = place.world;
    const signs = () => discord.messages(place.world.channelId, mira).flatMap(({ reactions = [] }) => reactions);
    place.write(theo, `${BOT} one`);
    await place.pass(100);
    place.write(mira, `${BOT} two`);
    await place.pass(15_000);
    const clear = discord.addWeather(({ method, path }) =>
      method === "DELETE" && path.includes("/reactions/") ? new Response("{}", { status: 502 }) : null,
    );
    await place.pass(15_000);
    expect(place.reads()).toEqual(["Done.", "-# Thinking … [Stop]"]);
    expect(signs()).toHaveLength(1);
    for (let died = 1; died < deaths; died++) {
      place.world.restart();
      await place.pass(8000);
    }
    place.world.restart();
    clear();
    await place.rest();
    expect(signs()).toEqual([]);
  });
});
