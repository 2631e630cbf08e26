// The production Worker alone, as `npx wrangler dev` at the root runs it with the example's variables: signed requests over
// real sockets, with Discord and the model in another process.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createE2eWorld, type E2eWorld, MIRA, newChannel, requestTexts, THEO, until } from "../support/e2e-harness.ts";
import { PRODUCTION, type Product, startProduct } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startProduct({ config: PRODUCTION, devVars: world.devVars });
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

describe("the production Worker alone", () => {
  it("is healthy with the example's variables and answers Discord's PING", async () => {
    const health = await fetch(`${product.url}/health`);
    expect([health.status, await health.json()]).toEqual([
      200,
      {
        ok: true,
        version: expect.any(String),
        applicationId: world.applicationId,
        publicKeyFingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
        configured: ["DISCORD_API_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
        gateway: "off",
      },
    ]);
    expect(await world.discord.interact({ kind: "ping", as: MIRA, channel: newChannel(world).id })).toMatchObject({
      ok: true,
      seen: "pong",
    });
  });

  it("refuses requests that Discord did not sign with 401, and not with an internal error", async () => {
    const unsigned = await fetch(`${product.url}/interactions`, { method: "POST", body: '{"type":1}' });
    const signed = await world.discord.sign('{"type":1}', { signature: "ab".repeat(64) });
    const forged = await fetch(`${product.url}/interactions`, {
      method: "POST",
      headers: signed.headers,
      body: '{"type":1}',
    });
    expect([unsigned.status, forged.status]).toEqual([401, 401]);
  });

  it("answers a signed /chat with the result of a tool", async () => {
    const channel = newChannel(world);
    expect(await channel.say(THEO, "roll 3d6")).toMatchObject({ seen: "thinking" });
    const [answer] = await channel.settled(1);
    const asked = requestTexts(world);
    const result = JSON.parse(asked.at(-1)?.replace("tool: ", "") ?? "") as { rolls: number[]; total: number };
    expect(asked.slice(0, -1)).toEqual(["user: [Theo · u1]\nroll 3d6", "assistant: null"]);
    expect(result.rolls).toHaveLength(3);
    expect(answer).toContain(String(result.total));
  });

  it("closes the model's socket after a click on Stop, and keeps the text so far", async () => {
    const channel = newChannel(world);
    world.model.script([{ chunks: [{ text: "Once upon a time" }, { hang: true }] }]);
    await channel.say(THEO, "a story");
    await until("the first words", () => channel.answers()[0]?.startsWith("Once") ?? false);
    await channel.clickStop(THEO);
    await until("the closed socket", () => world.model.log.at(-1)?.aborted ?? false);
    expect(await channel.settled(1)).toEqual([`Once upon a time\n\n-# Stopped by <@${THEO}>.`]);
  });

  it("never makes one channel wait for another", async () => {
    const [busy, free] = [newChannel(world), newChannel(world)];
    world.model.script([{ chunks: [{ text: "I take my time" }, { hang: true }] }, { chunks: [{ text: "At once." }] }]);
    await busy.say(MIRA, "slow");
    await until("the slow answer", () => busy.answers()[0]?.startsWith("I take") ?? false);
    await free.say(MIRA, "fast");
    expect(await free.settled(1)).toEqual(["At once."]);
    expect(busy.messages()[0]?.components).toHaveLength(1);
    await busy.use(MIRA, "stop");
    await busy.settled(1);
  });

  it("answers a channel's messages one after the other, and shows a waiting person their queue position", async () => {
    const channel = newChannel(world);
    const before = world.model.log.length;
    const held = world.hold({ side: "after", matches: ({ path }) => path.startsWith("/v1/") });
    world.model.script([{ chunks: [{ text: "First." }] }, { chunks: [{ text: "Second." }] }]);
    await channel.say(MIRA, "one");
    await until("the first request", held.isReached);
    await channel.say(THEO, "two");
    await until("the place", () => channel.answers()[1] === `-# Waiting: number 1 in the queue, after <@${MIRA}>.`);
    expect(world.model.log).toHaveLength(before + 1);
    held.release();
    expect(await channel.settled(2)).toEqual(["First.", "Second."]);
    expect(requestTexts(world)).toEqual(["user: [Mira · u1]\none", "assistant: First.", "user: [Theo · u2]\ntwo"]);
  });
});
