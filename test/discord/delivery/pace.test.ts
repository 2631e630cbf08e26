// How long a reply waits after failures.
import { expect, it } from "vitest";
import { Pace } from "../../../src/discord/delivery/pace.ts";

const ending = { isEdit: true, isPassing: false, isFinal: true, gapMs: 0 };

it.each([
  [0, [125, 250, 500, 1000, 2000, 4000, 5000, 5000]],
  [0.5, [187.5, 375, 750, 1500, 3000, 6000, 7500, 7500]],
])("each failure waits twice as long as the last, up to a limit, with the random number %d", (random, waits) => {
  const pace = new Pace(
    () => 0,
    () => random,
    { renewals: 0, isReserved: false },
  );
  const waited = waits.map(() => {
    pace.failed();
    return pace.readyAt(ending);
  });
  expect(waited).toEqual(waits);
});
