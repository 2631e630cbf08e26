// The deployment's limit of money, through the production Worker: what one channel has spent is no longer available in any other.
import { afterAll, expect, it } from "vitest";
import { spentText } from "../../src/core/copy/budgets.ts";
import { endOf } from "../../src/core/money/lease.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { startDeployed } from "../support/deployed.ts";
import { channelAt, createE2eWorld, type E2eWorld, MIRA, newChannel, THEO, until } from "../support/e2e-harness.ts";
import type { Product } from "../support/product.ts";
import { withinADay } from "../support/within-a-day.ts";

let world: E2eWorld;
let product: Product;

/** Starts with nothing spent. */
async function begin(): Promise<void> {
  world = await createE2eWorld();
  const models = JSON.stringify([{ id: "priced", model: "local", price: { input: 2, output: 10 } }]);
  const devVars = `${world.devVars}\nOWNER_IDS=${MIRA}\nMODELS=${models}\nMAX_USD_PER_DAY=0.01\n`;
  product = await startDeployed("production", devVars);
  world.connect(product.url);
}
async function end(): Promise<void> {
  await product?.stop();
  await world?.close();
}
afterAll(end);

/** Waits until only the person is shown why they were refused, and the answer that meanwhile showed it to everyone is gone. */
async function refused(channel: string, person: string, count: number): Promise<string> {
  const isTold = () => {
    const messages = world.discord.messages(channel, person);
    return messages.at(-1)?.ephemeral === true && messages.filter(({ ephemeral }) => !ephemeral).length === count;
  };
  await until(`a private refusal below ${count} answers`, isTold);
  return world.discord.messages(channel, person).at(-1)?.content ?? "";
}

/** What the owner reads about today. */
async function ownersUsage(): Promise<string> {
  const use = { kind: "command", name: "owner", subcommand: "usage", as: MIRA, channel: PLACES.dmOfMira } as const;
  expect(await world.discord.interact(use)).toMatchObject({ ok: true });
  return world.discord.messages(PLACES.dmOfMira, MIRA).at(-1)?.content ?? "";
}

it("refuses another channel of another server, and a direct message, once a day's money is spent, across a kill", () =>
  withinADay(async () => {
    await end();
    await begin();
    const spent = () =>
      spentText({ of: "deployment", unit: "microUsd", limit: 10_000, resetsAt: endOf("day", Date.now()) });
    const usage = { prompt_tokens: 5000, completion_tokens: 0, total_tokens: 5000 };
    world.model.script([{ chunks: [{ text: "Dear." }], usage }]);
    const first = newChannel(world);
    await first.say(THEO, "hi");
    expect(await first.settled(1)).toEqual(["Dear."]);
    // The report of a turn follows its answer. Until then the money lent to the turn is only reserved, and others read that.
    await until("the report", async () => (await ownersUsage()).startsWith("Today: 1 answer,"));
    await channelAt(world, PLACES.lobby).say(THEO, "hi");
    expect(await refused(PLACES.lobby, THEO, 0)).toBe(spent());
    await product.killNine();
    await product.restart();
    const dm = channelAt(world, PLACES.dmOfMira);
    await dm.say(MIRA, "hi");
    expect(await dm.settled(1)).toEqual([expect.stringContaining(spent())]);
    await first.say(MIRA, "hi");
    expect(await refused(first.id, MIRA, 1)).toBe(spent());
    expect(first.answers()).toEqual(["Dear."]);
    expect(world.model.log).toHaveLength(1);
    expect(await ownersUsage()).toMatch(
      // The refused person got no answer, and no other server cost anything.
      /^Today: 1 answer, 5,000 tokens: .+ Cost: \$0\.0100 of \$0\.01\.\n.+\n.+\n- `1180000000000000001`: 1 answer, .+\n-#/,
    );
  }));
