// The stream of a view: what a reader gets while nothing changes.
import { expect, it } from "vitest";
import { snapshots } from "../../src/playground/snapshots.ts";

it("a view that stays as it is comes once; then a comment, about each minute, says that the connection is there", async () => {
  let passed = 0;
  const sleep = async (ms: number) => {
    passed += ms;
    if (passed > 300_000) throw new Error("five minutes of silence: the connection is gone");
  };
  const events = snapshots({ read: () => "{}", onChange: () => () => {}, sleep });
  const seen: [event: unknown, afterMinutes: number][] = [];
  for (let n = 0; n < 3; n++) seen.push([(await events.next()).value, Math.round(passed / 60_000)]);
  await events.return();
  expect(seen).toEqual([
    ["data: {}\n\n", 0],
    [": still here\n\n", 1],
    [": still here\n\n", 2],
  ]);
});
