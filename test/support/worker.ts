// The Worker of the workers and crash lanes: the product's own application and object class with a test's composition root, whose
// outside is the test's world for that channel (workerd-harness.ts). Never part of the production bundle.
import { env } from "cloudflare:workers";
import { channelObject } from "../../durable-objects/channel.ts";
import { createChannelPorts, production } from "../../durable-objects/composition-root.ts";
import { createOpeningPorts } from "../../durable-objects/gateway/composition-root.ts";
import { gatewayObject } from "../../durable-objects/gateway/gateway-object.ts";
import { createApp } from "../../src/app.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { parseConfig, programOf } from "../../src/config.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import { type Point, readPoints } from "./faults.ts";
import { openScopes } from "./scopes.ts";
import { scriptedDiscord } from "./scripted-gateway.ts";
import { openWorkerdHarness } from "./workerd-harness.ts";

export { ScopeObject } from "../../durable-objects/scope/scope-object.ts";

/** The channel's object in its world. */
export const ChannelObject = channelObject((ctx) => {
  const world = openWorkerdHarness(ctx.id.name ?? "");
  const life = { settled: () => ctx.storage.sync(), point: readPoints(world.faults, ctx) };
  const parts = { ...createChannelPorts(ctx, world.variables, world.outside(life)), ...world.overrides(life) };
  const erase = () => {
    life.point("before the end of the storage");
    parts.erase();
    life.point("after the end of the storage");
  };
  return { ...parts, store: dyingStore(parts.store, life.point), erase };
});

/** The gateway's object in front of a scripted Discord. */
export const GatewayObject = gatewayObject((ctx, env) =>
  createOpeningPorts(ctx, withGateway(env), { ...production, ...scriptedDiscord, interaction: null }),
);

const withGateway = (variables: unknown) => ({
  ...(variables as object),
  DISCORD_BOT_TOKEN: "a token",
  DISCORD_GATEWAY: "on",
});

/** The program that the gateway's object runs. */
export function gatewayProgram(): ReturnType<typeof programOf> {
  const parsed = parseConfig(withGateway(env));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return programOf(parsed.config, env);
}

/** A store with a fault point at every commit: a life that ends there has written nothing of it. */
function dyingStore(store: ChannelStore, point: Point): ChannelStore {
  return {
    ...store,
    transaction: (work) =>
      store.transaction(() => {
        const result = work();
        point("write");
        return result;
      }),
  };
}

export default {
  async fetch(request, env) {
    const { channel } = await request.clone().json<{ channel?: { id: string } }>();
    const app = createApp({
      fetch: async () => new Response(null, { status: 404 }),
      config: parseConfig(channel ? openWorkerdHarness(channel.id).variables : env),
      channel: (channelId) => env.CHANNEL.getByName(channelId) as unknown as ChannelPort,
      now: channel ? openWorkerdHarness(channel.id).time.now : Date.now,
      logError: () => {},
      scope: openScopes(),
      gatewayStatus: async () => "off",
      countRefused: null,
      after: () => () => {},
    });
    return app.fetch(request);
  },
} satisfies ExportedHandler<{ CHANNEL: DurableObjectNamespace }>;
