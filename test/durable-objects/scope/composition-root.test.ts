// How a scope's ports are built from the variables: who asks Discord for the bot's owners.
import { expect, it } from "vitest";
import { createScopePorts } from "../../../durable-objects/scope/composition-root.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { createTestClock } from "../../support/clock.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";

const LOCAL = "http://127.0.0.1:8788/api/v10";
const REQUIRED = {
  DISCORD_PUBLIC_KEY: "a".repeat(64),
  DISCORD_APPLICATION_ID: "1",
  OPENAI_API_KEY: "test",
  DISCORD_BOT_TOKEN: "token",
};

it.each<[string, Record<string, string>, boolean]>([
  ["not asked where a local Discord lets everyone do everything", { DISCORD_API_BASE_URL: LOCAL }, false],
  ["asked by Discord's own address", {}, true],
  ["asked where a local bot has servers to be claimed", { DISCORD_API_BASE_URL: LOCAL, SERVERS: "claimed" }, true],
  [
    "asked where a local bot serves its owners alone elsewhere",
    { DISCORD_API_BASE_URL: LOCAL, VISITORS: "owners" },
    true,
  ],
])("the bot's owners are %s", async (_, variables, isAsked) => {
  const asked: string[] = [];
  const clock = createTestClock(0);
  const storage = { ...nodeSqlite(), setAlarm: async () => {}, deleteAlarm: async () => {} };
  const ports = createScopePorts(
    { id: { name: "deployment", toString: () => "" }, storage, waitUntil() {} },
    { ...REQUIRED, ...variables },
    {
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ owner: { id: "5" } });
      },
      clock: clock.now,
      timers: clock.timers,
      random: () => 0.5,
      registry: createToolRegistry([]),
      createLog: () => ({ info() {}, warn() {}, error() {} }),
    },
  );
  await ports.askOwners();
  expect(asked.length > 0).toBe(isAsked);
});
