// A reminder in real time: it is at least a minute ahead, and nothing except the object's own alarm posts it.
import { expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { createE2eWorld, newChannel, THEO } from "../support/e2e-harness.ts";
import { PRODUCTION, startProduct } from "../support/product.ts";

const LIMIT_MS = 120_000;

it("posts a reminder by itself when it is due", async () => {
  const world = await createE2eWorld();
  const devVars = world.devVars.replace(/^DISCORD_BOT_TOKEN=.*$/m, `DISCORD_BOT_TOKEN=${APPLICATION.botToken}`);
  const product = await startProduct({ config: PRODUCTION, devVars });
  world.connect(product.url);
  try {
    const channel = newChannel(world);
    await channel.say(THEO, "remind me in 1 minute to drink tea");
    const answers = await channel.settled(2, LIMIT_MS);
    expect(answers.at(-1)).toMatch(
      new RegExp(
        `^You asked me to remind you: \\*\\*drink tea\\*\\*\\.\\n\\n-# ⏰ Reminder for <@${THEO}>, due <t:\\d+:R>: drink tea$`,
      ),
    );
    expect([world.discord.violations, world.discord.pinged()]).toEqual([[], []]);
  } finally {
    await product.stop();
    await world.close();
  }
});
