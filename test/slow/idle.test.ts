// An object with nothing to do leaves no alarm except the one that deletes old turns, and the runtime evicts it, which happens only when
// none of its timers and requests is left.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createE2eWorld, type E2eWorld, newChannel, THEO } from "../support/e2e-harness.ts";
import { type Product, startProduct, WITH_TEST_TOOLS } from "../support/product.ts";

/** The runtime lets go after 10 s without an event; the promise is 15 s. */
const GONE_AFTER_MS = 15_000;

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  const devVars = `${world.devVars}\nTOOL_SERVER_URL=${world.url}\n`;
  product = await startProduct({ config: WITH_TEST_TOOLS, devVars });
  world.connect(product.url);
});
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

/** Which life the channel's object is in, and the time for which its alarm is set. */
async function life(channelId: string): Promise<{ instance: string; alarmAt: number | null }> {
  const response = await fetch(`${product.url}/test/life?channel=${channelId}`);
  return (await response.json()) as { instance: string; alarmAt: number | null };
}

it("an idle object is gone 15 s after its turn, with no alarm except the one that deletes old turns", async () => {
  const channel = newChannel(world);
  await channel.say(THEO, "roll 2d6");
  await channel.settled(1);
  const during = await life(channel.id);
  // Nothing can be polled here, because asking the object would keep it alive.
  await sleep(GONE_AFTER_MS);
  const afterwards = await life(channel.id);
  const inDays = ((afterwards.alarmAt ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(inDays)).toBe(30);
  expect(afterwards.instance).not.toBe(during.instance);
});
