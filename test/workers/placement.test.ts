// Where the gateway's object is created, whoever wakes it or asks for it first.
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import product from "../../src/index.ts";

it("is created in North America by the cron trigger and by /health, because channels are created near it", async () => {
  const asked: unknown[] = [];
  const status = async () => "connected";
  const GATEWAY = { getByName: (...given: unknown[]) => asked.push(given) && { status, wake: status } };
  const own = { ...env, DISCORD_GATEWAY: "on", DISCORD_BOT_TOKEN: "token", GATEWAY } as never;
  await product.scheduled({ scheduledTime: 0 } as ScheduledController, own);
  await product.fetch(new Request("http://parley.test/health") as never, own);
  expect(asked).toEqual([
    ["discord", { locationHint: "enam" }],
    ["discord", { locationHint: "enam" }],
  ]);
});
