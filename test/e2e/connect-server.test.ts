// A manager connects a remote server over real sockets: the link in Discord, the consent in a browser, the code, and then its tools.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { connectionText } from "../../src/core/copy/connections.ts";
import type { Act, Interact } from "../../src/playground/discord/acts.ts";
import { serve } from "../../src/playground/serve.ts";
import { type AuthorizationServer, authorizationServer } from "../support/authorization-server.ts";
import { startDeployed } from "../support/deployed.ts";
import { createE2eWorld, type E2eWorld, MIRA, newChannel } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;
let provider: AuthorizationServer;
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  world = await createE2eWorld();
  provider = authorizationServer();
  served = await serve((request) => provider.fetch(request));
  provider.origin = served.url;
  const servers = JSON.stringify([
    { id: "wiki", url: `${served.url}/mcp`, approve: "asker", category: { look: "safe" } },
  ]);
  const devVars = `${world.devVars}
MCP_SERVERS='${servers}'
TOKEN_ENCRYPTION_KEY=a-key-of-thirty-two-letters-or-more
FETCH_URL_PRIVATE_HOSTS=${new URL(served.url).host}
`;
  product = await startDeployed("production", devVars);
  world.connect(product.url);
});
afterEach(() => expect([world.discord.violations, provider.violations]).toEqual([[], []]));
afterAll(async () => {
  await product?.stop();
  await served?.close();
  await world?.close();
});

it("lets a manager connect it by a link and a code, uses it with the token, and shows the token nowhere", async () => {
  const channel = newChannel(world);
  const act = (one: Act) => world.discord.interact({ ...one, as: MIRA, channel: channel.id } as Interact);
  const read = () => world.discord.messages(channel.id, MIRA).at(-1);
  const tools = (subcommand: string, options = {}) => act({ kind: "command", name: "tools", subcommand, options });
  const scripted = async (before: number) => {
    world.model.script([
      { chunks: [{ call: { name: "wiki_look", arguments: {} } }] },
      { chunks: [{ text: "It says so." }] },
    ]);
    await act({ kind: "command", name: "chat", options: { message: "look it up" } });
    return channel.settled(before + 1);
  };

  const { messageId = "" } = await tools("connect", { server: "wiki" });
  const buttons = JSON.stringify(read()?.components);
  const link = /"(http[^"]+\/oauth\/start\?[^"]+)"/.exec(buttons)?.[1] ?? "no link";
  const asked = await fetch(link, { redirect: "manual" });
  const back = await provider.agree(asked.headers.get("location") ?? "");
  const code = /<code[^>]*>([^<]+)<\/code>/.exec(await (await fetch(back)).text())?.[1] ?? "no code";
  const form = await act({ kind: "click", messageId, customId: `enter_code:${MIRA}` });
  const { custom_id: customId } = form.shown as { custom_id: string };
  await act({ kind: "submit", customId, fields: { code } });
  expect(read()?.content).toBe(connectionText.connected("wiki", "server"));

  expect(await scripted(0)).toEqual(["It says so."]);
  const [, { body }] = world.model.log.slice(-2) as [unknown, { body: unknown }];
  expect(JSON.stringify(body)).toContain("did look");
  await tools("list");
  expect(read()?.content).toContain(connectionText.listed("wiki", true));
  await tools("disconnect", { server: "wiki" });
  expect(read()?.content).toBe(connectionText.disconnected("wiki"));
  const shown = JSON.stringify([world.model.log, world.discord.messages(channel.id, MIRA), product.logs()]);
  expect(provider.secrets.filter((secret) => shown.includes(secret))).toEqual([]);
});
