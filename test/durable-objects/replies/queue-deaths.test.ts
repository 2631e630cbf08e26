// What people in the queue see if a life ends before it has shown them their place.
import { expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createAppHarness } from "../../support/app-harness.ts";

const { theo, mira, juno } = PEOPLE;
const SECONDS = 1000;

it("the next life shows the missing places in the queue, and leaves alone a place that was shown", async () => {
  const place = createAppHarness();
  await place.ask(theo, "a long story");
  await place.pass(SECONDS);
  await place.ask(mira, "and me?");
  await place.pass(5 * SECONDS);
  const miras = `${say.waiting(1, [theo])} [Stop]`;
  expect(place.reads()).toEqual(["…", miras]);
  await place.ask(juno, "and me?");
  place.channel.crash();
  place.requests();
  await place.pass(60 * SECONDS);
  const again = `${say.resumed} [Stop]`;
  expect(place.reads()).toEqual([again, miras, `${say.waiting(2, [theo, mira])} [Stop]`]);
  // Theo's and Juno's.
  expect(place.requests().map((request) => request.replace(/^[\d.]+ /, ""))).toEqual(
    Array(2).fill("PATCH original → 200"),
  );
});
