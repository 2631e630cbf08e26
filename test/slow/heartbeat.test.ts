// A turn whose model says nothing for longer than the runtime by itself keeps a busy object (70 to 140 s after the last
// event): only the object's own heartbeat can have kept it, because no one calls it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createE2eWorld, type E2eWorld, newChannel, THEO } from "../support/e2e-harness.ts";
import { PRODUCTION, type Product, startProduct } from "../support/product.ts";

const SILENCE_MS = 155_000;
const SLACK_MS = 120_000;

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startProduct({ config: PRODUCTION, devVars: world.devVars });
  world.connect(product.url);
});
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

it("a turn survives 155 s without a word from the model, with one request and the whole answer", async () => {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ waitMs: SILENCE_MS }, { text: "I had to think." }] }]);
  await channel.say(THEO, "a hard question");
  expect(await channel.settled(1, SILENCE_MS + SLACK_MS)).toEqual(["I had to think."]);
  expect(world.model.log).toMatchObject([{ aborted: false, finished: true }]);
  // A life that had taken the turn over would have shown it in an edit.
  expect([channel.messages()[0]?.edits, product.logs().match(/took over/g)]).toEqual([1, null]);
});
