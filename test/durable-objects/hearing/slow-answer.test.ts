// What people see of an answer to a message before it has words: typing, a first message with Stop, and which tool runs.
import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;
const SLOW = { texts: ["Done."] };

describe("an answer that takes its time", () => {
  it("types until there are words, and has a first message with Stop after two seconds", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 20_000 }) });
    place.write(theo, `${BOT} hello?`);
    await place.pass(3000);
    expect(place.reads()).toEqual(["-# Thinking … [Stop]"]);
    await place.rest();
    expect(place.requests().filter((line) => !line.includes("GET"))).toEqual([
      "0 POST /channels/general/typing → 204",
      '2.15 POST /channels/general/messages "-# Thinking …" [Stop] → 200',
      "8 POST /channels/general/typing → 204",
      "16 POST /channels/general/typing → 204",
      '20.2 PATCH /channels/general/messages/N "Done." → 200',
      "21.7 PATCH /channels/general/messages/N [] → 200",
    ]);
  });

  it("says which tool runs if there are no words yet", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ calls: [{ name: "slow" }] }) });
    place.write(theo, `${BOT} look`);
    await place.pass(10_000);
    expect(place.reads()).toEqual([expect.stringMatching(/slow.* \[Stop\]$/)]);
  });

  it("stops typing with Stop, and never types after the end", async () => {
    const place = await createMessageHarness({ answerTo: () => ({ ...SLOW, firstMs: 60_000 }) });
    place.write(theo, `${BOT} hello?`);
    await place.pass(10_000);
    await place.click(theo, "Stop");
    await place.pass(60_000);
    expect(place.reads(mira)).toEqual([`-# Stopped by <@${theo}>.`]);
    expect(place.requests().filter((line) => line.includes("typing"))).toHaveLength(2);
    expect(place.world.life?.timers).toBe(0);
  });
});
