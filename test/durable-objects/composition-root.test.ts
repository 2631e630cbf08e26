// What a channel's object reaches, depending on its variables: where it gets a remote server's token, and how it learns who sees a channel.
import { expect, it } from "vitest";
import { createChannelPorts } from "../../durable-objects/composition-root.ts";
import { changeCheckedSetting } from "../../durable-objects/settings/change-setting.ts";
import { SEND_WINDOW_MS } from "../../src/core/limits.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { createTestClock } from "../support/clock.ts";
import { VARIABLES } from "../support/endpoint-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";

const MCP_SERVERS = JSON.stringify([{ id: "notes", url: "https://notes.example/mcp" }]);

/** Makes an object with these variables. `asked` lists whom it asked: requests by host and path, scopes by name. */
function object(variables: Record<string, string>) {
  const asked: string[] = [];
  const clock = createTestClock(1_000_000);
  const storage = { ...nodeSqlite(), setAlarm: async () => {}, deleteAlarm: async () => {} };
  const scope = (name: string) => ({
    async connection() {
      asked.push(name);
      return { op: "refused", fault: "no_key" };
    },
  });
  const ports = createChannelPorts(
    { id: { name: "2", toString: () => "2" }, storage, waitUntil: () => {} },
    { ...VARIABLES, ...variables, SCOPE: { getByName: scope } },
    {
      async fetch(url, init) {
        const { host, pathname } = new URL(new Request(url, init).url);
        asked.push(`${host}${pathname}`);
        return new Response(null, { status: 401 });
      },
      clock: clock.now,
      timers: clock.timers,
      random: () => 0.5,
      registry: createToolRegistry([]),
      createLog: () => ({ info() {}, warn() {}, error() {} }),
    },
  );
  return { asked, ports, clock };
}

it("the scope is asked for a remote server's token only if there is a key to keep tokens", async () => {
  const scopesAsked = async (variables: Record<string, string>) => {
    const { asked, ports } = object({ MCP_SERVERS, ...variables });
    await ports.turnRegistry(new AbortController().signal, "5");
    return [asked.includes("notes.example/mcp"), asked.filter((name) => !name.includes("/"))];
  };
  expect(await scopesAsked({ TOKEN_ENCRYPTION_KEY: "k".repeat(40) })).toEqual([true, [expect.stringContaining("5")]]);
  expect(await scopesAsked({})).toEqual([true, []]);
});

it("Discord is asked who sees a channel only if there is a bot token", async () => {
  const channelsAsked = async (variables: Record<string, string>) => {
    const { asked, ports } = object(variables);
    const value = "<#118000000000000777>";
    await changeCheckedSetting(ports, { key: "thought_log_channel", value, by: { userId: "10", guildId: "5" } });
    return asked.filter((path) => path.endsWith("/channels/118000000000000777")).length;
  };
  expect([await channelsAsked({ DISCORD_BOT_TOKEN: "a token" }), await channelsAsked({})]).toEqual([1, 0]);
});

it("Discord is still asked who sees a channel after the machine's clock was set back", async () => {
  const { asked, ports, clock } = object({ DISCORD_BOT_TOKEN: "a token" });
  const look = async () => {
    asked.length = 0;
    await ports.seeChannel?.({ channelId: "777", guildId: "5", userId: "10" }, new AbortController().signal);
    return asked.length;
  };
  // One window has room for five.
  const before = [await look(), await look()];
  clock.jump(-3_600_000);
  ports.clock();
  clock.jump(SEND_WINDOW_MS + 1);
  expect([...before, await look()]).toEqual([3, 2, 3]);
});

it("another model can replace only the default one, never one that the owner has named", () => {
  const after = (variables: Record<string, string>) => {
    const [model] = object(variables).ports.models;
    return [model.name, model.succeed?.(), model.name];
  };
  expect(after({ OPENAI_MODEL: "" })).toEqual(["gpt-5-mini", true, "gpt-5.4-mini"]);
  expect(after({ OPENAI_MODEL: "gpt-5-mini" })).toEqual(["gpt-5-mini", false, "gpt-5-mini"]);
});
