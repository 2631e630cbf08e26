// The stream of a view: what a reader gets while nothing changes.
import { expect, it } from "vitest";
import { snapshots } from "../../src/playground/snapshots.ts";

it("an unchanged view comes once; after that, a comment about every minute shows that the connection is alive", async () => {
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
