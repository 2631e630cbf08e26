import { describe, expect, it } from "vitest";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { playLimited } from "../faults/limited-turns.ts";
import { START } from "../support/fault-harness.ts";
import { createMessageHarness } from "../support/message-harness.ts";
import { type CountedBy, RequestLimit } from "../support/request-limit.ts";

const WAVES = 6;
const TURNS = 25;

describe("an object whose events may each send only a limited number of requests", () => {
  it.each<[number, CountedBy]>([
    [10, "newest"],
    [10, "own"],
    [50, "newest"],
    [50, "own"],
  ])(
    "with a limit of %d, counted for the %s event, delivers 25 random turns completely and does nothing twice",
    async (perEvent, countedBy) => {
      let turns = 0;
      let refused = 0;
      for (let seed = perEvent; turns < TURNS; seed++) {
        const limit = new RequestLimit(perEvent, countedBy);
        const run = await playLimited(seed, WAVES, limit);
        expect([seed, run.faults, limit.most <= perEvent]).toEqual([seed, [], true]);
        turns += run.turns;
        refused += limit.refused;
      }
      expect(refused).toBeGreaterThan(0);
    },
  );
});

describe("an ending that the platform refuses", () => {
  it("is sent from an alarm that is set at once, long before the heartbeat", async () => {
    const place = await createMessageHarness();
    // The call's own requests: what was said in the channel, the model's request, the first edit.
    place.world.requestLimit = new RequestLimit(3, "newest");
    await place.chat(PEOPLE.theo, "hi");
    expect(place.requests().map((request) => request.split(" ")[0])).toEqual(["0", "0.35", "1.6"]);
    expect(place.reads().join()).toMatch(/Hello there\.$/);
    expect(place.world.alarms.map((at) => at - START)).toEqual([1600]);
  });
});
