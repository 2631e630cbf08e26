// The alarm of a scope that can't do what it is for: it comes again, so that nobody's forgetting and no sum is lost.
import { expect, it } from "vitest";
import { ringScope } from "../../../durable-objects/scope/ring-scope.ts";
import type { Scope } from "../../../durable-objects/scope/scope.ts";

async function ring(opened: Promise<Pick<Scope, "alarm">>) {
  const alarms: number[] = [];
  const logged: string[] = [];
  await ringScope(opened, {
    setAlarm: async (at) => void alarms.push(at),
    clock: () => 1000,
    logError: (line, { error }) => logged.push(`${line}: ${error}`),
  });
  return { alarms, logged };
}

it.each([
  ["can't be opened", () => Promise.reject(new Error("not configured"))],
  [
    "fails",
    async () => ({
      alarm: () => {
        throw new Error("not configured");
      },
    }),
  ],
])("the alarm of a scope that %s says so and comes again in minutes", async (_how, open) => {
  expect(await ring(open())).toEqual({
    alarms: [301_000],
    logged: ["a scope's alarm failed: Error: not configured"],
  });
});

it("the alarm of a scope that works sets none beside the scope's own", async () => {
  let rings = 0;
  expect(await ring(Promise.resolve({ alarm: () => void rings++ }))).toEqual({ alarms: [], logged: [] });
  expect(rings).toBe(1);
});
