// The reaction ⏳ on a question that waits, where a life ends before Discord has taken it back.

import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

describe("a question whose turn has started", () => {
  it.each([
    ["goes on", 1],
    ["ends without another call", 3],
  ])("loses ⏳ in a later life too, where the turn %s", async (_fate, deaths) => {
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
