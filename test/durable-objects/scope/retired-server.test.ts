// The tokens of a remote server that the operator has removed from MCP_SERVERS, or moved: nobody can use or revoke them any more.
import { expect, it } from "vitest";
import type { Connection } from "../../../durable-objects/scope/connection-store.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

const NOW = Date.UTC(2030, 5, 15, 12);
const DAY_MS = 86_400_000;
const WIKI = { id: "wiki", url: "https://wiki.example/mcp", headers: {}, isFixed: false, registered: null };
const CONNECTED: Connection = {
  serverId: "wiki",
  url: WIKI.url,
  sealed: "a secret",
  at: NOW,
  renewedAt: null,
  lacked: null,
};

/** Makes a scope with the tokens of a server. `on`: reports a question on this day, from a program with these servers. */
async function connected(name: string) {
  const h = createScopeHarness(["1"]);
  let servers = [WIKI];
  h.connectionPorts = (_, connections) => {
    if (!h.rows(name).includes("a secret") && h.clock.now === NOW) connections.putConnection(CONNECTED);
    return { name, connections, servers, clock: () => h.clock.now } as never;
  };
  h.clock.now = NOW;
  const guildId = name === "deployment" ? null : "77";
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const on = async (day: number, configured = servers) => {
    servers = configured;
    h.crash();
    h.clock.now = NOW + day * DAY_MS;
    await h.scope(name).report([{ turnId: `${day}`, userId: "10", channelId: "5", guildId, at: h.clock.now, usage }]);
    await Promise.all(h.detached.splice(0));
    return h.rows(name).includes("a secret");
  };
  return { h, on };
}

it.each(["guild:77", "deployment"])(
  "in %s they are deleted when the server has been gone for keep_days",
  async (name) => {
    const { on } = await connected(name);
    expect(await on(0)).toBe(true);
    expect(await on(10, [])).toBe(true);
    expect(await on(39, [])).toBe(true);
    expect(await on(40, [])).toBe(false);
  },
);

it("those of a server that returns in time are kept, and a server at another address is another server", async () => {
  const { h, on } = await connected("guild:77");
  await on(0);
  await on(10, []);
  await on(20, [WIKI]);
  expect(h.rows("guild:77")).not.toContain("unlistedAt");
  expect(await on(45, [{ ...WIKI, url: "https://wiki.example/other" }])).toBe(true);
  expect(await on(74)).toBe(true);
  expect(await on(75)).toBe(false);
});

it("in a Discord server that nobody uses any more, the alarm alone deletes them", async () => {
  const { h, on } = await connected("guild:77");
  await on(0);
  await on(1, []);
  for (let n = 0; n < 3 && h.rows("guild:77").includes("a secret"); n++) {
    h.clock.now = h.farAlarms.get("guild:77") ?? expect.fail("nothing wakes it");
    await h.ring("guild:77");
    await Promise.all(h.detached.splice(0));
  }
  expect([h.clock.now <= NOW + 62.5 * DAY_MS, h.rows("guild:77").includes("a secret")]).toEqual([true, false]);
});
