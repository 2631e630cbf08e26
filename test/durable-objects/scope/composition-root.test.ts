// How a scope's ports are built from the variables: which scope asks Discord for the bot's owners.
import { expect, it } from "vitest";
import { alertOwners } from "../../../durable-objects/scope/alerts.ts";
import { createScopePorts } from "../../../durable-objects/scope/composition-root.ts";
import { deploymentCopy } from "../../../durable-objects/scope/deployment.ts";
import { lookForBot } from "../../../durable-objects/scope/presence.ts";
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

const IN_A_SERVER = "200000000000000001";

it.each<[string, Record<string, string>, boolean]>([
  ["not requested if a local Discord lets everyone do everything", { DISCORD_API_BASE_URL: LOCAL }, false],
  ["requested at Discord's own address", {}, true],
  ["requested if a local bot's servers must be claimed", { DISCORD_API_BASE_URL: LOCAL, SERVERS: "claimed" }, true],
  [
    "requested if a local bot serves only its owners elsewhere",
    { DISCORD_API_BASE_URL: LOCAL, VISITORS: "owners" },
    true,
  ],
])("the bot's owners are %s", async (_, variables, isAsked) => {
  const { ports, asked } = deployment(variables);
  await deploymentCopy(ports, IN_A_SERVER);
  expect(asked.length > 0).toBe(isAsked);
});

it("a local Discord that lets everyone do everything is asked once for the owners, in direct messages, where /owner is", async () => {
  const { ports, asked } = deployment({ DISCORD_API_BASE_URL: LOCAL });
  expect((await deploymentCopy(ports, null)).owners).toEqual(["5"]);
  expect((await deploymentCopy(ports, null)).owners).toEqual(["5"]);
  expect((await deploymentCopy(ports, IN_A_SERVER)).owners).toEqual(["5"]);
  expect(asked).toEqual([`${LOCAL}/applications/@me`]);
});

it("the owners named by that local Discord are notified of what only they can fix", async () => {
  const { ports, asked, work } = deployment({ DISCORD_API_BASE_URL: LOCAL });
  alertOwners(ports, { kind: "auth", channelId: "7" });
  await Promise.all(work);
  expect(asked.slice(0, 2)).toEqual([`${LOCAL}/applications/@me`, `${LOCAL}/users/@me/channels`]);
});

it.each([
  ["once, an hour after its first use", "guild:77", "token", [`${LOCAL}/guilds/77`]],
  ["not for the deployment", "deployment", "token", []],
  ["not without its token", "guild:77", "", []],
])("Discord is asked whether the bot is in the server: %s", async (_, name, DISCORD_BOT_TOKEN, requests) => {
  const { ports, asked, clock } = deployment({ DISCORD_API_BASE_URL: LOCAL, DISCORD_BOT_TOKEN }, name);
  await lookForBot(ports);
  await clock.advance(3_599_999);
  await lookForBot(ports);
  expect(asked).toEqual([]);
  await clock.advance(1);
  await lookForBot(ports);
  await lookForBot(ports);
  expect(asked).toEqual(requests);
});

/** Makes the ports of the deployment's scope, or of another. `asked`: the addresses of its requests, each answered with an owner. */
function deployment(variables: Record<string, string>, name = "deployment") {
  const asked: string[] = [];
  const work: Promise<void>[] = [];
  const clock = createTestClock(0);
  const storage = { ...nodeSqlite(), setAlarm: async () => {}, deleteAlarm: async () => {} };
  const ports = createScopePorts(
    { id: { name, toString: () => "" }, storage, waitUntil: (one) => work.push(one) },
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
  return { ports, asked, work, clock };
}
