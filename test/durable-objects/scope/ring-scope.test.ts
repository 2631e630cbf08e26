// The alarm of a scope that can't do its work comes again, so that nobody's forgetting and no sum is lost.
import { expect, it } from "vitest";
import { ringScope } from "../../../durable-objects/scope/ring-scope.ts";
import type { Scope } from "../../../durable-objects/scope/scope.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

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
  ["can't plan the next one", async () => ({ alarm: () => Promise.reject(new Error("not configured")) })],
])("the alarm of a scope that %s says so and comes again in minutes", async (_how, open) => {
  expect(await ring(open())).toEqual({
    alarms: [301_000],
    logged: ["a scope's alarm failed: Error: not configured"],
  });
});

it("the alarm of a working scope sets no other alarm than the scope's own", async () => {
  let rings = 0;
  expect(await ring(Promise.resolve({ alarm: async () => void rings++ }))).toEqual({ alarms: [], logged: [] });
  expect(rings).toBe(1);
});

it("an alarm after which no other can be set rejects, so that the platform repeats it: a person must still be forgotten", async () => {
  const world = createScopeHarness(["1"]);
  const name = "guild:5";
  const server = world.scope(name);
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  await server.report([{ turnId: "t", userId: "7", channelId: "31", guildId: "5", at: world.clock.now, usage }]);
  world.closed.add("31");
  await server.forgetPerson("7", "30");
  world.clock.now = world.alarms.get(name) ?? 0;
  world.refusesAlarms = true;
  const setAlarm = () => Promise.reject(new Error("no alarm can be set"));
  const ringing = ringScope(Promise.resolve({ alarm: () => world.ring(name) }), {
    setAlarm,
    clock: () => world.clock.now,
    logError: () => {},
  });
  await expect(ringing).rejects.toThrow("no alarm can be set");
});
