// `/bot kill` as a separate signed request, which reaches the object while a tool runs there. The product here has tools that
// only tests have.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startDeployed } from "../support/deployed.ts";
import {
  createE2eWorld,
  type E2eChannel,
  type E2eWorld,
  MIRA,
  newChannel,
  requestTexts,
  THEO,
  until,
} from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";

let world: E2eWorld;
let product: Product;

beforeAll(async () => {
  world = await createE2eWorld();
  product = await startDeployed("withTestTools", `${world.devVars}\nTOOL_SERVER_URL=${world.url}\n`);
  world.connect(product.url);
});
afterEach(() => expect(world.discord.violations).toEqual([]));
afterAll(async () => {
  await product?.stop();
  await world?.close();
});

const NO_RESULT = 'tool: {"status":"no_result","note":"no result; do not assume that it ran"}';

/** A turn of Theo's that is in this tool, with a message of Mira's waiting after it. */
async function inTool(tool: string): Promise<E2eChannel> {
  const channel = newChannel(world);
  world.model.script([{ chunks: [{ call: { name: tool, arguments: {} } }] }, { chunks: [{ text: "Fresh." }] }]);
  await channel.say(THEO, "use it");
  await until("the tool", () => channel.answers()[0]?.includes(`Using \`${tool}\``) ?? false);
  await channel.say(MIRA, "and me?");
  await until("the place", () => channel.answers()[1]?.includes("number 1") ?? false);
  return channel;
}

describe("/bot kill while a tool runs", () => {
  it("ends the turn without a result of the call or another model request, clears the queue, and frees the channel", async () => {
    const before = world.model.log.length;
    const channel = await inTool("slow");
    await channel.use(MIRA, "bot kill");
    const stopped = `-# Stopped by <@${MIRA}>.`;
    expect(await channel.settled(2)).toEqual([
      stopped,
      `-# Cleared from the queue by <@${MIRA}>. Send it again if you still want an answer.`,
    ]);
    expect(world.model.log).toHaveLength(before + 1);
    await channel.say(THEO, "next");
    expect((await channel.settled(3)).at(-1)).toBe("Fresh.");
    expect(requestTexts(world)).toEqual([
      "user: [Theo · u1]\nuse it",
      "assistant: null",
      NO_RESULT,
      "user: [Theo · u1]\nnext",
    ]);
    expect(world.effects).toEqual([]);
  });

  it("does not wait for a tool that ignores its signal, and drops its late result", async () => {
    const held = world.hold({ side: "before", matches: ({ path }) => path === "/tool/hold" });
    const channel = await inTool("deaf");
    await channel.use(THEO, "bot kill");
    // Theo is not a moderator, so he can't clear Mira's message, and it is answered while the tool is still running.
    expect((await channel.settled(2)).at(-1)).toBe("Fresh.");
    held.release();
    await until("the late effect", () => world.effects.length === 1);
    await channel.say(THEO, "anything new?");
    await channel.settled(3);
    expect(requestTexts(world)).toEqual([
      "user: [Theo · u1]\nuse it",
      "assistant: null",
      NO_RESULT,
      "user: [Mira · u2]\nand me?",
      "assistant: Fresh.",
      "user: [Theo · u1]\nanything new?",
    ]);
  });
});
