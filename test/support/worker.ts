// The Worker under test: the product's own application and object class over a third composition root, whose outside is the
// test's world of that channel. Never part of the production bundle.
import { channelObject } from "../../durable-objects/channel.ts";
import { wire } from "../../durable-objects/wire.ts";
import { type ChannelPort, createApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { worldOf } from "./world.ts";

/** The channel's object in its world. */
export const ChannelObject = channelObject((ctx, env) =>
  wire(
    ctx,
    env,
    worldOf(ctx.id.name ?? "").outside(() => ctx.storage.sync()),
  ),
);

export default {
  async fetch(request, env) {
    const { channel } = await request.clone().json<{ channel?: { id: string } }>();
    const app = createApp({
      config: parseConfig(env),
      channel: (channelId) => env.CHANNEL.getByName(channelId) as unknown as ChannelPort,
      now: channel ? worldOf(channel.id).time.now : Date.now,
      logError: () => {},
    });
    return app.fetch(request);
  },
} satisfies ExportedHandler<{ CHANNEL: DurableObjectNamespace }>;
